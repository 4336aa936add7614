import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { ENV, type Env, isFlakeId, sameSecret, SECRET_KEY } from '../../platform/index.js';

/** Mails that their reader may stop. Letters about the security of an account are always sent. */
const KINDS = ['report', 'sign-up'] as const;
export type MutableMail = (typeof KINDS)[number];

interface Subscription {
  readonly accountId: string;
  readonly kind: MutableMail;
}

/** Links in mails by which their reader stops them, signed and without an end (RFC 8058). */
@Injectable()
export class UnsubscribeService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly users: UsersService,
  ) {}

  /** The address that stops a kind of mails to an account. */
  urlFor(accountId: string, kind: MutableMail): string {
    return `${this.env.baseUrl}/mailer/unsubscribe/${this.tokenOf({ accountId, kind })}`;
  }

  /** The mails that a token is about; undefined for a token that this server did not sign. */
  read(token: string): Subscription | undefined {
    const [accountId = '', name] = token.split('.');
    const kind = KINDS.find((known) => known === name);
    if (!kind || !isFlakeId(accountId)) return undefined;
    return sameSecret(token, this.tokenOf({ accountId, kind })) ? { accountId, kind } : undefined;
  }

  /** Stops the mails, or has them sent again. Does nothing when the account is gone. */
  async set({ accountId, kind }: Subscription, isMuted: boolean): Promise<void> {
    await this.users.muteMails(accountId, kind, isMuted);
  }

  private tokenOf({ accountId, kind }: Subscription): string {
    const signed = `${accountId}.${kind}`;
    return `${signed}.${createHmac('sha256', this.secretKey).update(`unsubscribe ${signed}`).digest('base64url')}`;
  }
}
