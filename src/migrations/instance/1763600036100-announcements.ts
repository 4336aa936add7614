import { ForwardOnly } from '../forward-only.js';

/** Announcements stay until somebody deletes them; who read and reacted goes with them, or with the account. */
export class Announcements1763600036100 extends ForwardOnly {
  readonly name = 'Announcements1763600036100';
  protected readonly statements = `
    create table announcements (
      id text collate "C" primary key,
      source text not null,
      content_html text not null,
      mention_ids text[] not null default '{}',
      tags text[] not null default '{}',
      starts_at timestamptz,
      ends_at timestamptz,
      all_day boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (ends_at > starts_at)
    );

    create table announcement_reads (
      account_id text collate "C" not null references accounts (id) on delete cascade,
      announcement_id text collate "C" not null references announcements (id) on delete cascade,
      primary key (account_id, announcement_id)
    );
    create index announcement_reads_announcement on announcement_reads (announcement_id);

    create table announcement_reactions (
      announcement_id text collate "C" not null references announcements (id) on delete cascade,
      name text not null,
      account_id text collate "C" not null references accounts (id) on delete cascade,
      created_at timestamptz not null default now(),
      primary key (announcement_id, name, account_id)
    );
    create index announcement_reactions_account on announcement_reactions (account_id);
  `;
}
