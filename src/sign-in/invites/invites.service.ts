import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, requireEmail, UserRefused } from '../../accounts/index.js';
import { Invalid, momentOf, NotFound, Pages, phrase, type Reason } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import {
  DAILY,
  Handles,
  hashToken,
  job,
  Jobs,
  Mailer,
  newToken,
  openSecret,
  type Outcome,
  Recurs,
  sealSecret,
  SECRET_KEY,
  skip,
  UnitOfWork,
} from '../../platform/index.js';
import type { Invite } from './invite.entity.js';
import { InvitesRepository } from './invites.repository.js';

/** The content of a letter with an invite. */
export interface InviteLetter {
  readonly inviteId: number;
  readonly email: string;
  readonly name: string;
  /** Null for a program with the admin token. */
  readonly actorId: string | null;
}

/** Sends an invite by mail. */
export const MailInvite = job<InviteLetter>('mail.invite', 'mail');

/** The limits of an invite; one without limits is for one person. */
export interface InviteLimits {
  readonly maxUse: number | null;
  /** The last day, `YYYY-MM-DD` in UTC. */
  readonly expiresAt: string | null;
}

export type InviteType = 'one_time' | 'date_limited' | 'reusable' | 'reusable_date_limited';

/** An invite as administrators see it. */
export interface ListedInvite extends InviteLimits {
  readonly id: number;
  readonly token: string;
  readonly type: InviteType;
  readonly uses: number;
  /** Whether it is used up or revoked. */
  readonly used: boolean;
  /** The page to sign up on. */
  readonly url: string;
}

/** Whether sign-up needs invites, is off even for people who have one, or is open to everybody. */
export type InviteRole = 'needed' | 'off' | 'unneeded';

/** The addressee of an invite. */
export interface Invitee {
  readonly email: string;
  readonly name: string;
}

/** Invites to sign up while registration is closed (spec §4.1.2). */
@Injectable()
export class InvitesService {
  constructor(
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly invites: InvitesRepository,
  ) {}

  /**
   * Creates an invite.
   * @throws Invalid for a last day that does not exist or is over
   */
  create(limits: InviteLimits): Promise<ListedInvite> {
    requireFutureDay(limits.expiresAt);
    return this.uow.run(async () => this.listed(await this.insert(limits)));
  }

  /** The newest invites, also those that have ended within the last months. */
  async list(): Promise<ListedInvite[]> {
    return (await this.invites.list()).map((invite) => this.listed(invite));
  }

  /**
   * Ends an invite.
   * @throws NotFound for an unknown token
   */
  revoke(token: string): Promise<ListedInvite> {
    return this.uow.run(async () => {
      const tokenHash = hashToken(token);
      await this.invites.end(tokenHash);
      const invite = await this.invites.find({ tokenHash });
      if (!invite) throw new NotFound('Not found');
      return this.listed(invite);
    });
  }

  /**
   * Sends an invite for one person by mail.
   * @throws Invalid `[{error}]` when sign-up needs no invites, there are none, or the address is invalid
   */
  async email(actorId: string | null, { email, name }: Invitee): Promise<void> {
    const problem = this.mailProblem(email);
    if (problem !== undefined) throw Invalid.bulk([{ error: problem }]);
    await this.uow.run(async () => {
      const { id: inviteId } = await this.insert({ maxUse: null, expiresAt: null });
      this.jobs.enqueue(MailInvite, { inviteId, email, name, actorId });
    });
  }

  /** Sends the letter, unless the invite was used or revoked meanwhile. */
  @Handles(MailInvite)
  async send({ inviteId, email, name, actorId }: InviteLetter): Promise<Outcome> {
    const invite = await this.invites.find({ id: inviteId });
    const actor = actorId === null ? null : await this.accounts.byId(actorId);
    if (!invite || invite.endedAt || actor === undefined) return skip('The invite has ended');
    const t = this.pages.translatorFor(null);
    const { name: server } = this.pages.site;
    const letter = this.pages.letter(t, {
      subject: t.text('mail.invite.subject', { server }),
      paragraphs: [
        name === '' ? t.text('mail.invite.hello') : t.text('mail.invite.hello-name', { name }),
        actor === null
          ? t.text('mail.invite.server', { server })
          : t.text('mail.invite.text', { host: `@${actor.nickname}`, server }),
        t.text('mail.invite.stranger'),
      ],
      action: { label: t.text('sign-up.title'), url: this.listed(invite).url },
    });
    return this.mailer.deliver({ to: email, ...letter });
  }

  /** What invites are good for by the settings: people sign up with one, nobody does, or nobody needs one. */
  get role(): InviteRole {
    if (this.settings.get('instance.registrations_open')) return 'unneeded';
    return this.settings.get('instance.invites_enabled') ? 'needed' : 'off';
  }

  /** Whether an invite is valid; does not use it. */
  isValid(token: string): Promise<boolean> {
    return this.invites.isValid(hashToken(token));
  }

  /** Uses an invite in the unit of work that creates the account; false when it is not valid any more. */
  use(token: string): Promise<boolean> {
    return this.invites.use(hashToken(token));
  }

  /** Removes invites that ended long ago. */
  @Recurs({ job: 'oauth.purge-invites', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.invites.purge();
  }

  private insert(limits: InviteLimits): Promise<Invite> {
    const token = newToken();
    const tokenHash = hashToken(token);
    return this.invites.insert({
      ...limits,
      tokenHash,
      tokenSealed: sealSecret(this.secretKey, token, contextOf(tokenHash)),
    });
  }

  private listed({ id, tokenHash, tokenSealed, maxUse, expiresAt, uses, endedAt }: Invite): ListedInvite {
    const token = openSecret(this.secretKey, tokenSealed, contextOf(tokenHash)).toString();
    const url = `${this.pages.site.url}/registration/${token}`;
    return { id, token, url, maxUse, expiresAt, type: typeOf({ maxUse, expiresAt }), uses, used: Boolean(endedAt) };
  }

  private mailProblem(email: string): Reason | undefined {
    const option = (name: string, value: boolean) =>
      phrase('To send invites you need to set the `{name}` option to {value}.', { name, value: String(value) });
    if (!this.settings.get('instance.invites_enabled')) return option('invites_enabled', true);
    if (this.settings.get('instance.registrations_open')) return option('registrations_open', false);
    if (!this.mailer.isOn) return 'To send invites you need to set up a mail server (SMTP_URL).';
    try {
      requireEmail(email);
      return undefined;
    } catch (error) {
      if (error instanceof UserRefused) return error.reason;
      throw error;
    }
  }
}

function typeOf({ maxUse, expiresAt }: InviteLimits): InviteType {
  if (maxUse === null) return expiresAt === null ? 'one_time' : 'date_limited';
  return expiresAt === null ? 'reusable' : 'reusable_date_limited';
}

function requireFutureDay(day: string | null): void {
  if (day === null) return;
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !momentOf(day))
    throw new Invalid('expires_at must be a day such as 2030-12-31');
  if (day < new Date().toISOString().slice(0, 10)) throw new Invalid('expires_at lies in the past');
}

function contextOf(tokenHash: Buffer): string {
  return `invite:${tokenHash.toString('base64url')}`;
}
