import { Injectable } from '@nestjs/common';
import { Bus, ListensAfterCommit, Recurs, Subscribes } from '../platform/index.js';
import { EMOJI_CHANGED, EmojiChanged } from './model/emoji.events.js';
import { PackStore } from './packs/pack.store.js';

const DAILY = 24 * 60;

@Injectable()
export class EmojiJobs {
  constructor(
    private readonly bus: Bus,
    private readonly packs: PackStore,
  ) {}

  /**
   * Every process reads the emoji again: at once when the process that changed them says so, and once more when a worker
   * does, since an operator's command sends no messages to other processes.
   */
  @ListensAfterCommit(EmojiChanged)
  @Subscribes(EmojiChanged, { job: 'emoji.announce', queue: 'stream' })
  announce(): void {
    this.bus.publish(EMOJI_CHANGED, {});
  }

  @Recurs({ job: 'emoji.sweep-drafts', everyMinutes: DAILY })
  async sweepDrafts(): Promise<void> {
    await this.packs.sweepDrafts();
  }
}
