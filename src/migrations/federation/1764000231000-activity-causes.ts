import { ForwardOnly } from '../forward-only.js';

/** A received activity knows the request that brought it and its span, for the log and for traces. */
export class ActivityCauses1764000231000 extends ForwardOnly {
  readonly name = 'ActivityCauses1764000231000';
  protected readonly statements = `alter table inbox_queue add column request_id text, add column traceparent text;`;
}
