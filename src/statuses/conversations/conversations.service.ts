import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnreadConversations } from '../../accounts/index.js';
import { Invalid, NotFound, Page, type PageQuery, unique } from '../../common/index.js';
import {
  DAILY,
  Events,
  flakeKeyset,
  Handles,
  isBigintId,
  job,
  Jobs,
  LAST_ID,
  Recurs,
  remainderOf,
  skipped,
  UnitOfWork,
  walkDown,
  walkSlices,
} from '../../platform/index.js';
import { ConversationRepository } from './conversation.repository.js';
import type { ConversationRow, ParticipationRow } from './conversation.sql.js';
import type { PageRow } from '../model/page.sql.js';
import { ThreadMuteRepository } from './thread-mute.repository.js';
import { ConversationChanged } from '../model/statuses.events.js';

/** Marks the unread conversations as read whose last post is not above an id. */
export const ReadConversations = job<{ ownerId: string; lastStatusId: string }>('conversations.read', 'fanout');

/** A conversation, and a post into whose conversation it moves. */
interface Move {
  readonly conversationId: string;
  readonly statusId: string;
  /** The reply to the post that began the conversation, which may stand in another one meanwhile. */
  readonly replyId?: string;
}

/** Moves a part of a conversation. */
export const MoveConversation = job<Move>('conversations.move', 'maintenance', { isOnlyRecord: true });

/** Posts, participants and mutes that move at once: each update of a post writes to a dozen indexes. */
const MOVED_AT_ONCE = 500;

/** Longer than it takes to move a part. */
const MOVED_MS = 2_000;

/** Longer than it takes to write a post whose parent has been read: it is stored where the parent stood. */
const WRITTEN_MS = 10 * 60_000;

/** Maximum number of conversations returned after marking all as read, as with notifications (spec §8). */
const ANSWERED = 80;

/**
 * Manages each participant's conversations (spec §4.2, §4.3). Responds with 404 to everyone but the owner, and to the owner while
 * blocks and the like hide all other participants.
 */
@Injectable()
export class ConversationsService implements OnModuleInit {
  constructor(
    private readonly repository: ConversationRepository,
    private readonly unreadCount: UnreadConversations,
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly threadMutes: ThreadMuteRepository,
  ) {}

  onModuleInit(): void {
    this.unreadCount.use(this);
  }

