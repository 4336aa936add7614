import { ForwardOnly } from '../forward-only.js';

/** What accounts show of the servers that they live on. */
export class HostFacts1763600030100 extends ForwardOnly {
  readonly name = 'HostFacts1763600030100';
  protected readonly statements = `
    create table host_facts (
      domain text primary key,
      favicon_url text,
      answered_at timestamptz not null default now(),
      due_at timestamptz not null default now()
    );
    create index host_facts_due on host_facts (due_at);
  `;
}
