import { ForwardOnly } from '../forward-only.js';

/**
 * What activities are about that wait apart is in rows of their own, so that a batch of the inbox finds those of its own
 * actors, however many wait. Only activities for which another server has to be asked have such rows.
 */
export class InboxSubjects1764000331000 extends ForwardOnly {
  readonly name = 'InboxSubjects1764000331000';
  protected readonly statements = `
    create table inbox_asking (
      actor_id text collate "C" not null,
      about integer not null,
      activity_id bigint not null references inbox_queue (id) on delete cascade,
      primary key (actor_id, about, activity_id)
    ) with (autovacuum_vacuum_scale_factor = 0.05, vacuum_truncate = off);
    create index inbox_asking_activity on inbox_asking (activity_id);
    insert into inbox_asking (actor_id, about, activity_id)
      select distinct q.actor_id, own.about, q.id from inbox_queue q, unnest(q.about) as own (about) where q.asks;
    alter table inbox_queue drop column about;`;
}
