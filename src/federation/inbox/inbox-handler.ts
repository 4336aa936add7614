import type { AccountRow } from '../../accounts/index.js';
import { DomainError } from '../../common/index.js';
import type { Activity } from '../wire/activity.js';

/**
 * The effect of an activity: database work only, which runs in the unit of work of its batch. False says that an Undo or
 * Delete found nothing.
 */
export type Effect = () => Promise<unknown>;

/** A prepared activity: its effect, or why it has none. */
export type Prepared = { readonly effect: Effect } | { readonly ignored: string };

/** The circumstances of a queued activity. */
export interface Queued {
  /** The account whose own inbox received it; null for the shared inbox. */
  readonly inboxOf: string | null;
}

/** Handles some types of activities. */
export interface InboxHandler {
  /** Types of activities; an Undo is named with the type of what it undoes, such as `Undo Follow`. */
  readonly types: readonly string[];
  /** Looks up and fetches what the activity needs, outside of any unit of work. Throws OutboundError to be tried later. */
  prepare(activity: Activity, actor: AccountRow, queued: Queued): Promise<Prepared>;
}

/** The list of all handlers. */
export const INBOX_HANDLERS = Symbol('INBOX_HANDLERS');

export const ignored = (reason: string): Prepared => ({ ignored: reason });

/** An effect whose refusal by a rule of the API, such as a block, is no failure. */
export function effect(run: Effect): Prepared {
  return {
    effect: async () => {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return undefined;
      }
    },
  };
}
