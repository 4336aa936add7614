import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type AccountRow, AccountsService } from '../../accounts/index.js';
import { unique } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import {
  Asker,
  DAILY,
  Handles,
  HOURLY,
  inSlices,
  job,
  Jobs,
  MustWait,
  Recurs,
  UnitOfWork,
} from '../../platform/index.js';
import { type Activity, parseActivity } from '../wire/activity.js';
import { instrumentOf } from '../wire/quote.js';
import { idOf, readDocument } from '../wire/values.js';
import { SeenActivitiesRepository } from '../fetch/seen-activities.repository.js';
import { ActivityRunner, type Incoming, type Ready, WAITS_SECONDS } from './activity-runner.js';
import { aboutOf, InboxAskingService } from './inbox-asking.service.js';
import type { Prepared } from './inbox-handler.js';
import { ActivityClaimed, type DueActivity, InboxRepository, type Subject } from './inbox.repository.js';

/** Processes what waits in the inbox. There is one such job at a time, which keeps the order of activities. */
export const DrainInbox = job<Record<string, never>>('inbox.drain', 'inbox', { isResumed: true });

const BATCH = 100;
/** After a batch that is not full: what arrives meanwhile is in the next, which costs hardly more for many than for few. */
const PAUSE_MS = 20;
/** Batches of one job. The next job goes on: one that lasted as long as more comes would never end (J7). */
const MOST_BATCHES = 100;

