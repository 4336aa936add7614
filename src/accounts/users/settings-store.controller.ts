import { Get, Param, Patch } from '@nestjs/common';
import {
  Answers,
  AnythingShape,
  BodyObject,
  CurrentAccount,
  Summary,
  ValidationStatus,
  Scopes,
  SvcApi,
} from '../../common/index.js';
import { SettingsStoreService } from './settings-store.service.js';

type Values = Readonly<Record<string, unknown>>;

/** The settings that a frontend stores with the caller's account (spec §4.2). */
@SvcApi('settings')
@ValidationStatus()
export class SettingsStoreController {
  constructor(private readonly store: SettingsStoreService) {}

  @Summary("Shows the settings that a frontend stored with the caller's account.")
  @Get(':app')
  @Scopes('read:accounts')
  @Answers(AnythingShape)
  show(@CurrentAccount() accountId: string, @Param('app') app: string): Promise<Values> {
    return this.store.of(accountId, app);
  }

  @Summary('Merges an object into the settings of a frontend; a null value removes its key.')
  @Patch(':app')
  @Scopes('write:accounts')
  @Answers(AnythingShape)
  merge(
    @CurrentAccount() accountId: string,
    @Param('app') app: string,
    @BodyObject() changes: Values,
  ): Promise<Values> {
    return this.store.merge(accountId, app, changes);
  }
}
