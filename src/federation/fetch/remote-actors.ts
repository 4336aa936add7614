import { Inject, Injectable } from '@nestjs/common';
import {
  type AccountRow,
  AccountsService,
  mayReturn,
  parseHandle,
  RemoteAccountsService,
  type RemoteProfile,
  type ResolveOptions,
} from '../../accounts/index.js';
import { localDomains } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import {
  Asker,
  backoffMs,
  ENV,
  type Env,
  ignoreUnreachable,
  job,
  Jobs,
  OutboundError,
  UnitOfWork,
} from '../../platform/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { keyOwnerOf, RemoteKeys } from '../signatures/remote-keys.js';
import { parseActor, type RemoteActor, type RemoteKey } from '../wire/remote-actor.js';
import { hostOf, sameHost } from '../wire/uris.js';
import { documentOf, textOf, withinClocks } from '../wire/values.js';
import { DocumentFetcher } from './document-fetcher.js';
import { type FoundActor, type RemoteHandle, WebFingerClient } from './webfinger-client.js';

/** Fetches an account again. `misses`: how often in a row WebFinger could not be asked for its handle, which is asked for now. */
export const RefreshActor = job<{ uri: string; misses?: number }>('federation.refresh-actor', 'ask');
/** Then the handle stays that of the host of the actor. */
const MOST_MISSES = 12;

/** The move of an account, which the new account has to confirm. */
export interface ClaimedMove {
  readonly accountId: string;
  readonly targetUri: string;
  /** Whether followers follow the new account: after a Move. Otherwise the move is only shown. */
  readonly takesFollowers: boolean;
  /** How often the new account was asked. */
  readonly tries: number;
}

/** Asks the new account of an account that moved. */
export const ConfirmMove = job<ClaimedMove>('federation.confirm-move', 'ask');

/** One job for each try: the key of a running one would run it once more. The newest claim replaces an earlier one. */
export const confirmKey = ({ accountId, takesFollowers, tries }: ClaimedMove): string =>
  `${takesFollowers ? 'move' : 'moved-to'}:${accountId}:${tries}`;

const STALE_MS = 24 * 3_600_000;

interface ActorOptions extends ResolveOptions {
  readonly isTarget?: boolean;
  /** Whether a deleted account that may return is fetched. */
  readonly returns?: boolean;
}

interface RefreshOptions {
  /** The actor, if it was fetched just now. */
  readonly fetched?: RemoteActor | undefined;
  /** The actor as its own signed Update describes it: that counts, as its server may serve an older copy. */
  readonly updated?: RemoteActor | undefined;
  /** Whether a request that runs already began too early. */
  readonly anew?: boolean;
  /** Whether it was asked for because another moved there: where it moved itself is not asked for, and so on (threat S10). */
  readonly isTarget?: boolean | undefined;
  /** How often WebFinger could not be asked. Its answer is not asked for again where this is not known. */
  readonly misses?: number | undefined;
}

interface Described {
  readonly actor: RemoteActor;
  readonly describedAt: Date | null;
}

type ClaimedHandle = Pick<RemoteProfile, 'domain' | 'handleOwner'> & {
  /** Whether WebFinger could not be asked just now. */
  readonly isMissed?: boolean;
};

