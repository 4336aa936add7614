import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AccountResolver,
  type AccountRow,
  AccountsService,
  RemoteAccounts,
  RemoteAccountsService,
  type ResolveOptions,
} from '../../accounts/index.js';
import { ignoreRefusal, RemoteUnavailable, unique } from '../../common/index.js';
import { Asker, ignoreUnreachable, job, Jobs, OutboundError, UnitOfWork } from '../../platform/index.js';
import { PinsService, RemoteStatusesService } from '../../statuses/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { featuredStatus } from '../wire/activity.js';
import type { RemoteObject } from '../wire/object.js';
import { type Document, documentOf, idOf, sizeOf, typeOf, uriOf } from '../wire/values.js';
import { type Collected, CollectionReader } from './collection-reader.js';
import { DocumentFetcher } from './document-fetcher.js';
import { HiddenCollections, type RelationName } from './hidden-collections.js';
import { RemoteActors } from './remote-actors.js';
import { RemoteStatusFetcher } from './remote-status-fetcher.js';
import { type Follow, joined, NOTHING } from './thread.js';

/** Fetches the pinned and the latest posts of an account that a local user looked up for the first time. */
export const DiscoverAccount = job<{ accountId: string }>('federation.discover-account', 'ask');

type CollectionName = 'featured' | 'outbox';
type ReadActor = () => Promise<Document | undefined>;

/** Posts of each kind (threat S10). */
const MAX_POSTS = 20;

/** What an app waits before it asks for an account of a server that did not answer. */
const RETRY_SECONDS = 60;

/**
 * Finds accounts for local users. An account that is found for the first time gets its posts and counters too; accounts
 * that only posts refer to do not, or one look-up would crawl the whole network. Fills the port {@link RemoteAccounts}.
 */
@Injectable()
export class AccountDiscoveryService implements AccountResolver, OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly port: RemoteAccounts,
    private readonly accounts: AccountsService,
    private readonly store: RemoteAccountsService,
    private readonly pins: PinsService,
    private readonly stored: RemoteStatusesService,
    private readonly fetcher: DocumentFetcher,
    private readonly collections: CollectionReader,
    private readonly hidden: HiddenCollections,
    private readonly actors: RemoteActors,
    private readonly posts: RemoteStatusFetcher,
    private readonly asker: Asker,
    private readonly policies: PoliciesService,
  ) {}

  onModuleInit(): void {
    this.port.use(this);
  }

  async resolve(handleOrUri: string, { fresh = false }: ResolveOptions = {}): Promise<AccountRow | undefined> {
    const stored = await this.accounts.stored(handleOrUri);
    const account = await this.actors.lookUp(handleOrUri);
    if (!account || account.domain === null) return account;
    if (!stored) await this.discoverLater(account.id);
    return stored && fresh ? this.fetchAgain(account) : account;
  }

  /** Fetches what a profile shows. What cannot be fetched is left out. */
  async discover(accountId: string): Promise<void> {
    const account = await this.accounts.byId(accountId);
    if (!account || account.domain === null) return;
    let document: Promise<Document | undefined> | undefined;
    const actor = () => (document ??= this.fetch(account.apId));
    const [pinned, sent] = await Promise.all([
      this.collection(account, 'featured', actor),
      this.collection(account, 'outbox', actor),
    ]);
    const [followers, following] = await Promise.all([
      this.overview(account, 'followers', actor),
      this.overview(account, 'following', actor),
    ]);
    await this.store.recount(accountId, {
      statuses: sizeOf(sent.collection),
      followers: sizeOf(followers),
      following: sizeOf(following),
    });
    let referred = NOTHING;
    const follow: Follow = (found) => (referred = joined(referred, found));
    for (const uri of unique(sent.items.flatMap(createdStatus)).slice(0, MAX_POSTS))
      await this.post(uri, account, follow);
    const pins = unique(pinned.items.flatMap((item) => featuredStatus(item) ?? [])).slice(0, MAX_POSTS);
    for (const uri of pins.toReversed()) {
      const status = await this.post(uri, account, follow); // the first of a collection is the latest pin
      if (status) await this.pins.pin(status.id, accountId).catch(ignoreRefusal);
    }
    await this.uow.run(() => this.posts.fetchLater(referred));
  }

  private async fetchAgain(account: AccountRow): Promise<AccountRow | undefined> {
    if (this.policies.isClosedTo(account.apId) || this.policies.isAccountBlocked(account)) return account;
    try {
      const refreshing = () => this.actors.refresh(account.apId, { anew: true, isTarget: true });
      const found = await this.asker.bounded(refreshing);
      return found === 'gone' ? undefined : found;
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause;
      throw new RemoteUnavailable(
        'The server of the account cannot be reached. Try again later.',
        { cause },
        RETRY_SECONDS,
      );
    }
  }

  private async discoverLater(accountId: string): Promise<void> {
    await this.uow.run(() => {
      this.jobs.enqueue(DiscoverAccount, { accountId }, { key: `discover:${accountId}` });
    });
  }

  /** A post of the account, by its address or that of its Create; others that its collections name are not stored. */
  private async post(uri: string, { id, apId: actor }: AccountRow, follow: Follow) {
    const isWanted = ({ attributedTo }: RemoteObject) => Promise.resolve(attributedTo === actor);
    const stored = await this.stored.findByUri(uri);
    const status = stored ?? (await this.posts.lookUp(uri, { follow, isWanted }).catch(ignoreUnreachable));
    return status?.authorId === id ? status : undefined;
  }

  /** A collection of an account with its items; one that is not served is read from the actor, where some embed it. */
  private async collection(account: AccountRow, name: CollectionName, actor: ReadActor): Promise<Collected> {
    const read = (address: string, embedded?: Document) =>
      this.collections.read(address, 2 * MAX_POSTS, { embedded }).catch(ignoreUnreachable);
    const url = account[`${name}Url`];
    const served = url === null ? undefined : await read(url);
    if (served?.collection) return served;
    const embedded = documentOf((await actor())?.[name]);
    return (embedded && (await read(account.apId, embedded))) ?? { collection: undefined, items: [] };
  }

  /** Like {@link collection}, without its items. */
  private async overview(account: AccountRow, name: RelationName, actor: ReadActor) {
    return (await this.hidden.check(account, name)) ?? documentOf((await actor())?.[name]);
  }

  private async fetch(url: string): Promise<Document | undefined> {
    const document = await this.fetcher.fetch(url).catch(ignoreUnreachable);
    return document === 'gone' ? undefined : document;
  }
}

/** The address of a post, or of an activity that may be its Create. */
function createdStatus(item: unknown): string[] {
  const object = typeOf(item) === 'Create' ? documentOf(item)?.['object'] : undefined;
  const uri = uriOf(item) ?? idOf(object);
  return uri === undefined ? [] : [uri];
}
