import { ForwardOnly } from '../forward-only.js';

/** Whether searches find the posts of an account, and the pages that may name it as their author. */
export class AuthorChoices1764000151100 extends ForwardOnly {
  readonly name = 'AuthorChoices1764000151100';
  protected readonly statements = `
    alter table accounts add column indexable boolean, add column attribution_domains text[] not null default '{}';`;
}
