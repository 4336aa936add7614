import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { User } from '../model/account.entities.js';

/**
 * The version of a local user's filters, 0 before the first. It lives with the user, so that the statements of a page
 * also tell whether the viewer has filters and whether cached ones are current.
 */
@Injectable()
export class FilterVersionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Raises the version in the open unit, and locks the user's filters until it ends. */
  async raise(accountId: string): Promise<void> {
    await this.uow.manager.update(User, { accountId }, { filtersVersion: () => 'filters_version + 1' });
  }
}
