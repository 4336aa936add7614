import { Injectable } from '@nestjs/common';
import { Broadcasts, ListensAfterCommit, Subscribes } from '../platform/index.js';
import { EMOJI_CHANGED, EmojiChanged } from './model/emoji.events.js';

@Injectable()
export class EmojiJobs {
  constructor(private readonly broadcasts: Broadcasts) {}

  /**
   * Every process reads the emoji again: at once when the process that changed them says so, and once more when a worker
   * does, since an operator's command sends no messages to other processes.
   */
  @ListensAfterCommit(EmojiChanged)
  @Subscribes(EmojiChanged, { job: 'emoji.announce', queue: 'stream' })
  announce(): Promise<void> {
    return this.broadcasts.send(EMOJI_CHANGED);
  }
}
