import { ForwardOnly } from '../forward-only.js';

/** Files that an edit takes from a post stay in its history, until the post is gone. */
export class FormerPosts1764000185000 extends ForwardOnly {
  readonly name = 'FormerPosts1764000185000';
  protected readonly statements = `
    alter table attachments add column former_status_id text collate "C" references statuses (id) on delete set null;`;
}
