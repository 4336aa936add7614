import { Injectable } from '@nestjs/common';
import { NotFound, searchedDomain } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import { type HostRow, HostsService, InboxMetrics } from '../../federation/index.js';
import {
  type FailedJob,
  isBigintId,
  type JobCount,
  JobRepository,
  parseUrl,
  UnitOfWork,
} from '../../platform/index.js';
import type { ModerationAction } from '../log/moderation-log.messages.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

const MOST_FAILED = 100;
const MOST_HOSTS = 100;

/** What waits in the server, for administrators. */
export interface QueuesOverview {
  readonly jobs: readonly JobCount[];
  /** The jobs that failed for good, the oldest 100. */
  readonly failed: readonly FailedJob[];
  readonly deliveries: { readonly due: number; readonly waiting: number };
  /** Servers with deliveries, and those that are not reached: at most 100, the worst first. */
  readonly hosts: readonly HostRow[];
  /** Received activities that wait for their effect, and the age of the oldest in seconds. */
  readonly inbox: { readonly waiting: number; readonly oldest: number };
}

/** Shows the queues to administrators, and acts on what failed, with entries in the moderation log; for `ctl jobs` too. */
@Injectable()
export class AdminQueuesService {
  constructor(
    private readonly jobs: JobRepository,
    private readonly hosts: HostsService,
    private readonly inbox: InboxMetrics,
    private readonly uow: UnitOfWork,
    private readonly log: ModerationLogService,
  ) {}

  /** Reads all rows of jobs and deliveries. */
  async overview(): Promise<QueuesOverview> {
    const [jobs, failed, deliveries, hosts, inbox] = await Promise.all([
      this.jobs.countsByName(),
      this.jobs.listFailed(MOST_FAILED),
      this.hosts.deliveries(),
      this.hosts.list(MOST_HOSTS),
      this.inbox.depth(),
    ]);
    return { jobs, failed, deliveries, hosts, inbox };
  }

  /**
   * Lets a job that failed for good run again; returns its name.
   * @throws NotFound also when the same work was asked for since
   */
  retry(actor: Actor, id: string): Promise<string> {
    return this.change(actor, 'job_retry', id, (known) => this.jobs.retryOne(known));
  }

  /** Lets all jobs that failed for good run again; returns their number. */
  retryAll(actor: Actor): Promise<number> {
    return this.uow.run(async () => {
      const count = await this.jobs.retryFailed();
      if (count > 0) await this.log.record(actor, 'job_retry_all', [], { count });
      return count;
    });
  }

  /**
   * Removes a job that failed for good: its work is never done. Returns its name.
   * @throws NotFound
   */
  drop(actor: Actor, id: string): Promise<string> {
    return this.change(actor, 'job_drop', id, (known) => this.jobs.drop(known));
  }

  /**
   * Lets what waits for a server be tried at once, also when it was given up.
   * @param name also in capitals, or with other letters than those of ASCII
   * @throws NotFound for what is no name of a host
   */
  async retryHost(actor: Actor, name: string): Promise<void> {
    const host = searchedDomain(name);
    if (parseUrl(`https://${host}`)?.host !== host) throw new NotFound();
    await this.uow.run(async () => {
      await this.hosts.retry(host);
      await this.log.record(actor, 'host_retry', { type: 'instance', id: host });
    });
  }

  private change(
    actor: Actor,
    action: ModerationAction,
    id: string,
    act: (id: string) => Promise<string | undefined>,
  ): Promise<string> {
    return this.uow.run(async () => {
      const name = isBigintId(id) ? await act(id) : undefined;
      if (name === undefined) throw new NotFound();
      await this.log.record(actor, action, { type: 'job', id }, { name });
      return name;
    });
  }
}
