import { ForwardOnly } from '../forward-only.js';

/** The list that a post was written for. Only its author is told; who it addressed stands in `mentions`, whatever becomes of the list. */
export class ListPosts1763600039300 extends ForwardOnly {
  readonly name = 'ListPosts1763600039300';
  protected readonly statements = `
    alter table statuses add column list_id bigint references lists (id) on delete set null;
    create index statuses_list on statuses (list_id) where list_id is not null;
  `;
}
