import { Injectable } from '@nestjs/common';
import { isExpired } from '../../accounts/index.js';
import { Database, purge, sql, UnitOfWork } from '../../platform/index.js';
import { ThreadMute } from '../model/conversation.entities.js';

// An expired mute counts as none.
const mute = sql(
  'thread_mutes.insert',
  `insert into thread_mutes as t (account_id, conversation_id, expires_at) values ($1, $2, $3)
   on conflict (account_id, conversation_id) do update set expires_at = excluded.expires_at, created_at = now()
   where ${isExpired('t')}`,
);

// Who mutes both mutes until the later end. Index: thread_mutes_conversation, thread_mutes_pkey.
const move = sql(
  'thread_mutes.move',
  `with slice as materialized (
     select * from thread_mutes where conversation_id = $1 order by account_id limit $3 for update),
   gone as (
     delete from thread_mutes t using slice where t.conversation_id = $1 and t.account_id = slice.account_id returning t.*)
   insert into thread_mutes as t (account_id, conversation_id, expires_at, created_at)
   select account_id, $2, expires_at, created_at from gone order by account_id
   on conflict (account_id, conversation_id) do update set
     expires_at = nullif(greatest(coalesce(t.expires_at, 'infinity'), coalesce(excluded.expires_at, 'infinity')), 'infinity')`,
);

/** All SQL that changes thread mutes. */
@Injectable()
export class ThreadMuteRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Returns false when the conversation is already muted. */
  async mute(accountId: string, conversationId: string, expiresAt: Date | null): Promise<boolean> {
    return (await this.db.run(mute, [accountId, conversationId, expiresAt])) === 1;
  }

  async unmute(accountId: string, conversationId: string): Promise<void> {
    await this.uow.manager.delete(ThreadMute, { accountId, conversationId });
  }

  /** Moves up to `limit` mutes to another conversation; returns how many. */
  move(from: string, to: string, limit: number): Promise<number> {
    return this.db.run(move, [from, to, limit]);
  }

  /** Deletes expired mutes. Index: thread_mutes_expires. */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'thread_mutes', where: isExpired('thread_mutes'), by: 'expires_at' });
  }
}
