import { Injectable } from '@nestjs/common';
import { FilterVersionRepository } from './filter-version.repository.js';

/**
 * The version of a local user's filters, 0 before the first. It lives with the user, so that whoever reads a page learns
 * from the same statements whether the reader has filters, and whether those kept in memory still hold.
 */
@Injectable()
export class FilterVersionsService {
  constructor(private readonly repository: FilterVersionRepository) {}

  /** Makes what is kept stale with the open unit, and lets no other unit change the user's filters until it ends. */
  raise(accountId: string): Promise<void> {
    return this.repository.raise(accountId);
  }
}
