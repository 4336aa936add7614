import { Delete, Get, Header, Param, Post, Req } from '@nestjs/common';
import {
  Answers,
  type ApiRequest,
  CurrentAccount,
  Describe,
  Input,
  Invalid,
  NothingShape,
  RequiredText,
  Scopes,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { CredentialAttempts } from '../guessing/credential-attempts.js';
import { MfaService } from './mfa.service.js';
import {
  type MfaSettingsJson,
  MfaSettingsShape,
  type RecoveryCodesJson,
  RecoveryCodesShape,
  type TotpSetupJson,
  TotpSetupShape,
} from './mfa.shape.js';

const MAX_LENGTH = 1_024;

class DisableBody {
  @Describe('The password of the account.')
  @RequiredText({ max: MAX_LENGTH })
  password: string;
}

class ConfirmBody extends DisableBody {
  @Describe('The code of the authenticator app.')
  @RequiredText({ max: MAX_LENGTH })
  code: string;
}

/** The own second factor (spec §3.4, §4.2). */
@SvcApi('accounts/mfa')
export class MfaController {
  constructor(
    private readonly mfa: MfaService,
    private readonly attempts: CredentialAttempts,
  ) {}

  @Summary('Shows whether the caller uses a second factor.')
  @Get()
  @Scopes('read:security')
  @Answers(MfaSettingsShape)
  async show(@CurrentAccount() accountId: string): Promise<MfaSettingsJson> {
    const isEnabled = await this.mfa.isEnabled(accountId);
    return { settings: { enabled: isEnabled, totp: isEnabled } };
  }

  @Summary('Creates the key of a second factor; it counts once it is confirmed.')
  @Get('setup/:method')
  @Scopes('write:security')
  @Header('Cache-Control', 'no-store')
  @Answers(TotpSetupShape)
  async setUp(@CurrentAccount() accountId: string, @Param('method') method: string): Promise<TotpSetupJson> {
    requireMethod(method, 'totp');
    const { key, provisioningUri } = await this.mfa.setUp(accountId);
    return { key, provisioning_uri: provisioningUri };
  }

  @Summary('Switches on the second factor that was set up, with the password and a first code.')
  @Post('confirm/:method')
  @Scopes('write:security')
  @Answers(NothingShape)
  async confirm(
    @CurrentAccount() accountId: string,
    @Param('method') method: string,
    @Input(ConfirmBody) { password, code }: ConfirmBody,
    @Req() request: ApiRequest,
  ): Promise<object> {
    requireMethod(method, 'totp');
    await this.mfa.confirm(accountId, password, code, this.attempts.addressOf(request));
    return {};
  }

  @Summary('Creates new recovery codes; the former ones stop working.')
  @Get('backup_codes')
  @Scopes('write:security')
  @Header('Cache-Control', 'no-store')
  @Answers(RecoveryCodesShape)
  async renewRecoveryCodes(@CurrentAccount() accountId: string): Promise<RecoveryCodesJson> {
    return { codes: await this.mfa.renewRecoveryCodes(accountId) };
  }

  @Summary("Switches off the caller's second factor; `totp` and `mfa` mean the same.")
  @Delete(':method')
  @Scopes('write:security')
  @Answers(NothingShape)
  async disable(
    @CurrentAccount() accountId: string,
    @Param('method') method: string,
    @Input(DisableBody) { password }: DisableBody,
    @Req() request: ApiRequest,
  ): Promise<object> {
    requireMethod(method, 'totp', 'mfa');
    await this.mfa.disable(accountId, password, this.attempts.addressOf(request));
    return {};
  }
}

function requireMethod(method: string, ...known: readonly string[]): void {
  if (!known.includes(method)) throw new Invalid('undefined mfa method');
}
