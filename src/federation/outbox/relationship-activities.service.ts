import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Unfollowed } from '../../accounts/index.js';
import { activityUri } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { ActivitySourcesRepository } from './activity-sources.repository.js';
import { OutboxService } from './outbox.service.js';

const orderingKeyOf = (accountId: string, otherId: string) => `pair:${accountId}:${otherId}`;

/** Sends follows and blocks between local and remote accounts. */
@Injectable()
export class RelationshipActivitiesService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly outbox: OutboxService,
    private readonly sources: ActivitySourcesRepository,
  ) {}

  /** Asks a remote account for its consent. */
  async sendFollow(followerId: string, followeeId: string): Promise<void> {
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
  async sendReject({
    followerId,
    followeeId,
    uri,
  }: Pick<Unfollowed, 'followerId' | 'followeeId' | 'uri'>): Promise<void> {
    await this.outbox.serialize(orderingKeyOf(followeeId, followerId), async () => {
      const follow = await this.sources.follow(followerId, followeeId);
      if (!follow) await this.answer('Reject', followerId, followeeId, uri);
    });
  }

  /** Takes back a follow that was sent; one that the remote side ended is only forgotten. */
  async undoFollow({ followerId, followeeId, uri, endedBy }: Unfollowed): Promise<void> {
    if (uri === null) return;
    const options = { accountId: followerId, orderingKey: orderingKeyOf(followerId, followeeId), subject: uri };
    await this.outbox.serialize(options.orderingKey, async () => {
      if (endedBy === 'followee') await this.outbox.clearSubject(uri);
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
  async sendBlock(accountId: string, targetId: string): Promise<void> {
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
    const options = { accountId: followeeId, orderingKey: orderingKeyOf(followeeId, followerId) };
    await this.outbox.send(activity, options, { accountIds: [followerId], shared: false });
  }

  private newUri(): string {
    return activityUri(this.env.baseUrl, randomUUID());
  }
}
