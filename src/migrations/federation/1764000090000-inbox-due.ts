import { ForwardOnly } from '../forward-only.js';

/** Drops an index of the inbox that no statement uses: activities are found by their host. */
export class InboxDue1764000090000 extends ForwardOnly {
  readonly name = 'InboxDue1764000090000';
  protected readonly statements = `drop index inbox_queue_due;`;
}
