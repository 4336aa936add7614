import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AccountRow } from '../../accounts/index.js';
import { messageOf, OutboundError, UnitOfWork } from '../../platform/index.js';
import { RemotePosts } from '../fetch/remote-posts.js';
import { PoliciesService } from '../policies/policies.service.js';
import type { Activity } from '../wire/activity.js';
import { type Effect, ignored, INBOX_HANDLERS, type InboxHandler, type Prepared } from './inbox-handler.js';
import { ActivityTaken, InboxRepository, type QueuedActivity } from './inbox.repository.js';

/** Tries after which an activity is given up, and the wait before each, in seconds. */
export const WAITS_SECONDS = [30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600];

/** An activity with its queue row. */
export interface Incoming {
  readonly row: QueuedActivity;
  readonly activity: Activity;
}

/** Turns one queued activity into its effect, and decides what becomes of one that failed. */
@Injectable()
export class ActivityRunner {
  private readonly logger = new Logger(ActivityRunner.name);
  private readonly handlers = new Map<string, readonly InboxHandler[]>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly queue: InboxRepository,
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

  /** @throws OutboundError to be tried later, MustWait where other servers may not be asked */
  async prepare({ row, activity }: Incoming, signer: AccountRow | undefined): Promise<Prepared> {
    if (!signer || signer.deactivated_at !== null) return ignored('Its actor is not active');
    const refusal = this.policies.refusal(activity, signer);
    if (refusal !== undefined) return ignored(refusal);
    if (signer.ap_id !== activity.actorUri) return this.prepareForwarded(activity);
    return this.dispatch(activity, signer, row);
  }

  /** Stores the effect of one activity. */
  async run(incoming: Incoming, effect: Effect): Promise<void> {
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

  /** Plans another try of an activity that failed, or gives it up. */
  async later({ row, activity }: Incoming, error: unknown): Promise<void> {
    const wait = WAITS_SECONDS[row.attempts];
    const isExpected = error instanceof OutboundError;
    const facts = { host: row.host, type: activity.type, id: activity.id, reason: messageOf(error) };
    if (!isExpected) this.logger.error({ ...facts, err: error }, 'An activity failed');
    if (wait === undefined) {
      this.logger.warn(facts, 'An activity was given up');
      await this.queue.drop([row.id]);
    } else await this.queue.retry(row, wait, messageOf(error));
  }

  logIgnored({ row, activity }: Incoming, reason: string): void {
    this.logger.debug({ host: row.host, type: activity.type, id: activity.id, reason }, 'An activity had no effect');
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
}

/** The names under which handlers are found. What an Undo undoes may be named by its id only. */
function keysOf({ type, object }: Activity): string[] {
  if (type !== 'Undo') return [type];
  return object.activity ? [`Undo ${object.activity.type}`] : ['Undo Follow', 'Undo Announce'];
}
