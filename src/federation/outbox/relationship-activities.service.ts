import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccountActivated, Blocked, Followed, Unblocked, Unfollowed } from '../../accounts/index.js';
import { activityUri } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env, Subscribes, walkSlices } from '../../platform/index.js';
import { SeenActivitiesRepository } from '../fetch/seen-activities.repository.js';
import { ActivitySourcesRepository } from './activity-sources.repository.js';
import { OutboxService } from './outbox.service.js';

interface BlockParties {
  readonly actorLocal: boolean;
  readonly targetLocal: boolean;
}

const goesOut = ({ actorLocal, targetLocal }: BlockParties) => actorLocal && !targetLocal;

/** A follow request of a local account, or the consent of a local account; the remote server sends the other two. */
const isSentFromHere = ({ localFollower, localFollowee, accepted }: Followed) =>
  localFollower !== localFollowee && accepted === localFollowee;

const isBetweenServers = ({ localFollower, localFollowee }: Unfollowed) => localFollower !== localFollowee;

/** Follows that one statement reads. */
const BATCH = 100;

const orderingKeyOf = (accountId: string, otherId: string) => `pair:${accountId}:${otherId}`;

/** Sends follows and blocks between local and remote accounts. */
@Injectable()
export class RelationshipActivitiesService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly outbox: OutboxService,
    private readonly sources: ActivitySourcesRepository,
    private readonly seen: SeenActivitiesRepository,
  ) {}

  @Subscribes(Followed, { job: 'federation.send-follow', queue: 'federate', when: isSentFromHere })
  async onFollowed({ followerId, followeeId, localFollower }: Followed): Promise<void> {
    if (localFollower) await this.sendFollow(followerId, followeeId);
    else await this.sendAccept(followerId, followeeId);
  }

  @Subscribes(Unfollowed, { job: 'federation.undo-follow', queue: 'federate', when: isBetweenServers })
  async onUnfollowed(event: Unfollowed): Promise<void> {
    if (event.localFollower) await this.undoFollow(event);
    else if (event.endedBy === 'followee') await this.sendReject(event);
    else await this.noteEnd(event);
  }

  /** Sends the follows that a deactivated account began, by a move for example: they were dropped. Those that were sent are not sent again. */
  @Subscribes(AccountActivated, { job: 'federation.send-late-follows', queue: 'federate', when: ({ local }) => local })
  async sendLateFollows({ accountId }: AccountActivated): Promise<void> {
    await walkSlices('', async (after) => {
      const followeeIds = await this.sources.pendingFollows(accountId, after, BATCH);
      for (const followeeId of followeeIds) await this.sendFollow(accountId, followeeId);
      return followeeIds.length < BATCH ? undefined : followeeIds.at(-1);
    });
  }

  /** Asks a remote account for its consent. */
  private async sendFollow(followerId: string, followeeId: string): Promise<void> {
    await this.outbox.serialize(orderingKeyOf(followerId, followeeId), async () => {
      const follow = await this.sources.follow(followerId, followeeId);
      if (!follow?.pending || follow.uri === null) return;
      const activity = this.outbox.activities.follow(follow.uri, follow.actor, follow.target);
      const options = {
        accountId: followerId,
        orderingKey: orderingKeyOf(followerId, followeeId),
        subject: follow.uri,
      };
      await this.outbox.send(activity, options, { accountIds: [followeeId], shared: false });
    });
  }

  /** Tells a remote follower that its follow is accepted; also again, since servers ask again that missed the answer. */
  async sendAccept(followerId: string, followeeId: string): Promise<void> {
    await this.outbox.serialize(orderingKeyOf(followeeId, followerId), async () => {
      const follow = await this.sources.follow(followerId, followeeId);
      if (follow && !follow.pending) await this.answer('Accept', followerId, followeeId, follow.uri);
    });
  }

  /** Tells a remote account that its follow is refused, or ended by the followee. */
  async sendReject(ended: Pick<Unfollowed, 'followerId' | 'followeeId' | 'uri'>): Promise<void> {
    const { followerId, followeeId, uri } = ended;
    await this.noteEnd(ended);
    await this.outbox.serialize(orderingKeyOf(followeeId, followerId), async () => {
      const follow = await this.sources.follow(followerId, followeeId);
      if (!follow) await this.answer('Reject', followerId, followeeId, uri);
    });
  }

  /** The Undo of a follow that has ended finds nothing, and is not that of the next follow with the same id (threat F24). */
  private async noteEnd({ followerId, uri }: Pick<Unfollowed, 'followerId' | 'uri'>): Promise<void> {
    if (uri !== null) await this.seen.noteEnd(followerId, uri);
  }

  /**
   * Takes back a follow that was sent. It is only forgotten when the remote side ended it, and when the account follows again:
   * the new Follow replaces it there, and its Undo would end that one, since servers undo follows by the two accounts.
   */
  private async undoFollow({ followerId, followeeId, uri, endedBy }: Unfollowed): Promise<void> {
    if (uri === null) return;
    const options = { accountId: followerId, orderingKey: orderingKeyOf(followerId, followeeId), subject: uri };
    await this.outbox.serialize(options.orderingKey, async () => {
      const isReplaced = (await this.sources.follow(followerId, followeeId)) !== undefined;
      if (endedBy === 'followee' || isReplaced) await this.outbox.clearSubject(uri);
      else await this.outbox.undo(options, { accountIds: [followeeId], shared: false });
    });
  }

  /** Refuses what a remote account asks of a local one. */
  async refuse(
    request: Readonly<Record<'id' | 'type' | 'actor' | 'object', string>>,
    accountId: string,
    actorId: string,
  ): Promise<void> {
    const activity = this.outbox.activities.refuse(this.newUri(), request.object, request);
    const options = { accountId, orderingKey: orderingKeyOf(accountId, actorId) };
    await this.outbox.send(activity, options, { accountIds: [actorId], shared: false });
  }

  /** Takes back a follow that only the remote side knows of: its id is lost, so the Undo names the two accounts. */
  async undoUnknownFollow(followerId: string, followeeId: string): Promise<void> {
    const options = { accountId: followerId, orderingKey: orderingKeyOf(followerId, followeeId) };
    await this.outbox.serialize(options.orderingKey, async () => {
      const pair = await this.sources.pair(followerId, followeeId);
      if (!pair || (await this.sources.follow(followerId, followeeId))) return;
      const { activities } = this.outbox;
      const undo = activities.undo(activities.follow(this.newUri(), pair.actor, pair.target));
      await this.outbox.send(undo, options, { accountIds: [followeeId], shared: false });
    });
  }

  /** Sends whether an account blocks a remote one now, if the server publishes blocks. */
  @Subscribes(Blocked, { job: 'federation.send-block', queue: 'federate', when: goesOut })
  @Subscribes(Unblocked, { job: 'federation.undo-block', queue: 'federate', when: goesOut })
  async sendBlock({ accountId, targetId }: Blocked | Unblocked): Promise<void> {
    const subject = `block:${accountId}:${targetId}`;
    const options = { accountId, orderingKey: orderingKeyOf(accountId, targetId), subject };
    const audience = { accountIds: [targetId], shared: false };
    await this.outbox.serialize(options.orderingKey, async () => {
      const block = await this.sources.block(accountId, targetId);
      if (!block) return this.outbox.undo(options, audience);
      if (!this.settings.get('activitypub.outgoing_blocks')) return;
      await this.outbox.send(this.outbox.activities.block(this.newUri(), block.actor, block.target), options, audience);
    });
  }

  /** An Accept also of an account that was deactivated since: it stands, and nothing sends it when the account is activated. */
  private async answer(
    type: 'Accept' | 'Reject',
    followerId: string,
    followeeId: string,
    id: string | null,
  ): Promise<void> {
    const pair = await this.sources.pair(followerId, followeeId);
    if (!pair) return;
    const follow = { id, actor: pair.actor, object: pair.target };
    const activity = this.outbox.activities.answer(this.newUri(), type, follow);
    const options = {
      accountId: followeeId,
      orderingKey: orderingKeyOf(followeeId, followerId),
      evenIfDeactivated: type === 'Accept',
    };
    await this.outbox.send(activity, options, { accountIds: [followerId], shared: false });
  }

  private newUri(): string {
    return activityUri(this.env.baseUrl, randomUUID());
  }
}
