import { Inject, Injectable, Logger } from '@nestjs/common';
import { AccountDeletionService } from '../../accounts/index.js';
import { Forbidden, localDomains, normalizeDomain, NotFound } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import { ENV, type Env, Handles, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

interface InstanceDeletion {
  readonly domain: string;
  /** How many accounts are deleted so far. */
  readonly deleted: number;
}

export const DeleteInstance = job<InstanceDeletion>('admin.delete-instance', 'maintenance');

/** Accounts of one job; other maintenance takes its turn in between. */
const BATCH = 50;

/** Deletes all accounts of another server, with everything they have here. */
@Injectable()
export class InstanceDeletionService {
  private readonly logger = new Logger(InstanceDeletionService.name);
  private readonly ownDomains: readonly string[];

  constructor(
    @Inject(ENV) env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly log: ModerationLogService,
    private readonly deletion: AccountDeletionService,
  ) {
    this.ownDomains = localDomains(env);
  }

  /**
   * Orders the deletion; returns the name of the server. Ordering it again changes nothing.
   * @throws NotFound for a server without known accounts, Forbidden for this server
   */
  async order(actor: Actor, name: string): Promise<string> {
    const domain = normalizeDomain(name);
    if (domain === undefined) throw new NotFound('Not found');
    if (this.ownDomains.includes(domain)) throw new Forbidden('This server cannot be deleted');
    if (!(await this.deletion.hasAccountsOf(domain))) throw new NotFound('Not found');
    await this.uow.run(async () => {
      this.enqueue({ domain, deleted: 0 });
      await this.log.record(actor, 'instance_delete', { type: 'instance', id: domain });
    });
    return domain;
  }

  /** Deletes some accounts, and leaves the rest to the next job, which is there if and only if these are deleted. */
  @Handles(DeleteInstance)
  async continue({ domain, deleted }: InstanceDeletion): Promise<void> {
    await this.uow.run(async () => {
      const count = await this.deletion.deleteSomeOf(domain, BATCH);
      const progress = { domain, deleted: deleted + count };
      if (count > 0) this.enqueue(progress);
      this.uow.afterCommit(() => this.logger.log(progress, count > 0 ? 'Deleting a server' : 'Deleted a server'));
    });
  }

  private enqueue(progress: InstanceDeletion): void {
    this.jobs.enqueue(DeleteInstance, progress, { key: `delete-instance:${progress.domain}` });
  }
}
