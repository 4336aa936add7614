import { ForwardOnly } from '../forward-only.js';

/** Keeps the number of posts that another server told: older posts that are fetched later are in it already. */
export class ToldCounts1764000175000 extends ForwardOnly {
  readonly name = 'ToldCounts1764000175000';
  protected readonly statements = `
    alter table account_stats add column told_at timestamptz;`;
}
