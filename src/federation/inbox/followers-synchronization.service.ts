import { Inject, Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, FollowsService } from '../../accounts/index.js';
import { NotFound, unique } from '../../common/index.js';
import { ENV, type Env, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { FollowersDigests } from '../documents/followers-digests.js';
import { digestOf, FollowersList } from '../fetch/followers-list.js';
import { RelationshipActivitiesService } from '../outbox/relationship-activities.service.js';
import { type FollowersClaim, readSynchronization } from '../wire/followers-digest.js';
import { hostOf, sameHost } from '../wire/uris.js';

/** Compares the followers that an account of another server has here with those that it knows of. */
export const SynchronizeFollowers = job<FollowersClaim & { accountId: string }>('inbox.synchronize-followers', 'ask');

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
    private readonly list: FollowersList,
    private readonly replies: RelationshipActivitiesService,
  ) {
    this.ownHost = hostOf(env.baseUrl) ?? '';
  }

  /** Compares the header of a delivery, which its signature covers, with the followers of the signer here. */
  async received(header: string, { id: accountId, followers_url: followersUrl }: AccountRow): Promise<void> {
    const claim = followersUrl === null ? undefined : readSynchronization(header, followersUrl);
    if (!claim || claim.digest === (await this.digests.ofHost(accountId, this.ownHost))) return;
    await this.uow.run(() => {
      this.jobs.enqueue(SynchronizeFollowers, { ...claim, accountId }, { key: `synchronize-followers:${accountId}` });
    });
  }

  /**
   * Ends the follows that the other server does not list, and takes back those that it lists and nobody here knows of. A list
   * without the digest that was signed proves nothing: it is a part, or of another time.
   */
  async synchronize({ accountId, url, digest }: FollowersClaim & { readonly accountId: string }): Promise<void> {
    const listed = await this.list.fetch(url, (uri) => sameHost(uri, this.env.baseUrl));
    if (listed === undefined || digestOf(listed) !== digest) return;
    const here = await this.follows.localFollowers(accountId);
    for (const { id, uri, accepted } of here) {
      const isListed = listed.includes(uri);
      if (accepted && !isListed) await this.follows.unfollow(id, accountId);
      if (!accepted && isListed) await this.follows.accept(accountId, id).catch(ignoreMissing);
    }
    const known = new Set(here.map(({ uri }) => uri));
    for (const { id, domain } of await this.accounts.byUris(unique(listed).filter((uri) => !known.has(uri))))
      if (domain === null) await this.replies.undoUnknownFollow(id, accountId);
  }
}

/** The request ended meanwhile. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFound)) throw error;
}
