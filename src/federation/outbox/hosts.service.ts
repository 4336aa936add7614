import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { type HostRow, HostsRepository } from './hosts.repository.js';

const HOUR_MS = 3_600_000;
const MOST_UNREACHABLE = 1_000;
/** Hosts whose time is remembered. */
const MOST_HEARD = 10_000;

/** Which other servers can be reached. */
@Injectable()
export class HostsService {
  private readonly heardAt = new Map<string, number>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly hosts: HostsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** A verified request of a host arrived, so it works: also one that was given up. Cheap for the next hour. */
  async heardFrom(host: string): Promise<void> {
    const now = Date.now();
    if (now - (this.heardAt.get(host) ?? 0) < HOUR_MS) return;
    if (this.heardAt.size >= MOST_HEARD) this.heardAt.clear();
    this.heardAt.set(host, now);
    await this.uow.run(async () => {
      await this.hosts.reached(host, null);
      await this.deliveries.release(host);
    });
  }

  /** Hosts with deliveries and hosts that are not reached, the worst first. */
  list(limit: number): Promise<HostRow[]> {
    return this.hosts.list(limit);
  }

  /** When each host that is not reached was first not reached: the earliest 1,000. */
  async unreachable(): Promise<Record<string, string>> {
    const hosts = await this.hosts.unreachableHosts(MOST_UNREACHABLE);
    return Object.fromEntries(hosts.map(({ host, unreachableSince: since }) => [host, since?.toISOString() ?? '']));
  }

  /** Lets a host be tried again, also one that was given up. */
  async retry(host: string): Promise<void> {
    this.heardAt.delete(host);
    await this.heardFrom(host);
  }
}
