import { Delete, Get, Patch, Put } from '@nestjs/common';
import type { Static } from 'typebox';
import {
  AcceptsFiles,
  Answers,
  ClientApi,
  CurrentAccount,
  FormRefusals,
  Input,
  IsReferenceApp,
  type Json,
  Scopes,
  Summary,
} from '../../common/index.js';
import { CredentialAccountShape, ProfileShape } from '../model/account.shape.js';
import { AccountView } from '../rendering/account.view.js';
import { AccountPicturesService } from './account-pictures.service.js';
import { PROFILE_FILES, UpdateCredentialsBody } from './profile.dto.js';
import { ProfileService } from './profile.service.js';

/** `/api/v1/profile` (reference Profile): the caller's profile as typed, with the rules of `update_credentials`. */
@ClientApi('v1', 'profile')
export class OwnProfileController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly pictures: AccountPicturesService,
    private readonly view: AccountView,
  ) {}

  @Summary("Shows the caller's profile as it was typed.")
  @Get()
  @Scopes('profile', 'read:accounts')
  @Answers(ProfileShape)
  show(@CurrentAccount() accountId: string): Promise<Static<typeof ProfileShape>> {
    return this.view.ownProfile(accountId);
  }

  @Summary("Changes the caller's profile; only the given fields change.")
  @Patch()
  @Scopes('write:accounts')
  @AcceptsFiles(PROFILE_FILES)
  @FormRefusals()
  @Answers(ProfileShape)
  async change(
    @CurrentAccount() accountId: string,
    @Input(UpdateCredentialsBody) input: UpdateCredentialsBody,
    @IsReferenceApp() isReferenceApp: boolean,
  ): Promise<Static<typeof ProfileShape>> {
    await this.profiles.update(accountId, input.changes(), { isReferenceApp });
    return this.view.ownProfile(accountId);
  }

  @Summary("Changes the caller's profile, like the request with PATCH.")
  @Put()
  @Scopes('write:accounts')
  @AcceptsFiles(PROFILE_FILES)
  @FormRefusals()
  @Answers(ProfileShape)
  replace(
    @CurrentAccount() accountId: string,
    @Input(UpdateCredentialsBody) input: UpdateCredentialsBody,
    @IsReferenceApp() isReferenceApp: boolean,
  ): Promise<Static<typeof ProfileShape>> {
    return this.change(accountId, input, isReferenceApp);
  }

  @Summary("Removes the caller's avatar.")
  @Delete('avatar')
  @Scopes('write:accounts')
  @Answers(CredentialAccountShape)
  async removeAvatar(@CurrentAccount() accountId: string): Promise<Json> {
    await this.pictures.change(accountId, 'avatar', null);
    return this.view.own(accountId, { settingsStore: true });
  }

  @Summary("Removes the caller's header picture.")
  @Delete('header')
  @Scopes('write:accounts')
  @Answers(CredentialAccountShape)
  async removeHeader(@CurrentAccount() accountId: string): Promise<Json> {
    await this.pictures.change(accountId, 'header', null);
    return this.view.own(accountId, { settingsStore: true });
  }
}
