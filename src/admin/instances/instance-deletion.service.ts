import { Inject, Injectable, Logger } from '@nestjs/common';
import { AccountDeletionService } from '../../accounts/index.js';
import { Forbidden, localDomains, normalizeDomain, NotFound } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import { blockedName, HostBlocksService } from '../../federation/index.js';
import { ENV, type Env, Handles, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

interface InstanceDeletion {
  readonly domain: string;
  /** How many accounts are deleted so far. */
  readonly deleted: number;
  /** Accounts that are deleted next; the job looks for others when there are none. */
  readonly accountIds?: readonly string[];
}

export const DeleteInstance = job<InstanceDeletion>('admin.delete-instance', 'maintenance');

/** Accounts of one job; other maintenance takes its turn in between. */
const BATCH = 50;
/** Accounts that are found at once, for the next jobs. */
const FOUND_AT_ONCE = 2_000;

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
    private readonly blocks: HostBlocksService,
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
    await this.orderAll(actor, [domain]);
    return domain;
  }

  /**
   * Orders the deletion of the accounts that the preview of a block counts: of each known server that the block concerns.
   * @throws NotFound when there are none
   */
  async orderBlocked(actor: Actor, host: string): Promise<void> {
    const { hosts, accounts } = await this.blocks.preview(blockedName(host));
    if (accounts === 0) throw new NotFound('Not found');
    await this.orderAll(actor, hosts);
  }

  private async orderAll(actor: Actor, domains: readonly string[]): Promise<void> {
    await this.uow.run(async () => {
      for (const domain of domains) this.enqueue({ domain, deleted: 0 });
      await this.log.record(
        actor,
        'instance_delete',
        domains.map((id) => ({ type: 'instance', id })),
      );
    });
  }

  /** Deletes some accounts, and leaves the rest to the next job, which is there if and only if these are deleted. */
  @Handles(DeleteInstance)
  async continue({ domain, deleted, accountIds = [] }: InstanceDeletion): Promise<void> {
    await this.uow.run(async () => {
      const found = accountIds.length > 0 ? accountIds : await this.deletion.listOfServer(domain, FOUND_AT_ONCE);
      const batch = found.slice(0, BATCH);
      for (const id of batch) await this.deletion.deleteRemote(id, { byStaff: true });
      const progress = { domain, deleted: deleted + batch.length };
      if (batch.length > 0) this.replace({ ...progress, accountIds: found.slice(BATCH) });
      this.uow.afterCommit(() =>
        this.logger.log(progress, found.length > 0 ? 'Deleting a server' : 'Deleted a server'),
      );
    });
  }

  /** Puts the next job in the place of the running one, whose payload it would keep otherwise. */
  private replace(progress: InstanceDeletion): void {
    this.jobs.cancel(keyOf(progress));
    this.enqueue(progress);
  }

  private enqueue(progress: InstanceDeletion): void {
    this.jobs.enqueue(DeleteInstance, progress, { key: keyOf(progress) });
  }
}

function keyOf({ domain }: InstanceDeletion): string {
  return `delete-instance:${domain}`;
}
