import { ForwardOnly } from '../forward-only.js';

/**
 * Whether its own server deleted a remote post, which may restore it. Of posts that were deleted before that is not known:
 * they stay away.
 */
export class WithdrawnPosts1764000326000 extends ForwardOnly {
  readonly name = 'WithdrawnPosts1764000326000';
  protected readonly statements = `
    alter table tombstones add column by_server boolean not null default false;
  `;
}
