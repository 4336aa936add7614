import { ForwardOnly } from '../forward-only.js';

/** Since when nothing has a hashtag and nobody follows it, as a job finds out. Changes no row. */
export class UnusedHashtags1763600050200 extends ForwardOnly {
  readonly name = 'UnusedHashtags1763600050200';
  protected readonly statements = `
    alter table hashtags add column unused_since timestamptz;
    create index hashtags_unused on hashtags (unused_since) where unused_since is not null;
  `;
}
