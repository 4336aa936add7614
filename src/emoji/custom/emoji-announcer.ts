import { Injectable } from '@nestjs/common';
import { Bus, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import { EMOJI_CHANGED, EmojiChanged } from '../model/emoji.events.js';

/**
 * Tells every process to read the emoji again: at once from the process that changed them, and once more from whichever
 * process runs jobs, since an operator's command is a process that the others cannot hear.
 */
@Injectable()
export class EmojiAnnouncer {
  constructor(private readonly bus: Bus) {}

  @ListensAfterCommit(EmojiChanged)
  @Subscribes(EmojiChanged, { job: 'emoji.announce', queue: 'stream' })
  announce(): void {
    this.bus.publish(EMOJI_CHANGED, {});
  }
}
