import { ForwardOnly } from '../forward-only.js';

/** Key pairs of the server as a whole, such as the one that signs web pushes. */
export class ConfigServerKeys1763600035000 extends ForwardOnly {
  readonly name = 'ConfigServerKeys1763600035000';
  protected readonly statements = `
    create table server_keys (
      name text primary key,
      public_key text not null,
      private_sealed bytea not null,
      created_at timestamptz not null default now()
    );
  `;
}
