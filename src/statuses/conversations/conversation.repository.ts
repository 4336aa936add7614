import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { Database, type Keyset, SLICE, sql, UnitOfWork } from '../../platform/index.js';
import { ConversationParticipant } from '../model/conversation.entities.js';
import {
  conversationPage,
  type ConversationRow,
  conversationsByIds,
  conversationsOf,
  conversationStatuses,
  hasStatuses,
  isAlone,
  joinConversation,
  leaveConversation,
  lockConversation,
  lockTarget,
  moveParticipants,
  moveStatuses,
  ownConversation,
  type ParticipationRow,
  type BatchConversationRow,
  stepBack,
  unreadConversations,
} from './conversation.sql.js';
import type { PageRow } from '../model/page.sql.js';
import type { StatusForViewer } from '../rendering/status-batch.repository.js';

/** A conversation that was marked as read. */
type ReadRow = Readonly<Pick<ConversationParticipant, 'id' | 'lastStatusId'>>;

// Locks the rows in their order, so that two requests cannot deadlock. Index: conversation_participants_unread.
const readUpTo = sql<ReadRow>(
  'conversations.read_up_to',
  `with slice as materialized (
     select id from conversation_participants where account_id = $1 and unread and last_status_id <= $2
     order by last_status_id desc limit ${SLICE} for no key update),
   changed as (
     update conversation_participants c set unread = false from slice where c.id = slice.id returning c.id, c.last_status_id)
   select id, last_status_id as "lastStatusId" from changed order by last_status_id desc`,
);

const active = sql<{ count: number }>(
  'conversations.active_accounts',
  `select count(*)::int as count from accounts where id = any($1::text[]) and deactivated_at is null`,
);

const SWEPT_AT_ONCE = 1_000;
// A conversation without posts gets no replies. Index: conversations_pkey, then statuses_conversation for each.
const sweep = sql<{ last: string | null }>(
  'conversations.sweep',
  `with next as materialized (select id from conversations where id > $1::bigint order by id limit ${SWEPT_AT_ONCE}),
   gone as (
     delete from conversations c using next
     where c.id = next.id and not exists (select from statuses s where s.conversation_id = c.id))
   select case when count(*) = ${SWEPT_AT_ONCE} then max(id) end as last from next`,
);

/** All SQL on `conversation_participants`. Ids are checked texts of `bigint`. */
@Injectable()
export class ConversationRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Deletes those of the next conversations after an id that no longer have posts, direct or not. Returns the last id;
   * undefined at the end.
   */
  async sweep(after: string): Promise<string | undefined> {
    return (await this.db.first(sweep, [after]))?.last ?? undefined;
  }

  /** Adds a direct post to the conversations of its participants. Needs the post's row and mentions. */
  async join(statusId: string): Promise<void> {
    await this.db.run(joinConversation, [statusId]);
  }

  /**
   * Removes a direct post from the conversations of its participants; returns those whose last post is an earlier one now. Call
   * it before the post is deleted.
   */
  async leave(statusId: string): Promise<{ id: string; ownerId: string }[]> {
    await this.db.run(lockConversation, [statusId]);
    const rows = await this.db.rows(stepBack, [statusId]);
    await this.db.run(leaveConversation, [statusId]);
    return rows.filter(({ isKept }) => isKept).map(({ id, accountId: ownerId }) => ({ id, ownerId }));
  }

  /** The conversation of a post, which is not deleted before the unit ends; undefined when it has none, or is gone. */
  async lockTarget(statusId: string): Promise<string | undefined> {
    return (await this.db.first(lockTarget, [statusId]))?.conversationId ?? undefined;
  }

  /** Whether a post opened its conversation, under its own address, and is the only one in it. */
  async isAlone(statusId: string): Promise<boolean> {
    return (await this.db.rows(isAlone, [statusId])).length > 0;
  }

  async hasStatuses(id: string): Promise<boolean> {
    return (await this.db.rows(hasStatuses, [id])).length > 0;
  }

  /** Moves up to `limit` posts to another conversation; returns how many. */
  moveStatuses(from: string, to: string, limit: number): Promise<number> {
    return this.db.run(moveStatuses, [from, to, limit]);
  }

  /** Moves up to `limit` participants to another conversation, where some take part already. */
  moveParticipants(from: string, to: string, limit: number): Promise<{ id: string; ownerId: string }[]> {
    return this.db.rows(moveParticipants, [from, to, limit]);
  }

  /** A page of the owner's list, the latest post first. */
  page(
    ownerId: string,
    { direction, below, above, limit }: Keyset,
    offset: number,
    recipients: readonly string[] | null,
  ): Promise<ConversationRow[]> {
    return this.db.rows(conversationPage[direction], [ownerId, below, above, recipients, limit, offset]);
  }

  byIds(ownerId: string, ids: readonly string[]): Promise<ConversationRow[]> {
    return this.db.rows(conversationsByIds, [ownerId, ids]);
  }

  /** The viewers' conversations whose last posts are the entries, unordered. */
  ofStatuses(entries: readonly StatusForViewer[]): Promise<BatchConversationRow[]> {
    return this.db.rows(conversationsOf, [entries.map(({ id }) => id), entries.map(({ viewerId }) => viewerId)]);
  }

  /** Undefined where the owner's list does not show it. */
  own(id: string, ownerId: string): Promise<ParticipationRow | undefined> {
    return this.db.first(ownConversation, [ownerId, id]);
  }

  /** The direct posts of a conversation, newest first. */
  statuses(
    conversationId: string,
    viewerId: string,
    { direction, below, above, limit }: Keyset,
    withMuted: boolean,
  ): Promise<PageRow[]> {
    return this.db.rows(conversationStatuses[direction], [viewerId, conversationId, below, above, withMuted, limit]);
  }

  /** Returns false when nothing changes. What is marked as unread stays unread whichever of its posts is deleted. */
  async setUnread(id: string, ownerId: string, unread: boolean): Promise<boolean> {
    const where = { id, accountId: ownerId, unread: Not(unread) };
    const changes = { unread, unreadFrom: null };
    return (await this.uow.manager.update(ConversationParticipant, where, changes)).affected === 1;
  }

  /** Marks a slice of the conversations as read whose last posts are not above an id; returns them, the latest post first. */
  readUpTo(ownerId: string, lastStatusId: string): Promise<ReadRow[]> {
    return this.db.rows(readUpTo, [ownerId, lastStatusId]);
  }

  /** Returns false when the account does not own it. */
  async remove(id: string, ownerId: string): Promise<boolean> {
    return (await this.uow.manager.delete(ConversationParticipant, { id, accountId: ownerId })).affected === 1;
  }

  /** The recipients must be active accounts: the caller has checked them. Returns false when the account does not own it. */
  async setRecipients(id: string, ownerId: string, recipients: readonly string[]): Promise<boolean> {
    const changes = { recipients: [...recipients] };
    return (await this.uow.manager.update(ConversationParticipant, { id, accountId: ownerId }, changes)).affected === 1;
  }

  /** Counts the active accounts among the ids. */
  async countActive(accountIds: readonly string[]): Promise<number> {
    return (await this.db.first(active, [accountIds]))?.count ?? 0;
  }

  async unread(ownerId: string): Promise<number> {
    return (await this.db.first(unreadConversations, [ownerId]))?.unread ?? 0;
  }
}
