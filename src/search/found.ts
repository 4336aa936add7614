import type { AccountCounts } from '../accounts/index.js';
import type { PageRow } from '../statuses/index.js';
import type { FoundTag } from './tag-search.repository.js';

/** What a search found, of each kind in the order in which it is shown. */
export interface Found {
  readonly accounts: readonly AccountCounts[];
  readonly statuses: readonly PageRow[];
  readonly tags: readonly FoundTag[];
}
