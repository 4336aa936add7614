import { ForwardOnly } from '../forward-only.js';

/** Invites: links that let people sign up while registration is closed. */
export class Invites1764000032000 extends ForwardOnly {
  readonly name = 'Invites1764000032000';
  protected readonly statements = `
    create table invites (
      id integer generated always as identity primary key,
      token_hash bytea not null unique,
      token_sealed bytea not null,
      max_use integer check (max_use > 0),
      expires_at date,
      uses integer not null default 0,
      ended_at timestamptz,
      created_at timestamptz not null default now()
    );
  `;
}
