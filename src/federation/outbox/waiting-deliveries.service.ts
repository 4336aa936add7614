import { Injectable } from '@nestjs/common';
import { Handles, job, Jobs, UnitOfWork, walkSlices } from '../../platform/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { hostKey, ProbeHost } from './outbox.service.js';

/** Makes more deliveries to a host due that works again. */
export const ReleaseDeliveries = job<{ host: string }>('deliver.release', 'federate');
/** Drops more deliveries to a host that cannot be reached. */
export const DropDeliveries = job<{ host: string }>('deliver.drop', 'federate');

/** Deliveries that one unit of work changes: a host may have 100,000, and a request of it waits for the unit. */
const SLICE = 1_000;

/** Deliveries that wait for a host. Each method does the first slice in the open unit of work; jobs of it do the rest. */
@Injectable()
export class WaitingDeliveriesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** Makes due at once what waits for a host that works again, in the order in which it was due anyway. */
  async release(host: string): Promise<void> {
    if ((await this.deliveries.release(host, SLICE)) === SLICE)
      this.jobs.enqueue(ReleaseDeliveries, { host }, { key: `deliver.release:${host}` });
  }

  /** Drops what has waited for too long, or everything for a host that was given up; returns how much of it so far. */
  async drop(host: string): Promise<number> {
    const dropped = await this.deliveries.drop(host, SLICE);
    if (dropped === SLICE) this.jobs.enqueue(DropDeliveries, { host }, { key: `deliver.drop:${host}` });
    return dropped;
  }

  /** Lets the time begin anew for which deliveries are tried. Safe to run twice; outside a unit of work. */
  async renew(): Promise<void> {
    await walkSlices('0', (after) => this.deliveries.renew(after, SLICE), { rests: false });
  }

  /** Safe to run twice. Wakes the host, whose job may have ended meanwhile. */
  @Handles(ReleaseDeliveries)
  async releaseMore({ host }: { host: string }): Promise<void> {
    await this.uow.run(async () => {
      await this.release(host);
      this.jobs.enqueue(ProbeHost, { host }, { key: hostKey(host) });
    });
  }

  /** Safe to run twice. A host that was given up, and works again, keeps what was not dropped yet. */
  @Handles(DropDeliveries)
  async dropMore({ host }: { host: string }): Promise<void> {
    await this.uow.run(() => this.drop(host));
  }
}
