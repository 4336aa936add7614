import { ForwardOnly } from '../forward-only.js';

/** For the lists of an account's favourites and of a post's boosts, newest first. */
export class StatusesPages1763600009000 extends ForwardOnly {
  readonly name = 'StatusesPages1763600009000';
  protected readonly statements = `
    create index favourites_account on favourites (account_id, id desc);
    create index statuses_reblogs_newest on statuses (reblog_of_id, id desc) where reblog_of_id is not null;
  `;
}
