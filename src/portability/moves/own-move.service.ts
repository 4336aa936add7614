import { Injectable } from '@nestjs/common';
import { AccountsService, MovesService } from '../../accounts/index.js';
import { NotFound, Unprocessable } from '../../common/index.js';
import { PoliciesService } from '../../federation/index.js';
import { ChangeRefused, type Owner, OwnSecurityService } from '../../sign-in/index.js';

/** Lets owners move their followers to another account of theirs (spec §4.2). */
@Injectable()
export class OwnMoveService {
  constructor(
    private readonly security: OwnSecurityService,
    private readonly accounts: AccountsService,
    private readonly moves: MovesService,
    private readonly policies: PoliciesService,
  ) {}

  /**
   * Moves the followers to the account of a handle or an address, which has to name this one as its alias.
   * @throws WrongPassword, TooManyRequests, NotFound, Unprocessable for a target that nobody here could follow,
   * Unavailable when its server does not answer, ChangeRefused when it does not name this account, or within a week after the last
   * move
   */
  async move(owner: Owner, target: string): Promise<void> {
    const login = await this.security.require(owner);
    // Its owner may have named this account a moment ago.
    const found = await this.accounts.resolve(target, { fresh: true }).catch((error: unknown) => {
      throw error instanceof NotFound ? new NotFound('Target account not found.', { cause: error }) : error;
    });
    if (this.policies.isOutOfReach(found)) {
      throw new Unprocessable('Nobody here can follow accounts on the server of the target account.');
    }
    await this.security.commit(login, async () => {
      if (!(await this.moves.move(owner.accountId, found.id))) {
        throw new ChangeRefused(
          'The target account has to name this account as its alias first, and the last move has to be a week ago.',
        );
      }
    });
  }
}
