import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AccountNames,
  inOrder,
  keyBy,
  localDomains,
  NotFound,
  RateLimitTargets,
  Unauthorized,
  unique,
} from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { ENV, type Env, isFlakeId, knownUrl, parseUrl, type ReadCache, ReadCaches } from '../../platform/index.js';
import { AccountRepository } from '../model/account.repository.js';
import { type AccountCounts, type AccountRow, isActive, mayReturn } from '../model/account.rows.js';
import { BirthdayRepository, type DayOfYear } from './birthday.repository.js';
import { MentionResolver } from './mention-resolver.js';
import { acctOf, type Handle, parseHandle } from '../model/nickname.js';
import { NEW_NAMES } from '../model/subjects.js';
import { RemoteAccounts, type ResolveOptions } from './remote-accounts.port.js';

/** Paths of a profile's page and of an actor. */
const PAGE = /^\/(?:@|users\/)([^/]+)\/?$/;

/** Accounts that one text may make us fetch, and the time for it. */
const MOST_FETCHED = 10;
const FETCH_MS = 5_000;

const CACHE_BYTES = 2 * 1024 * 1024;
/** An account's row in memory, roughly, without its texts. */
const ROW_BYTES = 2_000;

/** Finds accounts. */
@Injectable()
export class AccountsService implements AccountNames, OnModuleInit {
  private readonly ownDomains: readonly string[];
  private readonly ownOrigin: string;
  /** Accounts by id, handle (`@`) or address; without a row when no account has it, as for signing actors of servers. */
  private readonly rows: ReadCache<{ readonly row: AccountRow | undefined }>;

  constructor(
    @Inject(ENV) env: Env,
    private readonly accounts: AccountRepository,
    private readonly remote: RemoteAccounts,
    private readonly birthdayRows: BirthdayRepository,
    private readonly anonymous: AnonymousAccess,
    private readonly targets: RateLimitTargets,
    caches: ReadCaches,
  ) {
    this.rows = caches.create('account_rows', CACHE_BYTES, ({ row }) =>
      row ? ROW_BYTES + 2 * (row.noteHtml.length + row.noteSource.length) : 0,
    );
    this.ownDomains = localDomains(env);
    this.ownOrigin = knownUrl(env.baseUrl).origin;
  }

  onModuleInit(): void {
    this.targets.use(this);
  }

  async idOf(idOrNickname: string): Promise<string | undefined> {
    return (await this.named(idOrNickname))?.id;
  }

  /** Any account, hidden ones included. */
  byId(id: string): Promise<AccountRow | undefined> {
    return this.accounts.byId(id);
  }

  /** In no order, hidden ones included; unknown ids are left out. */
  byIds(ids: readonly string[]): Promise<AccountRow[]> {
    return this.accounts.byIds(ids);
  }

  /**
   * The account that a path names by its id or else by `nickname[@domain]` (spec §1.5). Admins also get hidden
   * accounts.
   * @throws NotFound for unknown and hidden accounts, Unauthorized where profiles are for members only
   */
  async visible(idOrNickname: string, viewerId?: string, { seesAll = false } = {}): Promise<AccountRow> {
    const row = await this.named(idOrNickname);
    if (!row || row.deletedAt !== null || !(seesAll || isActive(row) || row.id === viewerId))
      throw new NotFound("Can't find user");
    if (!seesAll) this.requireOpen(row, viewerId);
    return row;
  }

  /** Like {@link visible}, for a part of an account: a hidden account has none. Throws NotFound, Unauthorized. */
  async owner(idOrNickname: string, viewerId?: string): Promise<AccountRow> {
    const row = await this.named(idOrNickname);
    if (!row || !(isActive(row) || row.id === viewerId)) throw new NotFound();
    this.requireOpen(row, viewerId);
    return row;
  }

  /** The active accounts among the ids, in their order; for visitors without profiles that are for members only. */
  async listed(ids: readonly string[], viewerId = ''): Promise<AccountRow[]> {
    const listed = this.anonymous.listedProfiles(viewerId);
    const rows = keyBy(await this.accounts.byIds(ids), ({ id }) => id);
    return inOrder(unique(ids), rows).filter(
      (row) => isActive(row) && (row.domain === null ? listed.here : listed.elsewhere),
    );
  }

  /**
   * The visible account with a handle, `nickname[@domain]`; see {@link visible}. For a signed-in viewer another server is
   * asked for an unknown one, and for one that may return: not inside a unit of work. Throws NotFound, Unauthorized.
   */
  async lookUp(handle: string, viewerId?: string, { seesAll = false } = {}): Promise<AccountRow> {
    const stored = await this.byText(handle);
    const isWanted = viewerId !== undefined && (!stored || mayReturn(stored));
    const row = isWanted ? await this.remote.resolve(handle) : stored;
    if (!row || row.deletedAt !== null || !(seesAll || isActive(row))) throw new NotFound();
    if (!seesAll) this.requireOpen(row, viewerId);
    return row;
  }

