import { ForwardOnly } from '../forward-only.js';

/** A deleted post finds the files that edits took from it. */
export class FormerPostsIndex1764000185001 extends ForwardOnly {
  readonly name = 'FormerPostsIndex1764000185001';
  protected readonly statements = `
    create index attachments_former_status on attachments (former_status_id) where former_status_id is not null;`;
}
