import { ForwardOnly } from '../forward-only.js';

/** A job knows the request and the span that it follows from, for the log and for traces. */
export class JobCauses1764000229000 extends ForwardOnly {
  readonly name = 'JobCauses1764000229000';
  protected readonly statements = `alter table jobs add column request_id text, add column traceparent text;`;
}
