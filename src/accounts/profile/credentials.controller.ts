import { Get, Patch } from '@nestjs/common';
import {
  AcceptsFiles,
  Answers,
  type Auth,
  ClientApi,
  CurrentAccount,
  CurrentAuth,
  FormRefusals,
  Input,
  IsReferenceApp,
  type Json,
  Scopes,
  Summary,
} from '../../common/index.js';
import { AccountView } from '../rendering/account.view.js';
import { PROFILE_FILES, UpdateCredentialsBody } from './profile.dto.js';
import { ProfileService } from './profile.service.js';
import { CredentialAccountShape } from '../model/account.shape.js';

/** The caller's own account and profile (spec §4.3). */
@ClientApi('v1', '')
export class CredentialsController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly view: AccountView,
  ) {}

  @Summary("Shows the caller's own account, with its settings.")
  @Get('accounts/verify_credentials')
  @Scopes('profile', 'read:accounts')
  @Answers(CredentialAccountShape)
  verify(@CurrentAccount() accountId: string, @CurrentAuth() { tokenId, tokenIssuedAt, scopes }: Auth): Promise<Json> {
    const readsAccount = scopes.includes('read') || scopes.includes('read:accounts'); // the scope `profile` shows the identity only
    const hasChat = readsAccount && tokenId !== null && tokenIssuedAt !== undefined;
    const chatTokenFor = hasChat ? { tokenId, tokenIssuedAt } : undefined;
    return this.view.own(accountId, { settingsStore: readsAccount, chatTokenFor });
  }

  @Summary("Changes the caller's profile and default settings; only the given fields change.")
  @Patch(['accounts/update_credentials', 'update_credentials']) // the latter is the older path (spec §9.4)
  @Scopes('write:accounts')
  @AcceptsFiles(PROFILE_FILES)
  @FormRefusals()
  @Answers(CredentialAccountShape)
  async update(
    @CurrentAccount() accountId: string,
    @IsReferenceApp() isReferenceApp: boolean,
    @Input(UpdateCredentialsBody) input: UpdateCredentialsBody,
  ): Promise<Json> {
    await this.profiles.update(accountId, input.changes(), { isReferenceApp });
    return this.view.own(accountId, { settingsStore: true });
  }
}
