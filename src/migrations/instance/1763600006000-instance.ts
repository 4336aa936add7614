import { ForwardOnly } from '../forward-only.js';

export class Instance1763600006000 extends ForwardOnly {
  readonly name = 'Instance1763600006000';
  protected readonly statements = `
    create table instance_totals (
      id boolean primary key default true check (id),
      users integer not null default 0,
      statuses integer not null default 0,
      domains integer not null default 0,
      active_month integer not null default 0,
      active_halfyear integer not null default 0,
      refreshed_at timestamptz not null default now()
    );
    insert into instance_totals default values;
  `;
}
