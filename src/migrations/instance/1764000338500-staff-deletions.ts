import { ForwardOnly } from '../forward-only.js';

/** Whether the staff deleted a remote post. Of posts that were deleted before that is not known: their tombstones end. */
export class StaffDeletions1764000338500 extends ForwardOnly {
  readonly name = 'StaffDeletions1764000338500';
  protected readonly statements = `
    alter table tombstones add column by_staff boolean not null default false;`;
}
