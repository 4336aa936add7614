import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type AccountRow, AccountsService } from '../../accounts/index.js';
import { unique } from '../../common/index.js';
import { job, Jobs, messageOf, OutboundError, UnitOfWork } from '../../platform/index.js';
import { PoliciesService } from '../policies/policies.service.js';
import { RemotePosts } from '../fetch/remote-posts.js';
import { type Activity, parseActivity } from '../wire/activity.js';
import { idOf, readDocument } from '../wire/values.js';
import { type Effect, ignored, INBOX_HANDLERS, type InboxHandler, type Prepared } from './inbox-handler.js';
import { ActivityTaken, InboxRepository, type QueuedActivity } from './inbox.repository.js';

/** Processes what waits in the inbox. There is one such job at a time, which keeps the order of activities. */
export const DrainInbox = job<Record<string, never>>('inbox.drain', 'inbox');

const BATCH = 100;
/** After a batch that is not full: what arrives meanwhile is in the next, which costs hardly more for many than for few. */
const PAUSE_MS = 20;
const SEEN_DAYS = 14;
/** Tries after which an activity is given up, and the wait before each, in seconds. */
const WAITS_SECONDS = [30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600];

/** An activity with its queue row. */
interface Incoming {
  readonly row: QueuedActivity;
  readonly activity: Activity;
}

