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

  /** Deletes expired mutes. Index: thread_mutes_expires. */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'thread_mutes', where: isExpired('thread_mutes'), by: 'expires_at' });
  }
}
