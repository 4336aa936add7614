import { Injectable } from '@nestjs/common';
import { AttachmentDescribed } from '../media/index.js';
import { Subscribes } from '../platform/index.js';
import { StatusesService } from './core/statuses.service.js';

/** What happens to the files of posts. */
@Injectable()
export class AttachmentsSubscriber {
  constructor(private readonly statuses: StatusesService) {}

  @Subscribes(AttachmentDescribed, { job: 'statuses.refresh', queue: 'fanout' })
  async onDescribed({ statusId }: AttachmentDescribed): Promise<void> {
    await this.statuses.refresh(statusId);
  }
}