/** Turns queued activities into their effects, but for those that need something of another server: they leave the batch. */
@Injectable()
export class InboxDrainService {
  private readonly logger = new Logger(InboxDrainService.name);
  private waking: Promise<void> | undefined;
  private isDraining = false;
  /** How often more has come. */
  private wakes = 0;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly asker: Asker,
    private readonly queue: InboxRepository,
    private readonly accounts: AccountsService,
    private readonly runner: ActivityRunner,
    private readonly seen: SeenActivitiesRepository,
    private readonly asking: InboxAskingService,
    private readonly settings: Settings,
  ) {}

  /**
   * Makes sure that a job drains the queue: requests at the same time share one, a running one looks
   * again. A recurring job finds what is left.
   */
  async resume(): Promise<void> {
    this.wakes += 1;
    if (this.isDraining) return;
    this.waking ??= this.uow.outside(async () => {
      try {
        await this.uow.run(() => {
          this.jobs.enqueue(DrainInbox, {}, { key: DrainInbox.name });
        });
      } finally {
        this.waking = undefined;
      }
    });
    await this.waking;
  }

  /**
   * Processes batches until the queue is empty, and leaves what is too much for one job to another. Ends when it meets another
   * drain, which goes on: a process that lost its lease of the job may still be at work.
   */
  @Handles(DrainInbox)
  async drain(): Promise<void> {
    if (!this.isClosed() && !(await this.drainSome())) await this.resume();
  }

  /** Whether nothing was left, or another drain goes on. */
  private async drainSome(): Promise<boolean> {
    this.isDraining = true;
    try {
      for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
        const { wakes } = this;
        const rows = await this.queue.due(BATCH);
        if (rows.length === 0 && wakes === this.wakes) return true;
        const incoming = await this.parsed(rows);
        const waits = await this.waiting(rows, incoming);
        try {
          for (const wave of wavesOf(incoming)) await this.process(wave, waits);
        } finally {
          for (const { work } of incoming) work.span?.end();
        }
        if (rows.length < BATCH) await delay(PAUSE_MS);
      }
      return false;
    } catch (error) {
      if (!(error instanceof ActivityClaimed)) throw error;
      return true;
    } finally {
      this.isDraining = false;
    }
  }

  /** Forgets activities that are too old to be delivered again. */
  @Recurs({ job: 'inbox.purge-seen', everyMinutes: DAILY })
  async purgeSeen(): Promise<void> {
    await this.seen.purge();
  }

  /** Finds what is due again, and what a process left that died after it had received it. */
  @Recurs({ job: 'inbox.wake', everyMinutes: 1 })
  async resumeAll(): Promise<void> {
    if (this.isClosed()) return;
    await this.resume();
    await this.asking.resume();
  }

  /** Makes due what waits for longer than any try does: a clock that was ahead leaves such times. */
  @Recurs({ job: 'inbox.hasten', everyMinutes: HOURLY })
  async hasten(): Promise<void> {
    await this.queue.hasten(Math.max(...WAITS_SECONDS));
  }

  /** What was received waits while this server does not federate: much of it asks other servers. */
  private isClosed(): boolean {
    return !this.settings.get('instance.federating');
  }

  /** What of these activities that left earlier batches are about too: those that follow wait for them. */
  private async waiting(rows: readonly DueActivity[], incoming: readonly Incoming[]): Promise<Set<string>> {
    const beside = new Set(rows.filter((row) => row.othersAsk).map(({ id }) => id));
    const subjects = incoming.filter(({ row }) => beside.has(row.id)).flatMap(awaitedBy);
    const asking = subjects.length === 0 ? [] : await this.queue.asking(subjects);
    return new Set(asking.map(keyOf));
  }

  private async parsed(rows: readonly DueActivity[]): Promise<Incoming[]> {
    const incoming: Incoming[] = [];
    const unreadable: string[] = [];
    await inSlices(rows, (row) => {
      const activity = parseActivity(readDocument(row.body));
      if (activity) incoming.push(this.runner.begin(row, activity));
      else unreadable.push(row.id);
    });
    await this.queue.drop(unreadable);
    return incoming;
  }

  /** Runs the effects of all in one unit of work; when one fails, each in its own. */
  private async process(wave: readonly Incoming[], waits: Set<string>): Promise<void> {
    const asking: Incoming[] = [];
    const ready: Ready[] = [];
    const finished: string[] = [];
    const signers = await this.accounts.byIds(unique(wave.map(({ row }) => row.actorId)));
    const prepared = await Promise.all(
      wave.map((incoming) => {
        const signer = signers.find(({ id }) => id === incoming.row.actorId);
        return this.prepare(incoming, signer, waits);
      }),
    );
    for (const [at, result] of prepared.entries()) {
      const incoming = wave[at];
      if (!incoming || result === undefined) continue; // it is tried later
      if (result === 'asks') asking.push(incoming);
      else if ('effect' in result) ready.push({ incoming, effect: result.effect });
      else this.runner.logIgnored(incoming, result.ignored);
      if (result !== 'asks') finished.push(incoming.row.id);
    }
    await this.asking.defer(asking);
    try {
      await this.runner.store(ready, finished);
    } catch (error) {
      if (error instanceof ActivityClaimed) throw error;
      this.logger.warn({ err: error }, 'A batch of activities failed: each is tried alone');
      const ignoredIds = finished.filter((id) => !ready.some(({ incoming }) => incoming.row.id === id));
      await this.queue.drop(ignoredIds);
      for (const each of ready) await this.runner.run(each);
    }
  }

  /** Undefined when it is tried later. */
  private async prepare(
    incoming: Incoming,
    signer: AccountRow | undefined,
    waits: Set<string>,
  ): Promise<Prepared | 'asks' | undefined> {
    const keys = () => awaitedBy(incoming).map(keyOf);
    try {
      if (waits.size === 0 || !keys().some((key) => waits.has(key)))
        return await this.asker.without(() => this.runner.prepare(incoming, signer));
    } catch (error) {
      if (!(error instanceof MustWait)) {
        await this.runner.later(incoming, error);
        return undefined;
      }
    }
    for (const key of keys()) waits.add(key);
    return 'asks';
  }
}

/** What an activity follows earlier ones about. */
const awaitedBy = ({ row: { actorId }, activity }: Incoming): Subject[] =>
  aboutOf(activity).map((about) => ({ actorId, about }));

const keyOf = ({ actorId, about }: Subject) => `${actorId} ${about}`;

/** Splits a batch in order, so that no activity shares a wave with an earlier one that it builds on. */
function wavesOf(incoming: readonly Incoming[]): Incoming[][] {
  const waves: Incoming[][] = [];
  let subjects = new Set<string>();
  for (const each of incoming) {
    const own = subjectsOf(each.activity);
    if (waves.length === 0 || own.some((subject) => subjects.has(subject))) {
      waves.push([]);
      subjects = new Set();
    }
    waves.at(-1)?.push(each);
    for (const subject of own) subjects.add(subject);
  }
  return waves;
}

/** What an activity reads or writes: itself, the posts it names, and the pair of its actor and its object. */
function subjectsOf(incoming: Activity): string[] {
  const { id, actorUri, object, targetUri } = incoming;
  const { uri, json, activity } = object;
  const named = [id, uri, activity?.object.uri, idOf(json?.['inReplyTo']), instrumentOf(incoming)];
  const posts = named.filter((post) => post !== undefined);
  return [...posts, `${actorUri} ${activity?.object.uri ?? uri}`, targetUri ?? uri];
}
