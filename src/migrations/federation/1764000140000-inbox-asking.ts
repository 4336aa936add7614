import { ForwardOnly } from '../forward-only.js';

/**
 * Received activities for which another server has to be asked (`asks`) wait apart from the others. `about` holds hashes of
 * what they are about: later activities of the same actor about the same wait for them.
 */
export class InboxAsking1764000140000 extends ForwardOnly {
  readonly name = 'InboxAsking1764000140000';
  protected readonly statements = `
    alter table inbox_queue add column asks boolean not null default false, add column about integer[] not null default '{}';
    create index inbox_queue_ready on inbox_queue (host, run_at, id) where not asks;
    create index inbox_queue_asking on inbox_queue (host, run_at, id) where asks;
    drop index inbox_queue_host;
  `;
}
