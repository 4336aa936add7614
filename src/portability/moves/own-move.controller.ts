import { Post, Req } from '@nestjs/common';
import {
  Answers,
  type ApiRequest,
  CurrentAccount,
  Describe,
  Input,
  RequiredText,
  Scopes,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { ChangeShape, CredentialAttempts } from '../../sign-in/index.js';
import { OwnMoveService } from './own-move.service.js';

const MAX_LENGTH = 2_048;
const SUCCESS = { status: 'success' } as const;

class MoveBody {
  @Describe('The password of the account.')
  @RequiredText({ max: MAX_LENGTH })
  password: string;
  @Describe('The handle of the new account.')
  @RequiredText({ max: MAX_LENGTH })
  target_account: string;
}

/** Moving to another account (spec §4.2). */
@SvcApi('')
export class OwnMoveController {
  constructor(
    private readonly moves: OwnMoveService,
    private readonly attempts: CredentialAttempts,
  ) {}

  @Summary("Moves the caller's followers to another account that has the caller as an alias.")
  @Post('move_account')
  @Scopes('write:accounts')
  @Answers(ChangeShape)
  async move(
    @CurrentAccount() accountId: string,
    @Input(MoveBody) { password, target_account: target }: MoveBody,
    @Req() request: ApiRequest,
  ): Promise<typeof SUCCESS> {
    await this.moves.move({ accountId, password, address: this.attempts.addressOf(request) }, target);
    return SUCCESS;
  }
}
