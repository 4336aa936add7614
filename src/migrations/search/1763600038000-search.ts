import { ForwardOnly } from '../forward-only.js';

/** For finding posts of other servers by the addresses of their pages, and hashtags by the beginnings of their names. */
export class Search1763600038000 extends ForwardOnly {
  readonly name = 'Search1763600038000';
  protected readonly statements = `
    create index statuses_url on statuses using hash (url) where not local and url is not null;
    create index hashtags_names on hashtags (name collate "C");
  `;
}
