import { Param, Patch } from '@nestjs/common';
import { acctOf, type ModeratedAccount } from '../../accounts/index.js';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  Json,
  Summary,
  TextShape,
} from '../../common/index.js';
import { AdminUserShape, AdminUsersShape } from './admin-user.shape.js';
import { AdminUserView } from './admin-user.view.js';
import { UserModerationService } from './user-moderation.service.js';
import { NicknamesBody } from './users.dto.js';

/** `A/users/…`: the states of accounts (spec §3.2, §4.1.1). */
@AdminApi('users')
export class UserActionsController {
  constructor(
    private readonly moderation: UserModerationService,
    private readonly view: AdminUserView,
  ) {}

  @Summary('Activates accounts.')
  @Patch('activate')
  @AdminOnly('admin:write:accounts')
  @Answers(AdminUsersShape)
  activate(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<Json> {
    return this.shown(this.moderation.setActive(actor, nicknames, true));
  }

  @Summary('Deactivates accounts: nobody else sees them, and they cannot sign in.')
  @Patch('deactivate')
  @AdminOnly('admin:write:accounts')
  @Answers(AdminUsersShape)
  deactivate(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<Json> {
    return this.shown(this.moderation.setActive(actor, nicknames, false));
  }

  @Summary('Deactivates an active account, and activates another one.', { deprecated: true })
  @Patch(':nickname/toggle_activation')
  @AdminOnly('admin:write:accounts')
  @Answers(AdminUserShape)
  async toggle(@CurrentAuth() actor: Auth, @Param('nickname') nickname: string): Promise<Json> {
    return Json.of(this.view.one(await this.moderation.toggle(actor, nickname)));
  }

  @Summary('Approves accounts that wait for the staff.')
  @Patch('approve')
  @AdminOnly('admin:write:accounts')
  @Answers(AdminUsersShape)
  approve(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<Json> {
    return this.shown(this.moderation.approve(actor, nicknames));
  }

  @Summary('Suggests accounts to all users.')
  @Patch('suggest')
  @AdminOnly('admin:write:accounts')
  @Answers(AdminUsersShape)
  suggest(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<Json> {
    return this.shown(this.moderation.setSuggested(actor, nicknames, true));
  }

  @Summary('Stops suggesting accounts.')
  @Patch('unsuggest')
  @AdminOnly('admin:write:accounts')
  @Answers(AdminUsersShape)
  unsuggest(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<Json> {
    return this.shown(this.moderation.setSuggested(actor, nicknames, false));
  }

  @Summary('Confirms the mail addresses of accounts.')
  @Patch('confirm_email')
  @AdminOnly('admin:write:accounts')
  @Answers([TextShape])
  async confirm(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<string[]> {
    return namesOf(await this.moderation.confirm(actor, nicknames));
  }

  @Summary('Sends the mail that confirms an address again.')
  @Patch('resend_confirmation_email')
  @AdminOnly('admin:write:accounts')
  @Answers([TextShape])
  async resend(@CurrentAuth() actor: Auth, @Input(NicknamesBody) { nicknames }: NicknamesBody): Promise<string[]> {
    return namesOf(await this.moderation.resendConfirmation(actor, nicknames));
  }

  private async shown(accounts: Promise<ModeratedAccount[]>): Promise<Json> {
    return Json.of({ users: (await accounts).map((row) => this.view.one(row)) });
  }
}

function namesOf(accounts: readonly ModeratedAccount[]): string[] {
  return accounts.map(({ nickname, domain }) => acctOf(nickname, domain));
}
