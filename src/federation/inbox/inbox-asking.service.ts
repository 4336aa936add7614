import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AccountsService } from '../../accounts/index.js';
import { Settings } from '../../config/index.js';
import { Asker, ASKING, Handles, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { type Activity, parseActivity } from '../wire/activity.js';
import { readDocument } from '../wire/values.js';
import { ActivityRunner, type Incoming, WAITS_SECONDS } from './activity-runner.js';
import { InboxRepository, type QueuedActivity } from './inbox.repository.js';

/** Processes the activities of one host for which other servers have to be asked. */
export const AskForHost = job<{ host: string }>('inbox.ask-for-host', 'ask', { longestMs: 180_000, isResumed: true });

/** Activities of one host at the same time (threat S13). */
const AT_ONCE = 2;
/** A host that has more waits for the others then. */
const ROUND_MS = 30_000;
/** What these begin or change, a later activity changes or ends. */
const OF_OBJECTS: readonly string[] = ['Create', 'Update'];

/**
 * Activities for which other servers have to be asked. They leave the batches of the inbox, and wait for nobody but the
 * activities of their own host.
 */
@Injectable()
export class InboxAskingService {
  private readonly logger = new Logger(InboxAskingService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly asker: Asker,
    private readonly queue: InboxRepository,
    private readonly accounts: AccountsService,
    private readonly runner: ActivityRunner,
    private readonly settings: Settings,
  ) {}

  /** Lets activities leave their batch. */
  async defer(activities: readonly Incoming[]): Promise<void> {
    if (activities.length === 0) return;
    await this.uow.run(async () => {
      const moved = activities.map(({ row, activity }) => ({ id: row.id, about: aboutOf(activity) }));
      this.enqueue(await this.queue.ask(moved));
    });
  }

  /** Wakes the hosts with activities whose time has come. */
  async resume(): Promise<void> {
    await this.uow.run(async () => this.enqueue(await this.queue.askingHosts()));
  }

  /** Processes the due activities of a host, for some time. */
  @Handles(AskForHost)
  async work({ host }: { host: string }): Promise<void> {
    if (!this.settings.get('instance.federating')) return;
    const endsAt = performance.now() + ROUND_MS;
    const lane = async (): Promise<boolean> => {
      while (performance.now() < endsAt) {
        const row = await this.queue.claim(host, WAITS_SECONDS);
        if (!row) return true;
        await this.process(row);
      }
      return false;
    };
    const ended = await Promise.all(Array.from({ length: AT_ONCE }, lane));
    if (ended.includes(false)) await this.uow.run(() => this.enqueue([host]));
  }

  private enqueue(hosts: readonly string[]): void {
    for (const host of hosts) this.jobs.enqueue(AskForHost, { host }, { key: `inbox.ask:${host}` });
  }

  private async process(row: QueuedActivity): Promise<void> {
    const activity = parseActivity(readDocument(row.body));
    if (!activity || row.attempts > WAITS_SECONDS.length) {
      this.logger.warn(
        { host: row.host, type: activity?.type, id: activity?.id },
        'No try of an activity came to an end',
      );
      return this.queue.drop([row.id]);
    }
    const incoming = this.runner.begin(row, activity);
    const signer = await this.accounts.byId(row.actorId);
    await this.asker.within(ASKING, async () => {
      try {
        const prepared = await this.runner.prepare(incoming, signer);
        if ('effect' in prepared) await this.runner.run({ incoming, effect: prepared.effect });
        else {
          this.runner.logIgnored(incoming, prepared.ignored);
          await this.queue.drop([row.id]);
        }
      } catch (error) {
        await this.runner.later(incoming, error);
      } finally {
        incoming.work.span?.end();
      }
    });
  }
}

/**
 * Hashes of what an activity is about, as far as order matters among those of one actor: what a Create or Update is of, and
 * what an Undo undoes. A Delete waits for nothing, since what is deleted cannot come back.
 */
export function aboutOf({ id, type, object: { uri, activity } }: Activity): number[] {
  if (type === 'Delete') return [];
  const names = [id, `${type} ${uri}`];
  if (OF_OBJECTS.includes(type)) names.push(uri);
  if (type === 'Undo') names.push(uri, `${activity?.type} ${activity?.object.uri}`);
  return names.map((name) => hash('sha256', name, 'buffer').readInt32BE());
}
