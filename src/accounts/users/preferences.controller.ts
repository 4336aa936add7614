import { Get } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Scopes, Summary } from '../../common/index.js';
import type { PreferencesJson } from './preferences.shape.js';
import { preferences } from './preferences.view.js';
import { UsersService } from './users.service.js';
import { PreferencesShape } from './preferences.shape.js';

/** `GET /api/v1/preferences` (reference): the caller's defaults for posting and reading. */
@ClientApi('v1', 'preferences')
export class PreferencesController {
  constructor(private readonly users: UsersService) {}

  @Summary("Shows the caller's defaults for posting and reading.")
  @Get()
  @Scopes('read:accounts')
  @Answers(PreferencesShape)
  async show(@CurrentAccount() accountId: string): Promise<PreferencesJson> {
    return preferences(await this.users.defaults(accountId));
  }
}
