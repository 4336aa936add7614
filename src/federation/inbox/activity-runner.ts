import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AccountRow } from '../../accounts/index.js';
import {
  currentWork,
  errorTypeOf,
  messageOf,
  OutboundError,
  runWork,
  Tracing,
  UnitOfWork,
  type Work,
} from '../../platform/index.js';
import { RemoteStatusFetcher } from '../fetch/remote-status-fetcher.js';
import { PoliciesService } from '../policies/policies.service.js';
import { RelaysService } from '../relays/relays.service.js';
import { type Activity, isRetraction } from '../wire/activity.js';
import { parseObject, type RemoteObject } from '../wire/object.js';
import { ForwardingService } from './forwarding.service.js';
import { SeenActivitiesRepository } from '../fetch/seen-activities.repository.js';
import { type Effect, ignored, INBOX_HANDLERS, type InboxHandler, type Prepared } from './inbox-handler.js';
import { ActivityClaimed, InboxRepository, type QueuedActivity } from './inbox.repository.js';
import { ForwardedStatuses } from './forwarded-statuses.js';
import { NOT_CONCERNED, Relevance } from './relevance.js';

/** Tries after which an activity is given up, and the wait before each, in seconds. */
export const WAITS_SECONDS = [30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600];

/** An activity with its queue row. */
export interface Incoming {
  readonly row: QueuedActivity;
  readonly activity: Activity;
  /** Its processing, which follows from the request that brought it. */
  readonly work: Work;
}

/** An activity whose effect was prepared. */
export interface Ready {
  readonly incoming: Incoming;
  readonly effect: Effect;
}

