import { ForwardOnly } from '../forward-only.js';

/** Keeps which remote accounts serve machines only, such as relays: searches and suggestions leave them out. */
export class InvisibleAccounts1764000226000 extends ForwardOnly {
  readonly name = 'InvisibleAccounts1764000226000';
  protected readonly statements = `alter table accounts add column invisible boolean not null default false;`;
}
