import { ForwardOnly } from '../forward-only.js';

/** The sweep of unused files leaves out those that belong to former versions of posts. */
export class UnattachedFiles1764000192001 extends ForwardOnly {
  readonly name = 'UnattachedFiles1764000192001';
  protected readonly statements = `
    drop index attachments_unattached;
    create index attachments_unattached on attachments (created_at) where status_id is null and former_status_id is null;`;
}
