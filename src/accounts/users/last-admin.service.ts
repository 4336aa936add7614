import { Injectable } from '@nestjs/common';
import { Forbidden, phrase } from '../../common/index.js';
import { UserRepository } from './user.repository.js';

/** Keeps a server from losing its last administrator (threat A6). */
@Injectable()
export class LastAdminService {
  constructor(private readonly users: UserRepository) {}

  /**
   * Locks the administrators until the open unit of work ends, so that two requests cannot remove one each.
   * @throws Forbidden for the only active administrator
   */
  async requireAnother(accountId: string, verb: 'be deleted' | 'be deactivated' | 'lose the role'): Promise<void> {
    const admins = await this.users.lockAdmins();
    if (admins.length === 1 && admins[0] === accountId)
      throw new Forbidden(
        phrase('The only administrator of the server cannot {act}. Make somebody else one first.', {
          act: phrase(verb),
        }),
      );
  }
}