  /**
   * The local or remote account with a handle or an address; it may be fetched. Not inside a unit of work.
   * @throws NotFound for unknown and hidden accounts; Unavailable as {@link RemoteAccounts.resolve}
   */
  async resolve(handleOrUri: string, options?: ResolveOptions): Promise<AccountRow> {
    const row = await this.remote.resolve(handleOrUri, options);
    if (!row || !isActive(row)) throw new NotFound();
    return row;
  }

  /** The stored account with a handle or an address, hidden ones included. */
  stored(handleOrUri: string): Promise<AccountRow | undefined> {
    const isAddress = /^https?:\/\//i.test(handleOrUri);
    const name = isAddress ? this.nameAt(handleOrUri) : handleOrUri.replace(/^acct:/i, '');
    if (name !== undefined) return this.byText(name);
    return this.cached(handleOrUri, () => this.accounts.byUri(handleOrUri));
  }

  /** The active accounts among the handles; without a domain, or with ours, they are local. */
  async known(handles: readonly Handle[]): Promise<MentionResolver> {
    const wanted = handles.map((handle) => this.normalised(handle));
    const rows = wanted.length === 0 ? [] : await this.accounts.byHandles(wanted);
    return new MentionResolver(rows, this.ownDomains);
  }

  /**
   * Fetches the remote accounts among the handles that are not stored yet, for a few seconds at most. Whatever cannot be
   * fetched stays unknown. Not inside a unit of work.
   */
  async fetchUnknown(handles: readonly Handle[]): Promise<void> {
    const remote = handles.filter((handle) => this.normalised(handle).domain !== undefined);
    if (remote.length === 0) return;
    const known = await this.known(remote);
    const unknown = remote.filter((handle) => !known.mention(handle)).slice(0, MOST_FETCHED);
    const fetching = unknown.map(({ username, domain }) => this.remote.resolve(`${username}@${domain ?? ''}`));
    const timeout = AbortSignal.timeout(FETCH_MS);
    const late = new Promise((resolve) => timeout.addEventListener('abort', resolve, { once: true }));
    if (fetching.length > 0) await Promise.race([Promise.allSettled(fetching), late]);
  }

  /** The handles of accounts by actor id; unknown ids are left out. */
  async handlesByUri(uris: readonly string[]): Promise<Map<string, string>> {
    const rows = uris.length === 0 ? [] : await this.accounts.namesByUris(uris);
    return new Map(rows.map(({ apId, nickname, domain }) => [apId, acctOf(nickname, domain)]));
  }

  /** The active accounts with these actor ids, local or remote, in no order. */
  byUris(uris: readonly string[]): Promise<AccountRow[]> {
    return uris.length === 0 ? Promise.resolve([]) : this.accounts.byUris(uris);
  }

  /** A local account, hidden ones included. */
  byNickname(nickname: string): Promise<AccountRow | undefined> {
    return this.byHandle({ username: nickname });
  }

  /** Accounts the viewer follows and has not muted that show their birthday on that day. */
  birthdays(viewerId: string, day: DayOfYear): Promise<AccountCounts[]> {
    return this.birthdayRows.followedOn(viewerId, day);
  }

  private async named(idOrNickname: string): Promise<AccountRow | undefined> {
    const byId = isFlakeId(idOrNickname)
      ? await this.cached(idOrNickname, () => this.accounts.byId(idOrNickname))
      : undefined;
    return byId ?? this.byText(idOrNickname);
  }

  private async byText(text: string): Promise<AccountRow | undefined> {
    const handle = parseHandle(text, this.ownDomains);
    return handle && this.byHandle(handle);
  }

  private byHandle(handle: Handle): Promise<AccountRow | undefined> {
    const key = acctOf(handle.username, handle.domain ?? null).toLowerCase();
    return this.cached(`@${key}`, () => this.accounts.byHandle(handle));
  }

  private async cached(key: string, read: () => Promise<AccountRow | undefined>): Promise<AccountRow | undefined> {
    const { row } = await this.rows.find(key, async () => {
      const found = await read();
      return { value: { row: found }, subjects: [found?.id ?? NEW_NAMES] };
    });
    return row;
  }

  private normalised({ username, domain }: Handle): Handle {
    return domain === undefined || this.ownDomains.includes(domain) ? { username } : { username, domain };
  }

  /** The path segment that names the account of a profile address on this server; undefined for any other address. */
  private nameAt(address: string): string | undefined {
    const url = parseUrl(address);
    return url?.origin === this.ownOrigin ? PAGE.exec(url.pathname)?.[1] : undefined;
  }

  private requireOpen({ domain }: AccountRow, viewerId: string | undefined): void {
    if (viewerId !== undefined || !this.anonymous.refusesProfile(domain === null)) return;
    throw new Unauthorized('This API requires an authenticated user');
  }
}
