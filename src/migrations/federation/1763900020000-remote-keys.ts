import { ForwardOnly } from '../forward-only.js';

/** Public keys of actors of other servers, which verify their signatures. */
export class RemoteKeys1763900020000 extends ForwardOnly {
  readonly name = 'RemoteKeys1763900020000';
  protected readonly statements = `
    create table remote_keys (
      key_id text collate "C" primary key,
      owner_uri text collate "C" not null,
      public_pem text not null,
      fetched_at timestamptz not null default now()
    );
    create index remote_keys_owner on remote_keys (owner_uri);
    create index remote_keys_fetched on remote_keys (fetched_at);
  `;
}
