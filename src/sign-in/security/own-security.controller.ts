import { Post, Req } from '@nestjs/common';
import { Type } from 'typebox';
import {
  Answers,
  type ApiRequest,
  type Auth,
  CurrentAuth,
  Describe,
  Input,
  RefusalShape,
  RequiredText,
  Scopes,
  SuccessShape,
  Summary,
  SvcApi,
  Trimmed,
  Unauthorized,
} from '../../common/index.js';
import { CredentialAttempts } from '../guessing/credential-attempts.js';
import { ChangeRefused, type Owner, OwnSecurityService } from './own-security.service.js';

const MAX_LENGTH = 1_024;
const SUCCESS = { status: 'success' } as const;

/** Refusals are answered with 200 too. */
export const ChangeShape = Type.Union([SuccessShape, RefusalShape]);

class OwnerBody {
  @Describe('The password of the account.')
  @RequiredText({ max: MAX_LENGTH })
  password: string;
}

class ChangePasswordBody extends OwnerBody {
  @Describe('The new password.')
  @RequiredText({ max: MAX_LENGTH })
  new_password: string;
  @Describe('The new password once more.')
  @RequiredText({ max: MAX_LENGTH })
  new_password_confirmation: string;
}

class ChangeEmailBody extends OwnerBody {
  @Describe('The new mail address; an empty one removes it.')
  @RequiredText({ max: MAX_LENGTH, blank: true })
  @Trimmed()
  email: string;
}

/** Changes of the own account that need its password (spec §4.2). */
@SvcApi('')
export class OwnSecurityController {
  constructor(
    private readonly security: OwnSecurityService,
    private readonly attempts: CredentialAttempts,
  ) {}

  @Summary("Changes the caller's password, and ends all other sign-ins.")
  @Post('change_password')
  @Scopes('write:accounts')
  @Answers(ChangeShape)
  async changePassword(
    @CurrentAuth() auth: Auth | undefined,
    @Input(ChangePasswordBody) body: ChangePasswordBody,
    @Req() request: ApiRequest,
  ): Promise<typeof SUCCESS> {
    if (body.new_password !== body.new_password_confirmation) {
      throw new ChangeRefused('New password does not match confirmation.');
    }
    await this.security.changePassword(this.owner(auth, body, request), body.new_password, auth?.tokenId ?? null);
    return SUCCESS;
  }

  @Summary("Changes or removes the caller's mail address; a new one has to be confirmed.")
  @Post('change_email')
  @Scopes('write:accounts')
  @Answers(ChangeShape)
  async changeEmail(
    @CurrentAuth() auth: Auth | undefined,
    @Input(ChangeEmailBody) body: ChangeEmailBody,
    @Req() request: ApiRequest,
  ): Promise<typeof SUCCESS> {
    await this.security.changeEmail(this.owner(auth, body, request), body.email);
    return SUCCESS;
  }

  @Summary("Deactivates the caller's account.")
  @Post('disable_account')
  @Scopes('write:accounts')
  @Answers(ChangeShape)
  async disable(
    @CurrentAuth() auth: Auth | undefined,
    @Input(OwnerBody) body: OwnerBody,
    @Req() request: ApiRequest,
  ): Promise<typeof SUCCESS> {
    await this.security.disable(this.owner(auth, body, request));
    return SUCCESS;
  }

  private owner(auth: Auth | undefined, { password }: OwnerBody, request: ApiRequest): Owner {
    if (!auth?.accountId) throw new Unauthorized();
    return { accountId: auth.accountId, password, address: this.attempts.addressOf(request) };
  }
}
