import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics, UnitOfWork } from '../../platform/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryOutcome } from './delivery-outcome.js';
import { HostsRepository } from './hosts.repository.js';

/** Adds to the metrics what waits for other servers, and how they answer. */
@Injectable()
export class DeliveryMetrics implements OnModuleInit {
  private readonly attempts;

  constructor(
    private readonly metrics: Metrics,
    private readonly uow: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly hosts: HostsRepository,
  ) {
    this.attempts = metrics.counter('svc_delivery_attempts_total', 'Attempts to deliver activities', ['outcome']);
  }

  onModuleInit(): void {
    this.metrics.gauges('svc_deliveries', 'Deliveries that are due, or wait for another attempt', 'state', async () => {
      const { due, waiting } = await this.uow.outside(() => this.deliveries.counts());
      return { due, waiting };
    });
    this.metrics.gauges('svc_remote_hosts', 'Servers that activities were sent to', 'state', async () => {
      const counts = await this.uow.outside(() => this.hosts.countsByState());
      const none = { ok: 0, failing: 0, dead: 0 };
      return { ...none, ...Object.fromEntries(counts.map(({ state, count }) => [state, count])) };
    });
  }

  count(outcome: DeliveryOutcome['kind']): void {
    this.attempts.inc({ outcome });
  }
}
