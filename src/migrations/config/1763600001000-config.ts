import { ForwardOnly } from '../forward-only.js';

export class Config1763600001000 extends ForwardOnly {
  readonly name = 'Config1763600001000';
  protected readonly statements = `
    create table config_items (
      group_name text not null,
      key text not null,
      value jsonb not null,
      updated_at timestamptz not null default now(),
      primary key (group_name, key)
    );
  `;
}
