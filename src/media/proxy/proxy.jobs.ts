import { Injectable } from '@nestjs/common';
import { Bus, ListensAfterCommit, Subscribes } from '../../platform/index.js';
import { MEDIA_FORGOTTEN, MediaForgotten } from './proxy.events.js';

/** Has every process forget files of other servers. */
@Injectable()
export class ProxyJobs {
  constructor(private readonly bus: Bus) {}

  /** Announces at once, and once more from a job process, since operator commands have no bus. */
  @ListensAfterCommit(MediaForgotten)
  @Subscribes(MediaForgotten, { job: 'media.forget', queue: 'maintenance' })
  forget({ digests }: MediaForgotten): void {
    this.bus.publish(MEDIA_FORGOTTEN, digests);
  }
}
