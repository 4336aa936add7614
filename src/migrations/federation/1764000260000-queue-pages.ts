import { ForwardOnly } from '../forward-only.js';

/**
 * Queues are mostly empty. Vacuum cut them to nothing, and a plan that was made with the first new rows reads the whole table
 * for each of thousands that follow: PostgreSQL takes a table of some pages for one that stays small.
 */
export class QueuePages1764000260000 extends ForwardOnly {
  readonly name = 'QueuePages1764000260000';
  protected readonly statements = `
    alter table jobs set (vacuum_truncate = off);
    alter table deliveries set (vacuum_truncate = off);
    alter table inbox_queue set (vacuum_truncate = off);
  `;
}