/** Finds and fetches accounts of other servers. */
@Injectable()
export class RemoteActors {
  private readonly running = new Map<string, Promise<AccountRow | 'gone' | undefined>>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly asker: Asker,
    private readonly accounts: AccountsService,
    private readonly store: RemoteAccountsService,
    private readonly keys: RemoteKeys,
    private readonly fetcher: DocumentFetcher,
    private readonly webfinger: WebFingerClient,
    private readonly policies: PoliciesService,
  ) {}

  /**
   * The account with a handle or an address, local ones included: the stored one, else it is fetched. A stored one that is
   * older than a day is refreshed by a job; `fresh` fetches it at once, and so is one fetched that may return, unless `returns`
   * is false. Undefined when there is none, and when its server cannot be reached. Not inside a unit of work.
   */
  async resolve(handleOrUri: string, options: ActorOptions = {}): Promise<AccountRow | undefined> {
    const stored = await this.accounts.stored(handleOrUri);
    if (stored && !isFetched(stored, options)) {
      await this.refreshStale(stored);
      return stored;
    }
    const uri = stored?.apId ?? (await this.addressOf(handleOrUri));
    if (uri === undefined) return undefined;
    const { fresh, isTarget } = options;
    const found = fresh ? { anew: true, isTarget } : { fetched: this.keys.consumeOwner(uri) };
    const account = await this.refresh(uri, found).catch(ignoreUnreachable);
    const deleted = fresh ? undefined : stored;
    if (account === 'gone') return deleted;
    return account ?? (deleted ? undefined : stored); // undefined: it may have returned
  }

  /**
   * Like {@link resolve}, for what a person has: an unknown address may be that of its page, or the one it had before
   * ({@link DocumentFetcher.find}).
   */
  lookUp(handleOrUri: string): Promise<AccountRow | undefined> {
    return this.asker.bounded(async () => {
      const isKnown = !isAddress(handleOrUri) || (await this.accounts.stored(handleOrUri)) !== undefined;
      if (isKnown) return this.resolve(handleOrUri);
      const found = await this.fetcher.find(handleOrUri).catch(ignoreUnreachable);
      const fetched = typeof found === 'object' ? parseActor(found.document) : undefined;
      const account = fetched && (await this.refresh(fetched.uri, { fetched }).catch(ignoreUnreachable));
      return account === 'gone' ? undefined : account;
    });
  }

  /**
   * Fetches an account and stores it with its keys; several callers share one request. A copy that is older than what is
   * known changes nothing.
   * @returns 'gone' when its server says that there is none, undefined when there is no actor at the address, or when one
   * of the names of its server is blocked
   * @throws OutboundError when another try may succeed
   */
  refresh(uri: string, options: RefreshOptions = {}): Promise<AccountRow | 'gone' | undefined> {
    this.asker.requireMayWait();
    const running = this.running.get(uri);
    if (running && !options.updated && !options.anew && options.misses === undefined) return running;
    const fetching = this.uow.outside(() => this.fetch(uri, options)).finally(() => this.running.delete(uri));
    this.running.set(uri, fetching);
    return fetching;
  }

  private async fetch(uri: string, options: RefreshOptions): Promise<AccountRow | 'gone' | undefined> {
    const found = await this.describe(uri, options);
    if (found === 'gone' || found === undefined) return found;
    const { actor, describedAt } = found;
    const { misses } = options;
    const handle = await this.handleOf(actor, misses !== undefined);
    if (this.policies.rememberIfBlocked(uri, handle.domain)) return undefined;
    const keys = await this.keysOf(actor);
    const described = profileOf(this.policies.profile(actor, handle.domain), handle, describedAt);
    const profile = await this.store.clean(described);
    const storing = async () => {
      const { account, isOlder, renamesAt } = await this.store.store(profile);
      if (renamesAt) this.planRenaming(uri, renamesAt);
      if (handle.isMissed) this.planHandle(uri, misses);
      if (!isOlder) await this.keys.store(keyOwnerOf(actor), keys);
      if (!isOlder && !options.isTarget) await this.showMove(account, actor);
      return account;
    };
    return this.uow.run(storing, { findsTaken: true });
  }

  /** Once for an actor, also where the running job plans the next one: a known key would be due again at once. */
  private planRenaming(uri: string, runAt: Date): void {
    const key = `rename:${uri}`;
    this.jobs.cancel(key);
    this.jobs.enqueue(RefreshActor, { uri }, { key, runAt });
  }

  /** Lets the handle be asked for again that WebFinger did not tell: a later refresh would hold the one that is stored. */
  private planHandle(uri: string, misses = 0): void {
    if (misses >= MOST_MISSES) return;
    const runAt = new Date(Date.now() + backoffMs(misses + 1));
    this.jobs.enqueue(RefreshActor, { uri, misses: misses + 1 }, { key: `handle:${misses}:${uri}`, runAt });
  }

  /** Lets the move be shown that a profile names. */
  private async showMove({ id: accountId, movedToId: knownId }: AccountRow, { movedTo }: RemoteActor): Promise<void> {
    if (movedTo === null) return;
    const [target] = await this.accounts.byUris([movedTo]);
    if (target && target.id === knownId) return;
    const claim = { accountId, targetUri: movedTo, takesFollowers: false, tries: 0 };
    this.jobs.enqueue(ConfirmMove, claim, { key: confirmKey(claim), replaces: true });
  }

  /** The actor as it is known now, and since when. */
  private async describe(uri: string, { fetched, updated }: RefreshOptions): Promise<Described | 'gone' | undefined> {
    const begunAt = new Date();
    const dated = fetched ? undefined : await this.fetcher.fetchDated(uri);
    if (dated === 'gone') return 'gone';
    const served = fetched ?? parseActor(dated?.document);
    if (!served) return undefined;
    if (!updated) return { actor: served, describedAt: this.statedTime(served) ?? dated?.asOf ?? null };
    return { actor: { ...updated, ...servedPartsOf(served) }, describedAt: this.statedTime(updated) ?? begunAt };
  }

  private statedTime({ updatedAt }: RemoteActor): Date | null {
    return updatedAt && withinClocks(updatedAt, this.settings.get('activitypub.signature_window').future);
  }

  /** The address of the actor with a handle; an address as it is. */
  private async addressOf(handleOrUri: string): Promise<string | undefined> {
    if (isAddress(handleOrUri)) return handleOrUri;
    const handle = parseHandle(handleOrUri.replace(/^acct:/i, ''), localDomains(this.env));
    if (handle?.domain === undefined || this.policies.isClosedTo(`https://${handle.domain}`)) return undefined;
    const found = await this.webfinger
      .resolve({ username: handle.username, domain: handle.domain })
      .catch(ignoreUnreachable);
    return found?.actorUri;
  }

  /**
   * The handle that an actor claims, and whom WebFinger names for it (threat F26). Its domain is the one that its server
   * names as the subject, when that domain points back to the actor; else the host of the actor. A blocked domain is not
   * asked: the claim is enough to refuse it.
   */
  private async handleOf({ uri, username }: RemoteActor, isAsked: boolean): Promise<ClaimedHandle> {
    const host = hostOf(uri) ?? '';
    const stored = await this.accounts.stored(uri);
    if (!isAsked && stored?.domain && stored.nickname === username)
      return { domain: stored.domain, handleOwner: 'unknown' };
    const { found, isMissed } = await this.finger({ username, domain: host });
    if (found?.actorUri !== uri) return { domain: host, handleOwner: found ? 'another' : 'unknown', isMissed };
    const { domain } = found.subject;
    if (domain === host || this.policies.rememberIfBlocked(uri, domain)) return { domain, handleOwner: 'it' };
    return { ...(await this.confirmed({ username, domain }, uri)), handleOwner: 'it' };
  }

  /** The domain of a handle when it points back to the actor, else the host of the actor. */
  private async confirmed(handle: RemoteHandle, uri: string): Promise<Pick<ClaimedHandle, 'domain' | 'isMissed'>> {
    const { found, isMissed } = await this.finger(handle);
    return { domain: found?.actorUri === uri ? handle.domain : (hostOf(uri) ?? ''), isMissed };
  }

  private async finger(handle: RemoteHandle): Promise<{ found?: FoundActor | undefined; isMissed: boolean }> {
    try {
      return { found: await this.webfinger.resolve(handle), isMissed: false };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { isMissed: error.isPassing || !error.wasAsked };
    }
  }

  /** Keys in documents of their own are fetched. */
  private async keysOf({ uri, keys }: RemoteActor): Promise<{ keyId: string; pem: string }[]> {
    const found = await Promise.all(keys.map((key) => this.keyOf(key, uri)));
    return found.flatMap((key) => key ?? []);
  }

  private async keyOf({ id, pem }: RemoteKey, actorUri: string) {
    if (pem !== null) return { keyId: id, pem };
    const document = documentOf(await this.fetcher.fetch(id).catch(ignoreUnreachable));
    const text = textOf(document?.['publicKeyPem']);
    return text !== undefined && document?.['owner'] === actorUri ? { keyId: id, pem: text } : undefined;
  }

  private async refreshStale(account: AccountRow): Promise<void> {
    const { domain, apId: uri, refreshedAt, deletedAt } = account;
    if (domain === null || deletedAt !== null || sameHost(uri, this.env.baseUrl)) return;
    if (Date.now() - new Date(refreshedAt).getTime() < STALE_MS || this.policies.isAccountBlocked(account)) return;
    await this.uow.run(() => {
      this.jobs.enqueue(RefreshActor, { uri }, { key: `refresh-actor:${uri}` });
    });
  }
}

/** The parts of an actor that are believed only as its server serves them: its handle, keys and addresses. */
function servedPartsOf(actor: RemoteActor): Partial<RemoteActor> {
  const { uri, username, keys, inboxUrl, sharedInboxUrl, outboxUrl, followersUrl, followingUrl, featuredUrl } = actor;
  return { uri, username, keys, inboxUrl, sharedInboxUrl, outboxUrl, followersUrl, followingUrl, featuredUrl };
}

/** Whether a stored account is fetched before it is used. */
function isFetched(account: AccountRow, { fresh = false, returns = true }: ActorOptions): boolean {
  return account.domain !== null && (fresh || (returns && mayReturn(account)));
}

function isAddress(handleOrUri: string): boolean {
  return /^https?:\/\//i.test(handleOrUri);
}

function profileOf(actor: RemoteActor, handle: ClaimedHandle, describedAt: Date | null): RemoteProfile {
  return {
    ...actor,
    ...handle,
    describedAt,
    apId: actor.uri,
    nickname: actor.username,
    actorType: actor.type,
    displayName: actor.name,
    note: actor.summaryHtml,
  };
}
