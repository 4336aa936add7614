import { Injectable } from '@nestjs/common';
import { type ModeratedAccount, ModeratedAccountsService, UsersService } from '../../accounts/index.js';
import { Forbidden, NotFound } from '../../common/index.js';
import type { Actor } from '../../config/index.js';
import { UserActs } from './user-acts.js';

const GROUPS = ['admin', 'moderator'] as const;
export type PermissionGroup = (typeof GROUPS)[number];

/** The administrators and moderators of the server (spec §3.3). */
@Injectable()
export class PermissionGroupsService {
  constructor(
    private readonly acts: UserActs,
    private readonly accounts: ModeratedAccountsService,
    private readonly users: UsersService,
  ) {}

  /** @throws NotFound for an unknown group */
  groupOf(name: string): PermissionGroup {
    const group = GROUPS.find((known) => known === name);
    if (!group) throw new NotFound('No such permission_group');
    return group;
  }

  /** @throws NotFound for an unknown nickname */
  member(nickname: string): Promise<ModeratedAccount> {
    return this.accounts.one(nickname);
  }

  /**
   * Adds local accounts to a group, or removes them.
   * @throws NotFound for an account that is unknown or of another server, Forbidden for the caller's own role of
   * administrator and that of the only one
   */
  set(actor: Actor, group: PermissionGroup, nicknames: readonly string[], on: boolean): Promise<ModeratedAccount[]> {
    const change = async ({ id, domain }: ModeratedAccount) => {
      if (domain !== null) throw new NotFound('Not found');
      if (!on && group === 'admin' && id === actor.accountId)
        throw new Forbidden("You can't revoke your own admin status.");
      await this.users.setRole(id, group === 'admin' ? { isAdmin: on } : { isModerator: on });
    };
    return this.acts.run(actor, on ? 'grant' : 'revoke', nicknames, change, { role: group });
  }
}
