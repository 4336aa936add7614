import { Injectable } from '@nestjs/common';
import { Bus, ListensAfterCommit, Recurs, Subscribes } from '../../platform/index.js';
import { MEDIA_FORGOTTEN } from './proxy.events.js';
import { MediaForgotten } from './proxy.events.js';
import { ProxyCache } from './proxy-cache.js';

const DAILY = 24 * 60;

/** Maintains the cache of other servers' files. */
@Injectable()
export class ProxyJobs {
  constructor(
    private readonly bus: Bus,
    private readonly cache: ProxyCache,
  ) {}

  /** Announces at once, and once more from a job process, since operator commands have no bus. */
  @ListensAfterCommit(MediaForgotten)
  @Subscribes(MediaForgotten, { job: 'media.forget', queue: 'maintenance' })
  forget({ digests }: MediaForgotten): void {
    this.bus.publish(MEDIA_FORGOTTEN, digests);
  }

  @Recurs({ job: 'media.sweep-proxy', everyMinutes: DAILY })
  async sweep(): Promise<void> {
    await this.cache.sweep();
  }
}
