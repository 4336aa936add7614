import { ForwardOnly } from '../forward-only.js';

/** A delivery knows the request and the span that it follows from, for the log and for traces. */
export class DeliveryCauses1764000229100 extends ForwardOnly {
  readonly name = 'DeliveryCauses1764000229100';
  protected readonly statements = `alter table deliveries add column request_id text, add column traceparent text;`;
}
