import { ForwardOnly } from '../forward-only.js';

/** The lists of accounts for the staff: all, those of this server, those with tags, and those that wait. */
export class ModeratedAccounts1764000034001 extends ForwardOnly {
  readonly name = 'ModeratedAccounts1764000034001';
  protected readonly statements = `
    create index accounts_known on accounts (id) where deleted_at is null;
    create index accounts_here on accounts (id) where deleted_at is null and domain is null;
    create index accounts_tags on accounts using gin (tags) where tags <> '{}';
    create index users_unapproved on users (account_id) where not is_approved;
    create index users_unconfirmed on users (account_id) where not is_confirmed;
    create index users_email_words on users using gin (lower(email) gin_trgm_ops);
  `;
}
