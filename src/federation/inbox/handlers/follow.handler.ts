import { Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, BlocksService, FollowsService, isActive } from '../../../accounts/index.js';
import { Forbidden } from '../../../common/index.js';
import { RelationshipActivitiesService } from '../../outbox/relationship-activities.service.js';
import type { Activity } from '../../wire/activity.js';
import { effect, ignored, type InboxHandler, type Prepared } from '../inbox-handler.js';

const BAN = 'It is about a ban, which says nothing between two people';

/** Follow, Accept, Reject and Block, and the Undo of Follow, Accept and Block. */
@Injectable()
export class FollowHandler implements InboxHandler {
  readonly types = ['Follow', 'Accept', 'Reject', 'Block', 'Undo Follow', 'Undo Accept', 'Undo Block'];

  constructor(
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly blocks: BlocksService,
    private readonly replies: RelationshipActivitiesService,
  ) {}

  async prepare(activity: Activity, actor: AccountRow): Promise<Prepared> {
    const undone = activity.object.activity;
    if (isBan(activity) || isBan(undone)) return ignored(BAN);
    switch (activity.type) {
      case 'Accept':
      case 'Reject':
        return this.answer(activity, actor);
      case 'Undo':
        return undone?.type === 'Accept'
          ? this.answer({ ...undone, type: 'Reject' }, actor)
          : this.undo(activity, actor);
      default: {
        const target = await this.local(activity.object.uri);
        if (!target || (activity.type === 'Follow' && !isActive(target)))
          return ignored('Its object is no account of this server');
        const { id: uri } = activity;
        if (activity.type === 'Block') return effect(() => this.blocks.block(actor.id, target.id, { uri }));
        return effect(() => this.follow(activity, actor.id, target.id));
      }
    }
  }

  /** A repeated Follow is accepted again: its sender did not get the first Accept. */
  private async follow({ id: uri }: Activity, actorId: string, targetId: string): Promise<void> {
    try {
      const { accepted, changed } = await this.follows.follow(actorId, targetId, {}, { kind: 'remote', uri });
      if (accepted && !changed) await this.replies.sendAccept(actorId, targetId);
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error;
      await this.replies.sendReject({ followerId: actorId, followeeId: targetId, uri });
    }
  }

  /** Only the followee answers a Follow; some servers name the Follow by its id alone. */
  private async answer({ type, object }: Activity, actor: AccountRow): Promise<Prepared> {
    const follow = object.activity;
    const named = await this.follows.findByUri(object.uri);
    const stored = named?.followeeId === actor.id ? named : undefined;
    const isOwn = follow?.type === 'Follow' && follow.object.uri === actor.apId;
    const followerId = stored?.followerId ?? (isOwn ? (await this.local(follow.actorUri))?.id : undefined);
    if (followerId === undefined) return ignored('It answers no follow of this server');
    if (type === 'Accept') return effect(() => this.follows.accept(actor.id, followerId));
    return effect(() => this.follows.removeFollower(actor.id, followerId));
  }

  private async undo({ object }: Activity, actor: AccountRow): Promise<Prepared> {
    const undone = object.activity;
    const target = await this.local(undone?.object.uri);
    if (undone?.type === 'Block' && target) return effect(() => this.blocks.unblock(actor.id, target.id));
    const blockedId = undone ? undefined : await this.blocks.findTarget(object.uri, actor.id);
    if (blockedId !== undefined) return effect(() => this.blocks.unblock(actor.id, blockedId));
    const stored = await this.follows.findByUri(object.uri);
    const followeeId = stored?.followerId === actor.id ? stored.followeeId : target?.id;
    if (followeeId === undefined) return ignored('It undoes no follow of this server');
    return effect(() => this.follows.unfollow(actor.id, followeeId));
  }

  /** Also one that is not active: what ends meanwhile must not be back when it is activated. */
  private async local(uri: string | undefined): Promise<AccountRow | undefined> {
    const account = uri === undefined ? undefined : await this.accounts.stored(uri);
    return account?.apId === uri && account?.domain === null && account.deletedAt === null ? account : undefined;
  }
}

/** Whether a Block bans its object from what it targets, a group or a server. */
function isBan(activity: Activity | undefined): boolean {
  return activity?.type === 'Block' && (activity.raw['target'] ?? null) !== null;
}
