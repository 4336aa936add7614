import { Inject, Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, FollowsService } from '../../accounts/index.js';
import { ignoreNotFound } from '../../common/index.js';
import { ENV, type Env, Handles, ignoreUnauthorized, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { FollowersDigests } from '../documents/followers-digests.js';
import { CollectionReader } from '../fetch/collection-reader.js';
import { RelationshipActivitiesService } from '../outbox/relationship-activities.service.js';
import { type FollowersClaim, followersDigest, readSynchronization } from '../wire/followers-digest.js';
import { hostOf, sameHost } from '../wire/uris.js';
import { idOf } from '../wire/values.js';

const MAX_FOLLOWERS = 100_000;
const MAX_PAGES = 50;
/** Maximum number of Undos for one list, which may name every account here. */
const MAX_UNDONE = 100;

/** What the account with this id says of its followers here. */
export interface SignedFollowers extends FollowersClaim {
  readonly accountId: string;
}

/** Compares the followers that an account of another server has here with those that it knows of. */
export const SynchronizeFollowers = job<SignedFollowers>('inbox.synchronize-followers', 'ask');

/** Mends follows that only one of two servers knows of, such as after a backup was restored (FEP-8fcf). */
@Injectable()
export class FollowersSynchronizationService {
  private readonly ownHost: string;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly digests: FollowersDigests,
    private readonly collections: CollectionReader,
    private readonly replies: RelationshipActivitiesService,
  ) {
    this.ownHost = hostOf(env.baseUrl) ?? '';
  }

  /** Compares the header of a delivery, which its signature covers, with the followers of the signer here. */
  async received(header: string, { id: accountId, followersUrl }: AccountRow): Promise<void> {
    const claim = followersUrl === null ? undefined : readSynchronization(header, followersUrl);
    if (!claim || claim.digest === (await this.digests.ofHost(accountId, this.ownHost))) return;
    const options = { key: `synchronize-followers:${accountId}`, replaces: true };
    await this.uow.run(() => {
      this.jobs.enqueue(SynchronizeFollowers, { ...claim, accountId }, options);
    });
  }

  /**
   * Ends the follows that the other server does not list, accepts the requests that it lists, and sends an Undo for listed
   * accounts without a follow here. A list
   * without the digest that was signed proves nothing: it is a part, or of another time.
   */
  @Handles(SynchronizeFollowers)
  async synchronize({ accountId, url, digest }: SignedFollowers): Promise<void> {
    const here = await this.follows.localFollowers(accountId); // before the list: it may lack what begins meanwhile
    const read = this.collections.read(url, MAX_FOLLOWERS, { pages: MAX_PAGES });
    const { collection, items = [] } = (await read.catch(ignoreUnauthorized)) ?? {};
    const listed = new Set(items.flatMap((item) => idOf(item) ?? []).filter((uri) => sameHost(uri, this.env.baseUrl)));
    if (!collection || followersDigest(listed) !== digest) return;
    for (const { id, uri, accepted } of here) {
      if (accepted && !listed.has(uri)) await this.follows.unfollow(id, accountId);
      if (!accepted && listed.has(uri)) await this.follows.accept(accountId, id).catch(ignoreNotFound); // it may have ended
      listed.delete(uri);
    }
    const unknown = (await this.accounts.byUris([...listed])).filter(({ domain }) => domain === null);
    for (const { id } of unknown.slice(0, MAX_UNDONE)) await this.replies.undoUnknownFollow(id, accountId);
  }
}
