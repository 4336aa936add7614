import { Injectable } from '@nestjs/common';
import { Database, type Keyset, sql } from '../../platform/index.js';
import {
  conversationPage,
  type ConversationRow,
  conversationsByIds,
  conversationsOf,
  conversationStatuses,
  joinConversation,
  leaveConversation,
  lockConversation,
  type BatchConversationRow,
  unreadConversations,
} from './conversation.sql.js';
import type { PageRow } from '../model/page.sql.js';
import type { StatusForViewer } from '../rendering/status-batch.repository.js';

/** What a conversation is to its owner, for those who act on it. */
export interface ParticipationRow {
  readonly conversation_id: string;
  /** Account ids, the owner's too. */
  readonly recipients: readonly string[];
}

const own = sql<ParticipationRow>(
  'conversations.own',
  `select conversation_id, coalesce(recipients, participants) as recipients from conversation_participants
   where id = $1 and account_id = $2`,
);

const read = sql(
  'conversations.read',
  `update conversation_participants set unread = false where id = $1 and account_id = $2`,
);

const readAll = sql<{ id: string }>(
  'conversations.read_all',
  `with changed as (
     update conversation_participants set unread = false where account_id = $1 and unread returning id, last_status_id)
   select id from changed order by last_status_id desc`,
);

const remove = sql('conversations.remove', `delete from conversation_participants where id = $1 and account_id = $2`);

// All of them or none: `$3` are accounts that are there and active.
const setRecipients = sql(
  'conversations.set_recipients',
  `update conversation_participants set recipients = $3::text[] where id = $1 and account_id = $2`,
);

const active = sql<{ count: number }>(
  'conversations.active_accounts',
  `select count(*)::int as count from accounts where id = any($1::text[]) and deactivated_at is null`,
);

const SWEPT_AT_ONCE = 1_000;
// Index: conversations_pkey, then statuses_conversation for each. Nobody can answer where there is no post.
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
  constructor(private readonly db: Database) {}

  /**
   * Removes those of the next conversations after an id that have no posts any more, whatever their kind. Answers the last id;
   * undefined when these were all.
   */
  async sweep(after: string): Promise<string | undefined> {
    return (await this.db.first(sweep, [after]))?.last ?? undefined;
  }

  /** Writes a direct post into the conversations of its people; needs its row and mentions. */
  async join(statusId: string): Promise<void> {
    await this.db.run(joinConversation, [statusId]);
  }

  /** Takes a direct post that is about to be deleted out of the conversations of its people. */
  async leave(statusId: string): Promise<void> {
    await this.db.run(lockConversation, [statusId]);
    for (const statement of leaveConversation) await this.db.run(statement, [statusId]);
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

  /** The conversations of viewers whose last posts they are shown, in no order. */
  ofStatuses(showings: readonly StatusForViewer[]): Promise<BatchConversationRow[]> {
    return this.db.rows(conversationsOf, [showings.map(({ id }) => id), showings.map(({ viewerId }) => viewerId)]);
  }

  own(id: string, ownerId: string): Promise<ParticipationRow | undefined> {
    return this.db.first(own, [id, ownerId]);
  }

  /** Its direct posts, newest first. */
  statuses(
    conversationId: string,
    viewerId: string,
    { direction, below, above, limit }: Keyset,
    withMuted: boolean,
  ): Promise<PageRow[]> {
    return this.db.rows(conversationStatuses[direction], [viewerId, conversationId, below, above, withMuted, limit]);
  }

  /** False when it is not the owner's. */
  async read(id: string, ownerId: string): Promise<boolean> {
    return (await this.db.run(read, [id, ownerId])) === 1;
  }

  /** Ids of what was not read before, the latest post first. */
  async readAll(ownerId: string): Promise<string[]> {
    return (await this.db.rows(readAll, [ownerId])).map(({ id }) => id);
  }

  /** False when it is not the owner's. */
  async remove(id: string, ownerId: string): Promise<boolean> {
    return (await this.db.run(remove, [id, ownerId])) === 1;
  }

  /** False when the conversation is not the owner's. */
  async setRecipients(id: string, ownerId: string, recipients: readonly string[]): Promise<boolean> {
    return (await this.db.run(setRecipients, [id, ownerId, recipients])) === 1;
  }

  /** How many of the accounts are there. */
  async countActive(accountIds: readonly string[]): Promise<number> {
    return (await this.db.first(active, [accountIds]))?.count ?? 0;
  }

  async unread(ownerId: string): Promise<number> {
    return (await this.db.first(unreadConversations, [ownerId]))?.unread ?? 0;
  }
}
