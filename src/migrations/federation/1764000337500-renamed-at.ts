import { ForwardOnly } from '../forward-only.js';

/** Keeps when an account of another server last got another handle: it gets the next one an hour later. */
export class RenamedAt1764000337500 extends ForwardOnly {
  readonly name = 'RenamedAt1764000337500';
  protected readonly statements = `alter table accounts add column renamed_at timestamptz;`;
}