  /**
   * A page of the list, the latest post first; with `recipients`, only conversations with exactly these people and the owner.
   * The cursors are the last posts, by which some apps page without them; bounds may also be ids of conversations.
   */
  async page(ownerId: string, query: PageQuery, recipients?: readonly string[]): Promise<Page<ConversationRow>> {
    const people = recipients && unique([ownerId, ...recipients]);
    const rows = await this.repository.page(ownerId, flakeKeyset(query), query.offset, people ?? null);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.lastStatusId, last: last.lastStatusId });
  }

  /** @throws NotFound */
  async one(id: string, ownerId: string): Promise<ConversationRow> {
    const [row] = isBigintId(id) ? await this.repository.byIds(ownerId, [id]) : [];
    if (!row) throw new NotFound();
    return row;
  }

  /**
   * A page of the direct posts of a conversation, newest first.
   * @throws NotFound
   */
  async statuses(id: string, ownerId: string, query: PageQuery, withMuted: boolean): Promise<PageRow[]> {
    const { conversationId } = await this.own(id, ownerId);
    return skipped(query, flakeKeyset(query), (keyset) =>
      this.repository.statuses(conversationId, ownerId, keyset, withMuted),
    );
  }

  /**
   * The id of the conversation, and the recipients of the owner's posts in it.
   * @throws NotFound
   */
  async own(id: string, ownerId: string): Promise<ParticipationRow> {
    const row = isBigintId(id) ? await this.repository.own(id, ownerId) : undefined;
    if (!row) throw new NotFound();
    return row;
  }

  /**
   * Marks a conversation as unread or read. Emits {@link ConversationChanged} only for a change: apps mark as read whatever
   * the stream sends, and would loop.
   * @throws NotFound
   */
  async setUnread(id: string, ownerId: string, unread: boolean): Promise<void> {
    await this.uow.run(async () => {
      await this.own(id, ownerId);
      if (await this.repository.setUnread(id, ownerId, unread)) this.events.emit(new ConversationChanged(id, ownerId));
    });
  }

  /** Marks all as read; returns the first 80 of those that were unread. Strangers can start very many: a job reads the others. */
  async readAll(ownerId: string): Promise<ConversationRow[]> {
    const ids = await this.uow.run(async () => {
      const read = await this.repository.readUpTo(ownerId, LAST_ID);
      const lastStatusId = remainderOf(read.map((row) => row.lastStatusId));
      if (lastStatusId !== undefined) this.jobs.enqueue(ReadConversations, { ownerId, lastStatusId });
      const latest = read.slice(0, ANSWERED).map(({ id }) => id);
      for (const id of latest) this.events.emit(new ConversationChanged(id, ownerId));
      return latest;
    });
    return ids.length === 0 ? [] : this.repository.byIds(ownerId, ids);
  }

  /** Reads what {@link readAll} left. Safe to run twice. */
  @Handles(ReadConversations)
  async readRest({ ownerId, lastStatusId }: { ownerId: string; lastStatusId: string }): Promise<void> {
    await walkDown(lastStatusId, async (upTo) =>
      (await this.repository.readUpTo(ownerId, upTo)).map((row) => row.lastStatusId),
    );
  }

  /**
   * Removes a conversation from the owner's list. Its posts stay, and the next post brings it back.
   * @throws NotFound
   */
  async remove(id: string, ownerId: string): Promise<void> {
    if (!isBigintId(id) || !(await this.repository.remove(id, ownerId))) throw new NotFound();
  }

  /**
   * Sets the recipients of the owner's future posts; the owner is always one of them.
   * @throws NotFound for the conversation, Invalid unless all recipients are active accounts
   */
  async setRecipients(id: string, ownerId: string, accountIds: readonly string[]): Promise<void> {
    await this.own(id, ownerId);
    const recipients = unique([ownerId, ...accountIds]);
    if ((await this.repository.countActive(recipients)) !== recipients.length) {
      throw new Invalid('Some of the recipients are not found');
    }
    if (!(await this.repository.setRecipients(id, ownerId, recipients))) throw new NotFound();
  }

  /** Plans that a conversation moves into that of a post, in the open unit of work. */
  planMove(move: Move, runAt?: Date): void {
    this.jobs.enqueue(MoveConversation, move, runAt ? { runAt } : {});
  }

  /**
   * Moves a part of what names a conversation into that of a post, and leaves the rest to the next job, as it does with what
   * is being written to it meanwhile. A post that stands alone moves to the reply instead: of a thread that comes from its
   * end, each parent would else move all that came before. Safe to run twice.
   */
  @Handles(MoveConversation)
  async move({ conversationId, statusId, replyId }: Move): Promise<void> {
    await this.uow.run(async () => {
      const ofPost = await this.repository.lockTarget(statusId);
      if (ofPost === undefined) return;
      const ofReply = replyId === undefined ? undefined : await this.repository.lockTarget(replyId);
      const begun = ofReply ?? conversationId;
      if (ofPost === begun) return;
      const isReversed = ofReply !== undefined && (await this.repository.isAlone(statusId));
      const [from, to] = isReversed ? [ofPost, begun] : [begun, ofPost];
      const most = await this.moveSome(from, to);
      const later = most < MOVED_AT_ONCE ? new Date(Date.now() + WRITTEN_MS) : undefined;
      if (most > 0) this.planMove({ conversationId: from, statusId }, later);
      // Another job has just moved what stood there.
      else if (replyId !== undefined && ofReply !== undefined)
        this.planMove({ conversationId, statusId, replyId }, new Date(Date.now() + MOVED_MS));
    });
  }

  /**
   * Moves the next posts, and with the last of them participants and mutes: the last post of a participant is the newest of
   * all, which moves last. Returns how many rows of a kind moved at most.
   */
  private async moveSome(from: string, to: string): Promise<number> {
    const posts = await this.repository.moveStatuses(from, to, MOVED_AT_ONCE);
    if (posts === MOVED_AT_ONCE && (await this.repository.hasStatuses(from))) return posts;
    const people = await this.repository.moveParticipants(from, to, MOVED_AT_ONCE);
    const mutes = await this.threadMutes.move(from, to, MOVED_AT_ONCE);
    for (const { id, ownerId } of people) this.events.emit(new ConversationChanged(id, ownerId));
    return Math.max(posts, people.length, mutes);
  }

  /** Deletes conversations without posts. There are many, since each post that is not a reply starts one. */
  @Recurs({ job: 'conversations.sweep', everyMinutes: DAILY, queue: 'upkeep' })
  async sweep(): Promise<void> {
    await walkSlices('0', (after) => this.repository.sweep(after));
  }

  /** Counts the unread conversations that the list shows. */
  unread(ownerId: string): Promise<number> {
    return this.repository.unread(ownerId);
  }
}
