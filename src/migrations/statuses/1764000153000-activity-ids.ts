import { ForwardOnly } from '../forward-only.js';

/** Finds favourites, reactions and blocks of remote accounts by the activities that made them: some servers undo by id alone. */
export class ActivityIds1764000153000 extends ForwardOnly {
  readonly name = 'ActivityIds1764000153000';
  protected readonly statements = `
    alter table favourites add column uri text;
    alter table reactions add column uri text;
    alter table blocks add column uri text;
    create index favourites_uri on favourites using hash (uri) where uri is not null;
    create index reactions_uri on reactions using hash (uri) where uri is not null;
    create index blocks_uri on blocks using hash (uri) where uri is not null;`;
}
