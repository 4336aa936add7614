import type { AccountCounts } from '../accounts/index.js';
import type { PageRow } from '../statuses/index.js';
import type { FoundTag } from './tag-search.repository.js';

/** The results of a search; each kind in display order. */
export interface Found {
  readonly accounts: readonly AccountCounts[];
  readonly statuses: readonly PageRow[];
  readonly tags: readonly FoundTag[];
}
