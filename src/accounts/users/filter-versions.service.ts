import { Injectable } from '@nestjs/common';
import { FilterVersionRepository } from './filter-version.repository.js';

/**
 * The version of a local user's filters, 0 before the first. It lives with the user, so that the statements of a page
 * also tell whether the viewer has filters and whether cached ones are current.
 */
@Injectable()
export class FilterVersionsService {
  constructor(private readonly repository: FilterVersionRepository) {}

  /** Raises the version in the open unit, and locks the user's filters until it ends. */
  raise(accountId: string): Promise<void> {
    return this.repository.raise(accountId);
  }
}
