import { ForwardOnly } from '../forward-only.js';

/** Jobs that wait get the new names of their handlers. */
export class JobNames1764000080001 extends ForwardOnly {
  readonly name = 'JobNames1764000080001';
  protected readonly statements = `
    update jobs set name = 'admin.notify-of-report' where name = 'admin.tell-of-report';
    update jobs set name = 'jobs.purge-failed', key = 'recurring:jobs.purge-failed' where name = 'jobs.purge-parked';
  `;
}