/** Turns queued activities into their effects. */
@Injectable()
export class InboxDrainService {
  private readonly logger = new Logger(InboxDrainService.name);
  private readonly handlers = new Map<string, readonly InboxHandler[]>();
  private waking: Promise<void> | undefined;
  private isDraining = false;
  /** How often more has come. */
  private wakes = 0;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly queue: InboxRepository,
    private readonly accounts: AccountsService,
    private readonly posts: RemotePosts,
    private readonly policies: PoliciesService,
    @Inject(INBOX_HANDLERS) handlers: readonly InboxHandler[],
  ) {
    for (const handler of handlers)
      for (const type of handler.types) this.handlers.set(type, [...(this.handlers.get(type) ?? []), handler]);
  }

  /** Whether activities of a type have an effect here; all others are dropped before they are stored. */
  handles(type: string): boolean {
    return type === 'Undo' || this.handlers.has(type);
  }

  /**
   * Makes sure that a job drains the queue: requests at the same time share one, a running one looks
   * again. A recurring job finds what is left.
   */
  async wake(): Promise<void> {
    this.wakes += 1;
    if (this.isDraining) return;
    this.waking ??= this.uow.outside(async () => {
      try {
        await this.uow.run(() => {
          this.jobs.enqueue(DrainInbox, {}, { key: DrainInbox.name });
          return Promise.resolve();
        });
      } finally {
        this.waking = undefined;
      }
    });
    await this.waking;
  }

  /**
   * Processes batches until the queue is empty. Ends when it meets another drain, which goes on: a process that lost its
   * lease of the job may still be at work.
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    try {
      for (;;) {
        const { wakes } = this;
        const rows = await this.queue.due(BATCH);
        if (rows.length === 0 && wakes === this.wakes) return;
        const incoming = await this.parsed(rows);
        for (const wave of wavesOf(incoming)) await this.process(wave);
        if (rows.length < BATCH) await delay(PAUSE_MS);
      }
    } catch (error) {
      if (!(error instanceof ActivityTaken)) throw error;
    } finally {
      this.isDraining = false;
    }
  }

  /** Removes the ids of activities that are too old to be delivered again. */
  async purgeSeen(): Promise<void> {
    await this.queue.purgeSeen(SEEN_DAYS);
  }

  private async parsed(rows: readonly QueuedActivity[]): Promise<Incoming[]> {
    const incoming = rows.map((row) => ({ row, activity: parseActivity(readDocument(row.body)) }));
    const readable = incoming.filter((each): each is Incoming => each.activity !== undefined);
    const unreadable = incoming.filter(({ activity }) => !activity).map(({ row }) => row.id);
    await this.queue.drop(unreadable);
    return readable;
  }

  /** Runs the effects of all in one unit of work; when one fails, each in its own. */
  private async process(wave: readonly Incoming[]): Promise<void> {
    const ready: { incoming: Incoming; effect: Effect }[] = [];
    const finished: string[] = [];
    const signers = await this.accounts.byIds(unique(wave.map(({ row }) => row.actor_id)));
    const prepared = await Promise.all(
      wave.map((incoming) => {
        const signer = signers.find(({ id }) => id === incoming.row.actor_id);
        return this.prepare(incoming, signer);
      }),
    );
    for (const [at, result] of prepared.entries()) {
      const incoming = wave[at];
      if (!incoming || result === undefined) continue; // it is tried later
      if ('effect' in result) ready.push({ incoming, effect: result.effect });
      else this.logIgnored(incoming, result.ignored);
      finished.push(incoming.row.id);
    }
    try {
      await this.uow.run(async () => {
        // Their statements leave together, since no two of a wave are about the same.
        const effects = await Promise.allSettled(ready.map(({ effect }) => effect()));
        const failed = effects.find((result) => result.status === 'rejected');
        if (failed) throw failed.reason;
        await this.queue.done(finished);
      });
    } catch (error) {
      if (error instanceof ActivityTaken) throw error;
      this.logger.warn({ err: error }, 'A batch of activities failed: each is tried alone');
      const ignoredIds = finished.filter((id) => !ready.some(({ incoming }) => incoming.row.id === id));
      await this.queue.drop(ignoredIds);
      for (const { incoming, effect } of ready) await this.processAlone(incoming, effect);
    }
  }

  private async processAlone(incoming: Incoming, effect: Effect): Promise<void> {
    try {
      await this.uow.run(async () => {
        await effect();
        await this.queue.done([incoming.row.id]);
      });
    } catch (error) {
      if (error instanceof ActivityTaken) throw error;
      await this.later(incoming, error);
    }
  }

  /** Undefined when what it needs cannot be fetched now: then it is tried later. */
  private async prepare(incoming: Incoming, signer: AccountRow | undefined): Promise<Prepared | undefined> {
    const { row, activity } = incoming;
    try {
      if (!signer || signer.deactivated_at !== null) return ignored('Its actor is not active');
      const refusal = this.policies.refusal(activity, signer);
      if (refusal !== undefined) return ignored(refusal);
      if (signer.ap_id !== activity.actorUri) return await this.prepareForwarded(activity);
      return await this.dispatch(activity, signer, row);
    } catch (error) {
      await this.later(incoming, error);
      return undefined;
    }
  }

  /** An activity that another actor signed proves nothing: a new post is fetched from its own server. */
  private async prepareForwarded({ type, object }: Activity): Promise<Prepared> {
    if (type !== 'Create') return ignored('Another actor signed it');
    const status = await this.posts.resolve(object.uri);
    return status ? { effect: () => Promise.resolve() } : ignored('Its post cannot be fetched from its server');
  }

  private async dispatch(activity: Activity, signer: AccountRow, { inbox_of: inboxOf }: QueuedActivity) {
    let result = ignored('The type is not supported');
    for (const type of keysOf(activity)) {
      for (const handler of this.handlers.get(type) ?? []) {
        result = await handler.prepare(activity, signer, { inboxOf });
        if ('effect' in result) return result;
      }
    }
    return result;
  }

  private async later({ row, activity }: Incoming, error: unknown): Promise<void> {
    const wait = WAITS_SECONDS[row.attempts];
    const isExpected = error instanceof OutboundError;
    const facts = { host: row.host, type: activity.type, id: activity.id, reason: messageOf(error) };
    if (!isExpected) this.logger.error({ ...facts, err: error }, 'An activity failed');
    if (wait === undefined) {
      this.logger.warn(facts, 'An activity was given up');
      await this.queue.drop([row.id]);
    } else await this.queue.retry(row.id, wait, messageOf(error));
  }

  private logIgnored({ row, activity }: Incoming, reason: string): void {
    this.logger.debug({ host: row.host, type: activity.type, id: activity.id, reason }, 'An activity had no effect');
  }
}

/** The names under which handlers are found. What an Undo undoes may be named by its id only. */
function keysOf({ type, object }: Activity): string[] {
  if (type !== 'Undo') return [type];
  return object.activity ? [`Undo ${object.activity.type}`] : ['Undo Follow', 'Undo Announce'];
}

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
function subjectsOf({ id, actorUri, object: { uri, json, activity }, targetUri }: Activity): string[] {
  const posts = [id, uri, activity?.object.uri, idOf(json?.['inReplyTo'])].filter((post) => post !== undefined);
  return [...posts, `${actorUri} ${activity?.object.uri ?? uri}`, targetUri ?? uri];
}
