import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { cleanText, isBlank, type ProfileTexts, TextWorkers } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Events, FlakeIds, UnitOfWork } from '../../platform/index.js';
import { type Account, MAX_ALIASES } from '../model/account.entities.js';
import { AccountRepository } from '../model/account.repository.js';
import {
  AccountActivated,
  AccountCreated,
  AccountDeactivated,
  AccountUpdated,
  BYLINE,
} from '../model/accounts.events.js';
import { type AccountRow, mayReturn } from '../model/account.rows.js';
import type { CleanProfile, HiddenParts, RemoteCounts, RemoteProfile, StoredProfile } from './remote-account.js';
import { RemoteAccountRepository, type RemoteColumns } from './remote-account.repository.js';

/** What has been known for so long gives way to any copy: the clock or the data of a server may have been set back. */
const KNOWN_MS = 24 * 3_600_000;

/**
 * The least time between two handles of an account: each new handle of one that posts mention makes all servers read anew
 * what they have in memory (docs/adr/0025).
 */
const RENAMING_MS = 3_600_000;

/** Limits of remote texts, in characters. */
const LONGEST = { name: 500, bio: 20_000, field: 2_000, description: 1_500 };

/** What an account says of the collections that it hides. */
const HIDDEN_PARTS = ['hideFollowers', 'hideFollows', 'hideFollowersCount', 'hideFollowsCount'] as const;

type Handle = Pick<Account, 'nickname' | 'domain'>;

/** The handle of an account: since when, if it is new, or when it can get the one that it claims. */
type GivenHandle = Handle & {
  readonly renamedAt?: Date;
  readonly renamesAt?: Date;
};

/** What was written: the account, and when it gets its handle if that came too early. */
interface Written {
  readonly id: string;
  readonly renamesAt?: Date | undefined;
}

