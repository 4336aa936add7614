import { Injectable } from '@nestjs/common';
import { Handles, Recurs } from '../../platform/index.js';
import { DeliveryService } from './delivery.service.js';
import { DeliverHost, OutboxService, ProbeHost } from './outbox.service.js';

const DAY_MINUTES = 24 * 60;
/** Much longer than deliveries are tried. */
const KEPT_DAYS = 30;

@Injectable()
export class DeliveryJobs {
  constructor(
    private readonly delivery: DeliveryService,
    private readonly outbox: OutboxService,
  ) {}

  @Handles(DeliverHost)
  async deliver({ host }: { host: string }): Promise<void> {
    await this.delivery.deliver(host);
  }

  @Handles(ProbeHost)
  async probe({ host }: { host: string }): Promise<void> {
    await this.delivery.deliver(host);
  }

  @Recurs({ job: 'federation.wake-hosts', everyMinutes: 1, queue: 'probe' })
  async resumeHosts(): Promise<void> {
    await this.delivery.resumeHosts();
  }

  @Recurs({ job: 'federation.purge-activities', everyMinutes: DAY_MINUTES })
  async purge(): Promise<void> {
    await this.outbox.purge(KEPT_DAYS);
  }
}
