import { ForwardOnly } from '../forward-only.js';

/** The owner may be a member of an own list, without a follow. */
export class ListsOfOwn1764000220000 extends ForwardOnly {
  readonly name = 'ListsOfOwn1764000220000';
  protected readonly statements = `alter table list_members alter column follow_id drop not null`;
}