/** Stores the accounts of other servers. */
@Injectable()
export class RemoteAccountsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly ids: FlakeIds,
    private readonly events: Events,
    private readonly settings: Settings,
    private readonly accounts: AccountRepository,
    private readonly remote: RemoteAccountRepository,
    private readonly texts: TextWorkers,
  ) {}

  /**
   * Stores an account, or brings the stored one up to date, and hides it as long as its own server does. Accounts that were
   * deleted stay so unless they {@link mayReturn}, and a profile that is older than what is known changes nothing. A handle
   * that follows another one within the hour waits: the caller has to store the profile again at `renamesAt`. Inside a unit that runs again when its actor id or its handle is stored at this moment (`findsTaken`).
   */
  async store(profile: CleanProfile): Promise<StoredProfile> {
    return this.uow.run(async () => {
      const stored = await this.remote.lock({ apId: profile.apId });
      const isOlder = stored !== null && isOlderThan(stored, profile);
      const isDeleted = stored?.deletedAt != null && !mayReturn(stored);
      const written = stored && (isOlder || isDeleted) ? { id: stored.id } : await this.write(profile, stored);
      const account = await this.accounts.byId(written.id);
      if (!account) throw new Error('The stored account is gone');
      return { account, isOlder, renamesAt: written.renamesAt };
    });
  }

  private async write(profile: CleanProfile, stored: Account | null): Promise<Written> {
    const id = stored?.id ?? this.ids.at((profile.publishedAt ?? new Date()).getTime());
    const { renamesAt, ...handle } = await this.handleFor(profile, id, stored);
    const columns = { ...this.columnsOf(profile), ...handle };
    if (stored?.deletedAt) await this.accounts.restore(id);
    if (stored) await this.update(stored, { ...columns, ...shownMoveOf(profile, stored) });
    else await this.insert(id, profile, columns);
    await this.suspend(id, profile, stored);
    return { id, renamesAt };
  }

  /** Replaces counters of an account by those of its server. */
  async recount(accountId: string, { statuses, followers, following }: RemoteCounts): Promise<void> {
    const counts = { statusesCount: statuses, followersCount: followers, followingCount: following };
    const countsFetchedAt = statuses === undefined ? undefined : new Date();
    const given = Object.fromEntries(
      Object.entries({ ...counts, countsFetchedAt }).filter(([, value]) => value !== undefined),
    );
    if (Object.keys(given).length > 0) await this.remote.setCounts(accountId, given);
  }

  /** Stores which of its collections an account hides, as its server shows them; what is undefined stays. */
  async updateHidden(account: AccountRow, parts: HiddenParts): Promise<void> {
    const changes: RemoteColumns = {};
    for (const part of HIDDEN_PARTS) {
      const isHidden = parts[part];
      if (isHidden !== undefined && isHidden !== account[part]) changes[part] = isHidden;
    }
    if (account.domain === null || Object.keys(changes).length === 0) return;
    await this.uow.run(async () => {
      if (await this.accounts.update(account.id, changes)) this.events.emit(new AccountUpdated(account.id, false));
    });
  }

  private async insert(id: string, { publishedAt }: RemoteProfile, columns: RemoteColumns): Promise<void> {
    await this.remote.insert({ ...columns, id, ...(publishedAt ? { createdAt: publishedAt } : {}) });
    this.events.emit(new AccountCreated(id, false));
  }

  private async update(stored: Account, columns: RemoteColumns): Promise<void> {
    await this.accounts.update(stored.id, columns);
    const changesByline = BYLINE.some((part) => !isDeepStrictEqual(columns[part], stored[part]));
    this.events.emit(new AccountUpdated(stored.id, false, changesByline));
  }

  /**
   * A handle belongs to the actor whom WebFinger names: whoever else has it loses it. An actor that it does not name renames
   * nobody: it keeps the handle it has, gets the one it claims if that is free, or else one of its own (threat F26).
   */
  private async handleFor(
    { apId, nickname, domain, handleOwner }: CleanProfile,
    id: string,
    stored: Account | null,
  ): Promise<GivenHandle> {
    const holder = await this.accounts.byHandle({ username: nickname, domain });
    if (handleOwner === 'it' || holder?.apId === apId) return this.rename(id, stored, { nickname, domain }, holder);
    if (stored) return { nickname: stored.nickname, domain: stored.domain };
    return { nickname: holder || handleOwner === 'another' ? `${nickname}.${id}` : nickname, domain };
  }

  /**
   * The handle of an account, which another `holder` loses. Neither of them changes its handle twice within the hour: until then
   * the account keeps the one it has, or gets one of its own.
   */
  private async rename(
    id: string,
    stored: Account | null,
    handle: Handle,
    holder: AccountRow | undefined,
  ): Promise<GivenHandle> {
    const other = holder?.id === stored?.id ? undefined : holder;
    const renamed = stored && hasOther(stored, handle) ? stored : null;
    const renamesAt = earliestRenaming(renamed) ?? (other && (await this.freeHandle(other.id)));
    if (!renamesAt) return { ...handle, ...((renamed ?? other) && { renamedAt: new Date() }) };
    const { nickname, domain } = stored ?? { ...handle, nickname: `${handle.nickname}.${id}` };
    return { nickname, domain, renamesAt };
  }

  /** Gives an account a handle that no other has; returns when that is possible if it got its own one within the hour. */
  private async freeHandle(holderId: string): Promise<Date | undefined> {
    const renamesAt = earliestRenaming(await this.remote.lock({ id: holderId }));
    if (renamesAt) return renamesAt;
    await this.accounts.yieldHandle(holderId);
    this.events.emit(new AccountUpdated(holderId, false, true));
    return undefined;
  }

  /** Hides an account that its server suspends, until its server lifts that. What moderators of this server did stays. */
  private async suspend(id: string, { suspended }: CleanProfile, stored: Account | null): Promise<void> {
    const isHidden = stored?.deactivatedAt != null;
    if (suspended ? isHidden : stored?.suspendedByServer !== true) return;
    if (!(await this.accounts.setDeactivated(id, suspended, { byServer: true }))) return;
    const Event = suspended ? AccountDeactivated : AccountActivated;
    this.events.emit(new Event(id, false));
  }

  /** Sanitises the texts of a profile. Not inside a unit of work: it may wait for other texts. */
  async clean(profile: RemoteProfile): Promise<CleanProfile> {
    return { ...profile, ...(await this.textsOf(profile)), isClean: true };
  }

  private textsOf({ displayName, note, fields }: RemoteProfile): Promise<ProfileTexts> {
    const mostFields = this.settings.get('instance.max_remote_account_fields');
    return this.texts.run('profile', {
      displayName: cleanText(displayName, { maxLength: 8 * LONGEST.name }),
      note: cleanText(note, { maxLength: LONGEST.bio }),
      fields: fields.slice(0, mostFields).map((field) => ({
        name: cleanText(field.name, { maxLength: 2 * LONGEST.field }),
        value: cleanText(field.value, { maxLength: LONGEST.field }),
      })),
    });
  }

  private columnsOf(profile: CleanProfile): RemoteColumns {
    const name = isBlank(profile.displayName) ? '' : cleanText(profile.displayName.trim(), { maxLength: LONGEST.name });
    const { avatar, header } = profile;
    return {
      apId: profile.apId,
      url: profile.url,
      inboxUrl: profile.inboxUrl,
      sharedInboxUrl: profile.sharedInboxUrl,
      outboxUrl: profile.outboxUrl,
      followersUrl: profile.followersUrl,
      followingUrl: profile.followingUrl,
      featuredUrl: profile.featuredUrl,
      actorType: profile.actorType,
      locked: profile.locked,
      memorial: profile.memorial,
      invisible: profile.invisible,
      discoverable: profile.discoverable,
      indexable: profile.indexable,
      attributionDomains: [...profile.attributionDomains],
      acceptsChatMessages: profile.acceptsChatMessages,
      birthday: profile.birthday,
      displayName: name,
      noteHtml: profile.note,
      fields: profile.fields.map(({ name, value }) => ({ name: cleanText(name, { maxLength: LONGEST.field }), value })),
      emojis: [...profile.emojis],
      avatarUrl: avatar?.url ?? null,
      avatarDescription: cleanText(avatar?.description ?? '', { maxLength: LONGEST.description }),
      headerUrl: header?.url ?? null,
      headerDescription: cleanText(header?.description ?? '', { maxLength: LONGEST.description }),
      alsoKnownAs: profile.alsoKnownAs.slice(0, MAX_ALIASES),
      showBirthday: profile.birthday !== null,
      refreshedAt: new Date(),
      describedAt: profile.describedAt,
    };
  }
}

function hasOther(account: Handle, { nickname, domain }: Handle): boolean {
  return account.nickname !== nickname || account.domain !== domain;
}

/** When an account may get another handle; undefined for now. */
function earliestRenaming(account: Pick<Account, 'renamedAt'> | null): Date | undefined {
  const earliest = (account?.renamedAt?.getTime() ?? 0) + RENAMING_MS;
  return earliest > Date.now() ? new Date(earliest) : undefined;
}

/** Ends a move that was only shown when the profile names none any more; a Move stays. */
function shownMoveOf({ movedTo }: CleanProfile, { movedAt }: Account): RemoteColumns {
  return movedTo === null && movedAt === null ? { movedToId: null } : {};
}

function isOlderThan({ describedAt: known, refreshedAt, deletedAt }: Account, { describedAt }: RemoteProfile): boolean {
  const isOlder = known !== null && (describedAt === null || describedAt < known);
  const isReturn = deletedAt !== null && describedAt === null; // nobody asks for a deleted account before it may return
  return isOlder && !isReturn && Date.now() - refreshedAt.getTime() < KNOWN_MS;
}
