import { ForwardOnly } from '../forward-only.js';

/**
 * When the server of a remote post last changed it, whether people were shown an edit or not, and since when the counts of a
 * remote poll are so: older versions and counts that come later change nothing.
 */
export class DescribedPosts1764000320000 extends ForwardOnly {
  readonly name = 'DescribedPosts1764000320000';
  protected readonly statements = `
    alter table statuses add column described_at timestamptz;
    alter table polls add column counts_as_of timestamptz;
  `;
}
