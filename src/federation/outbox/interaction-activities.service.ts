import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { activityUri } from '../../common/index.js';
import { EmojiCache, spokenReaction } from '../../emoji/index.js';
import { ENV, type Env, Subscribes } from '../../platform/index.js';
import {
  Favourited,
  PollVoted,
  PUBLIC_OR_UNLISTED,
  Reacted,
  type StatusAction,
  StatusPinned,
  StatusUnpinned,
  Unfavourited,
  Unreacted,
} from '../../statuses/index.js';
import type { ReactionContent } from '../render/activities.js';
import { ActivitySourcesRepository } from './activity-sources.repository.js';
import { OutboxService } from './outbox.service.js';

type Action = Pick<StatusAction, 'statusId' | 'accountId' | 'authorId'>;

/** A local account did something to a remote post. */
const goesOut = ({ actorLocal, targetLocal }: StatusAction) => actorLocal && !targetLocal;
/** The collection of featured posts has public and unlisted posts only. */
const isFeatured = ({ local, visibility }: StatusPinned) => local && PUBLIC_OR_UNLISTED.includes(visibility);

/** Servers compare it to see whether they know the picture. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

/**
 * Sends what local accounts do to posts. Doing and undoing lead to the same method: it compares what is stored with what
 * was sent, since the jobs of events may run in any order.
 */
@Injectable()
export class InteractionActivitiesService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly outbox: OutboxService,
    private readonly sources: ActivitySourcesRepository,
    private readonly emoji: EmojiCache,
  ) {}

  @Subscribes(Favourited, { job: 'federation.send-like', queue: 'federate', when: goesOut })
  @Subscribes(Unfavourited, { job: 'federation.undo-like', queue: 'federate', when: goesOut })
  async sendLike({ accountId, statusId, authorId }: Action): Promise<void> {
    await this.reconcile(`like:${accountId}:${statusId}`, { accountId, authorId }, async (id) => {
      const like = await this.sources.favourite(accountId, statusId);
      return like && this.outbox.activities.like(id, like.actor, like.statusUri, like.author);
    });
  }

  @Subscribes(Reacted, { job: 'federation.send-reaction', queue: 'federate', when: goesOut })
  @Subscribes(Unreacted, { job: 'federation.undo-reaction', queue: 'federate', when: goesOut })
  async sendReaction({ accountId, statusId, authorId, emoji: name }: Reacted | Unreacted): Promise<void> {
    await this.reconcile(`react:${accountId}:${statusId}:${name}`, { accountId, authorId }, async (id) => {
      const reaction = await this.sources.reaction(accountId, statusId, name);
      if (!reaction) return undefined;
      const { actor, statusUri, author, url } = reaction;
      return this.outbox.activities.emojiReact(id, actor, statusUri, author, this.contentOf(name, url));
    });
  }

  /** Sends one vote for each chosen option. A poll that is asked anew keeps its id, so the id of a vote contains its time. */
  @Subscribes(PollVoted, { job: 'federation.send-vote', queue: 'federate', when: goesOut })
  async sendVotes({ accountId, statusId, authorId }: Action): Promise<void> {
    const orderingKey = `vote:${accountId}:${statusId}`;
    await this.outbox.serialize(orderingKey, async () => {
      const votes = await this.sources.votes(accountId, statusId);
      for (const { actor, statusUri, author, pollId, position, title, votedAt } of votes) {
        const id = `${actor}#votes/${pollId}/${position}/${votedAt}`;
        const vote = this.outbox.activities.vote(id, actor, statusUri, author, title);
        await this.outbox.send(vote, { accountId, orderingKey }, { accountIds: [authorId], shared: false });
      }
    });
  }

  /** Sends whether a post is pinned now. */
  @Subscribes(StatusPinned, { job: 'federation.send-pin', queue: 'federate', when: isFeatured })
  @Subscribes(StatusUnpinned, { job: 'federation.send-unpin', queue: 'federate', when: isFeatured })
  async sendPin({ accountId, statusId }: StatusPinned | StatusUnpinned): Promise<void> {
    const orderingKey = `pin:${accountId}:${statusId}`;
    await this.outbox.serialize(orderingKey, async () => {
      const pin = await this.sources.pin(accountId, statusId);
      if (!pin) return;
      const activity = this.outbox.activities.feature(this.newUri(), pin.pinned ? 'Add' : 'Remove', pin.actor, pin.uri);
      await this.outbox.send(activity, { accountId, orderingKey }, { followersOf: [accountId], shared: true });
    });
  }

  private async reconcile(
    subject: string,
    { accountId, authorId }: Pick<Action, 'accountId' | 'authorId'>,
    current: (id: string) => Promise<ReturnType<OutboxService['activities']['like']> | undefined>,
  ): Promise<void> {
    const options = { accountId, orderingKey: subject, subject };
    const audience = { accountIds: [authorId], shared: false };
    await this.outbox.serialize(subject, async () => {
      const activity = await current(this.newUri());
      if (activity) await this.outbox.send(activity, options, audience);
      else await this.outbox.undo(options, audience);
    });
  }

  private contentOf(name: string, remoteUrl: string | null): ReactionContent {
    if (spokenReaction(name) === name) return { content: name };
    const [shortcode = ''] = name.split('@');
    const content = `:${shortcode}:`;
    if (remoteUrl !== null) return { content, emoji: { shortcode, url: remoteUrl, updatedAt: UNKNOWN_TIME } };
    return { content, emoji: this.emoji.tagsOf({ plain: [content] })[0] };
  }

  private newUri(): string {
    return activityUri(this.env.baseUrl, randomUUID());
  }
}
