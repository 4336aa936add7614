import { Injectable } from '@nestjs/common';
import { Broadcaster, ListensAfterCommit, Subscribes } from '../platform/index.js';
import { EMOJI_CHANGED, EmojiChanged } from './model/emoji.events.js';

@Injectable()
export class EmojiJobs {
  constructor(private readonly broadcaster: Broadcaster) {}

  /**
   * Every process reads the emoji again: at once when the process that changed them says so, and once more when a worker
   * does, since an operator's command sends no messages to other processes.
   */
  @ListensAfterCommit(EmojiChanged)
  @Subscribes(EmojiChanged, { job: 'emoji.announce', queue: 'stream' })
  announce(): Promise<void> {
    return this.broadcaster.broadcast(EMOJI_CHANGED);
  }
}
