import { ForwardOnly } from '../forward-only.js';

/** Keeps when the counts of a remote poll were fetched: they are fetched again when the poll is looked at. */
export class PollFetches1764000175200 extends ForwardOnly {
  readonly name = 'PollFetches1764000175200';
  protected readonly statements = `
    alter table polls add column fetched_at timestamptz not null default now();`;
}
