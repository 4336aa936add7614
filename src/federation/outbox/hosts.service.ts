import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HOURLY, Jobs, Recurs, UnitOfWork } from '../../platform/index.js';
import { type ReachableHostListener, ReachableHosts } from '../fetch/reachable-hosts.port.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { LONGEST_RETRY_SECONDS } from './delivery-outcome.js';
import { type HostRow, HostsRepository } from './hosts.repository.js';
import { hostKey, ProbeHost } from './outbox.service.js';
import { WaitingDeliveriesService } from './waiting-deliveries.service.js';

/** A host is marked at most once in this time. */
const MARKED_MS = 20_000;
const MOST_UNREACHABLE = 1_000;
/** Maximum number of hosts in memory. */
const MOST_MARKED = 10_000;

/** Which other servers can be reached. Fills the port {@link ReachableHosts}. */
@Injectable()
export class HostsService implements ReachableHostListener, OnModuleInit {
  /** In milliseconds of a clock that is never set. */
  private readonly markedAt = new Map<string, number>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly hosts: HostsRepository,
    private readonly deliveryRows: DeliveriesRepository,
    private readonly waiting: WaitingDeliveriesService,
    private readonly jobs: Jobs,
    private readonly reachable: ReachableHosts,
  ) {}

  onModuleInit(): void {
    this.reachable.use(this);
  }

  /**
   * A verified request of a host arrived, or it answered one, so it works, also one that was given up: what waits for it is
   * tried at once. Cheap for the next seconds.
   */
  async markReachable(host: string): Promise<void> {
    const now = performance.now();
    if (now - (this.markedAt.get(host) ?? -Infinity) < MARKED_MS) return;
    if (this.markedAt.size >= MOST_MARKED) this.markedAt.clear();
    this.markedAt.set(host, now);
    try {
      await this.uow.run(async () => {
        if (await this.hosts.markReachable(host)) await this.tryNow(host);
      });
    } catch (error) {
      this.markedAt.delete(host);
      throw error;
    }
  }

  /** Hosts with deliveries and hosts that are not reached, the worst first. */
  list(limit: number): Promise<HostRow[]> {
    return this.hosts.list(limit);
  }

  /** The numbers of deliveries that are due, and that wait. Reads all rows. */
  deliveries(): Promise<{ due: number; waiting: number }> {
    return this.deliveryRows.counts();
  }

  /** When each host that is not reached was first not reached: the earliest 1,000. */
  async unreachable(): Promise<Record<string, string>> {
    const hosts = await this.hosts.unreachableHosts(MOST_UNREACHABLE);
    return Object.fromEntries(hosts.map(({ host, unreachableSince: since }) => [host, since?.toISOString() ?? '']));
  }

  /** Lets a host be tried again, also one that was given up, and its gone inboxes. */
  async retry(host: string): Promise<void> {
    await this.uow.run(async () => {
      await this.hosts.reached(host, null);
      await this.hosts.forgetGone(host);
      await this.tryNow(host);
    });
  }

  /** Lets hosts be tried whose times are further away than any pause: a clock that was ahead leaves such times. */
  @Recurs({ job: 'federation.hasten', everyMinutes: HOURLY })
  async hasten(): Promise<void> {
    await this.hosts.hasten();
    for (const host of await this.deliveryRows.delayedHosts(LONGEST_RETRY_SECONDS))
      await this.uow.run(() => this.tryNow(host));
  }

  private async tryNow(host: string): Promise<void> {
    await this.waiting.release(host);
    this.jobs.enqueue(ProbeHost, { host }, { key: hostKey(host) });
  }
}
