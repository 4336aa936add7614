import { Post, Req } from '@nestjs/common';
import { Type } from 'typebox';
import {
  Answers,
  type ApiRequest,
  CurrentAccount,
  Describe,
  Input,
  RefusalShape,
  RequiredText,
  Scopes,
  SuccessShape,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { CredentialAttempts } from '../guessing/credential-attempts.js';
import { OwnAccountService } from './own-account.service.js';

const MAX_LENGTH = 1_024;
const SUCCESS = { status: 'success' } as const;

/** A wrong password is answered with 200 too. */
const DeletionShape = Type.Union([SuccessShape, RefusalShape]);

class DeleteAccountBody {
  @Describe('The password of the account.')
  @RequiredText({ max: MAX_LENGTH })
  password: string;
}

/** Deleting the own account (spec §4.2). */
@SvcApi('')
export class OwnAccountController {
  constructor(
    private readonly account: OwnAccountService,
    private readonly attempts: CredentialAttempts,
  ) {}

  @Summary("Deletes the caller's account for good; a wrong password returns 200 with an error.")
  @Post('delete_account')
  @Scopes('write:accounts')
  @Answers(DeletionShape)
  async delete(
    @CurrentAccount() accountId: string,
    @Input(DeleteAccountBody) { password }: DeleteAccountBody,
    @Req() request: ApiRequest,
  ): Promise<typeof SUCCESS> {
    await this.account.delete(accountId, password, this.attempts.addressOf(request));
    return SUCCESS;
  }
}
