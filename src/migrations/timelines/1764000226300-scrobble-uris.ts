import { ForwardOnly } from '../forward-only.js';

/** The ids of activities by which accounts of other servers say what they listen to: the same twice is one. */
export class ScrobbleUris1764000226300 extends ForwardOnly {
  readonly name = 'ScrobbleUris1764000226300';
  protected readonly statements = `
    alter table scrobbles add column uri text;
    create unique index scrobbles_uri on scrobbles (account_id, uri) where uri is not null;`;
}
