import { ForwardOnly } from '../forward-only.js';

/** Relays that this server follows, and those that follow its relay actor. */
export class Relays1764000040001 extends ForwardOnly {
  readonly name = 'Relays1764000040001';
  protected readonly statements = `
    create table relays (
      id integer generated always as identity primary key,
      address text not null unique,
      style text not null check (style in ('litepub', 'mastodon')),
      state text not null default 'pending' check (state in ('pending', 'accepted', 'rejected')),
      inbox text not null,
      follow_uri text not null unique,
      account_id text collate "C" references accounts on delete set null,
      created_at timestamptz not null default now()
    );
    create index relays_account on relays (account_id);

    create table relay_followers (
      account_id text collate "C" primary key references accounts on delete cascade,
      created_at timestamptz not null default now()
    );
  `;
}
