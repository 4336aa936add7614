import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/index.js';
import { User } from '../model/account.entities.js';

/** All SQL on `users.filters_version`. */
@Injectable()
export class FilterVersionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async raise(accountId: string): Promise<void> {
    await this.uow.manager.update(User, { accountId }, { filtersVersion: () => 'filters_version + 1' });
  }
}
