import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { TagsService } from './tags.service.js';

const DAILY = 24 * 60;

/** Keeps the history of tags up to date. */
@Injectable()
export class TagsJobs {
  constructor(private readonly tags: TagsService) {}

  @Recurs({ job: 'tags.count', everyMinutes: 10 })
  async count(): Promise<void> {
    await this.tags.count();
  }

  @Recurs({ job: 'tags.sweep', everyMinutes: DAILY })
  async sweep(): Promise<void> {
    await this.tags.sweep();
  }

  @Recurs({ job: 'tags.count-week', everyMinutes: DAILY })
  async countWeek(): Promise<void> {
    await this.tags.countWeek();
  }
}
