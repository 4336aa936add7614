import { Injectable } from '@nestjs/common';
import { Invalid, NotFound } from '../../common/index.js';
import { Recurs, DAILY } from '../../platform/index.js';
import { StatusesService } from '../core/statuses.service.js';
import { ThreadMuteRepository } from '../conversations/thread-mute.repository.js';

/** Mutes conversations (spec §4.3). */
@Injectable()
export class ThreadMutesService {
  constructor(
    private readonly statuses: StatusesService,
    private readonly repository: ThreadMuteRepository,
  ) {}

  /**
   * Mutes the conversation of a post for a number of seconds, or forever for 0. Returns the id of the post.
   * @throws NotFound for a status the account may not see, Invalid when the conversation is already muted
   */
  async mute(id: string, accountId: string, expiresIn: number): Promise<string> {
    const { id: postId, conversationId: threadId } = await this.statuses.visible(id, accountId);
    if (threadId === null) throw new NotFound();
    const expiresAt = expiresIn === 0 ? null : new Date(Date.now() + expiresIn * 1_000);
    const isNew = await this.repository.mute(accountId, threadId, expiresAt);
    if (!isNew) throw new Invalid('conversation is already muted');
    return postId;
  }

  /** Returns the id of the post. */
  async unmute(id: string, accountId: string): Promise<string> {
    const { id: postId, conversationId: threadId } = await this.statuses.visible(id, accountId);
    if (threadId !== null) await this.repository.unmute(accountId, threadId);
    return postId;
  }

  /** Deletes expired mutes. */
  @Recurs({ job: 'statuses.purge-thread-mutes', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.repository.purge();
  }
}
