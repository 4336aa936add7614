import { ForwardOnly } from '../forward-only.js';

/** Tells accounts that their own server hides from those that moderators deactivated. */
export class SuspendedByServer1764000152000 extends ForwardOnly {
  readonly name = 'SuspendedByServer1764000152000';
  protected readonly statements = `
    alter table accounts add column suspended_by_server boolean not null default false;`;
}