/** Turns one queued activity into its effect, and decides what becomes of one that failed. */
@Injectable()
export class ActivityRunner {
  private readonly logger = new Logger(ActivityRunner.name);
  private readonly handlers = new Map<string, readonly InboxHandler[]>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly queue: InboxRepository,
    private readonly seen: SeenActivitiesRepository,
    private readonly posts: RemoteStatusFetcher,
    private readonly policies: PoliciesService,
    private readonly relays: RelaysService,
    private readonly forwarded: ForwardedStatuses,
    private readonly relevance: Relevance,
    private readonly forwarding: ForwardingService,
    private readonly tracing: Tracing,
    @Inject(INBOX_HANDLERS) handlers: readonly InboxHandler[],
  ) {
    for (const handler of handlers)
      for (const type of handler.types) this.handlers.set(type, [...(this.handlers.get(type) ?? []), handler]);
  }

  /** Whether activities of a type have an effect here; all others are dropped before they are stored. */
  handles(type: string): boolean {
    return type === 'Undo' || this.handlers.has(type);
  }

  /** Begins the processing of an activity as work of its own: one job processes what many requests brought. */
  begin(row: QueuedActivity, activity: Activity): Incoming {
    const { requestId, traceparent: parent, host, attempts } = row;
    const attributes = {
      'server.address': host,
      'svc.activity.type': activity.type,
      'svc.activity.attempt': attempts + 1,
    };
    const link = currentWork()?.span;
    const span = this.tracing.begin({ name: 'receive', kind: 'consumer', parent, link, attributes });
    return { row, activity, work: { requestId: requestId ?? undefined, span } };
  }

  /** @throws OutboundError to be tried later, MustWait where other servers may not be asked */
  prepare(incoming: Incoming, signer: AccountRow | undefined): Promise<Prepared> {
    return runWork(incoming.work, () => this.prepareNow(incoming, signer));
  }

  private async prepareNow({ row, activity }: Incoming, signer: AccountRow | undefined): Promise<Prepared> {
    if (!signer || !mayAct(signer, activity)) return ignored('Its actor is not active');
    const refusal = await this.policies.refusal(activity, signer);
    if (refusal !== undefined) return ignored(refusal);
    if (signer.apId !== activity.actorUri) return this.prepareForwarded(activity, signer);
    return this.dispatch(activity, signer, row);
  }

  /** Stores the effect of one activity. */
  async run(ready: Ready): Promise<void> {
    try {
      await this.store([ready], [ready.incoming.row.id]);
    } catch (error) {
      if (error instanceof ActivityClaimed) throw error;
      await this.later(ready.incoming, error);
    }
  }

  /** Stores the effects of activities in one unit of work, and removes the finished rows from the queue. */
  async store(ready: readonly Ready[], finished: readonly string[]): Promise<void> {
    await this.uow.run(async () => {
      const signed = ready.map(({ incoming: { activity, row } }) => ({ activity, signerId: row.actorId }));
      const claimed = await this.seen.claim(signed);
      // Their statements leave together, since no two of a wave are about the same.
      const effects = await Promise.allSettled(
        ready.map(async ({ effect, incoming }, at) => (claimed[at] ? runWork(incoming.work, effect) : undefined)),
      );
      const failed = effects.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      const isNothing = effects.map((result) => result.status === 'fulfilled' && result.value === false);
      await this.seen.settle(signed.map((each, at) => ({ ...each, hadEffect: isNothing[at] !== true })));
      await this.queue.done(finished);
    });
  }

  /** Plans another try of an activity that failed, or gives it up. */
  later(incoming: Incoming, error: unknown): Promise<void> {
    incoming.work.span?.fail(errorTypeOf(error));
    return runWork(incoming.work, () => this.postpone(incoming, error));
  }

  private async postpone({ row, activity }: Incoming, error: unknown): Promise<void> {
    const wait = WAITS_SECONDS[row.attempts];
    const isExpected = error instanceof OutboundError;
    const facts = { host: row.host, type: activity.type, id: activity.id, reason: messageOf(error) };
    if (!isExpected) this.logger.error({ ...facts, err: error }, 'An activity failed');
    if (wait === undefined) {
      this.logger.warn(facts, 'An activity was given up');
      await this.queue.drop([row.id]);
    } else await this.queue.retry(row, wait, messageOf(error));
  }

  logIgnored({ row, activity, work }: Incoming, reason: string): void {
    const facts = { host: row.host, type: activity.type, id: activity.id, reason };
    runWork(work, () => this.logger.debug(facts, 'An activity had no effect'));
  }

  /**
   * An activity that another actor signed proves nothing: the server of the post is asked. Every post of a relay is wanted:
   * relays of Mastodon's kind pass on activities about posts unchanged.
   */
  private async prepareForwarded({ type, object }: Activity, signer: AccountRow): Promise<Prepared> {
    const isOfRelay = await this.relays.isRelay(signer);
    if (isOfRelay && type === 'Update') return this.forwarded.update(object.uri);
    if (isOfRelay && type === 'Delete') return this.forwarded.delete(object.uri);
    if (type !== 'Create') return ignored('Another actor signed it');
    const isWanted = async (post: RemoteObject) => isOfRelay || this.relevance.concernsUs(post);
    const claimed = object.json && parseObject(object.json);
    if (!claimed || !(await isWanted(claimed))) return ignored(NOT_CONCERNED);
    const status = await this.posts.resolve(object.uri, { isWanted });
    return status ? { effect: () => Promise.resolve() } : ignored('Its post cannot be fetched from its server');
  }

  private async dispatch(activity: Activity, signer: AccountRow, { inboxOf }: QueuedActivity) {
    if (activity.type === 'Undo' && !isOwnUndo(activity)) return ignored('It undoes nothing of its actor');
    let result = ignored('The type is not supported');
    for (const type of keysOf(activity)) {
      for (const handler of this.handlers.get(type) ?? []) {
        result = await handler.prepare(activity, signer, { inboxOf });
        if ('effect' in result) return { effect: await this.forwarding.following(activity, signer, result.effect) };
      }
    }
    return activity.type === 'Undo' ? { effect: nothing } : result;
  }
}

/** Nothing is there yet: {@link SeenActivitiesRepository} remembers what is undone before it comes. */
const nothing: Effect = () => Promise.resolve(false);

function isOwnUndo({ object, actorUri }: Activity): boolean {
  return object.activity === undefined || object.activity.actorUri === actorUri;
}

/** Of a deactivated account only counts what ends something, and an Update of itself: its server may lift a suspension. */
function mayAct({ apId, deactivatedAt, deletedAt }: AccountRow, activity: Activity): boolean {
  if (deactivatedAt === null) return true;
  const isOfItself = activity.type === 'Update' && activity.object.uri === apId;
  return deletedAt === null && (isOfItself || isRetraction(activity));
}

/** The names under which handlers are found. Of what is undone by its id alone, each handler looks for all its types. */
function keysOf({ type, object }: Activity): string[] {
  if (type !== 'Undo') return [type];
  return object.activity ? [`Undo ${object.activity.type}`] : ['Undo Follow', 'Undo Like'];
}
