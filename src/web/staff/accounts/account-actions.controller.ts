import { Param, Post } from '@nestjs/common';
import { acctOf, ModeratedAccountsService } from '../../../accounts/index.js';
import {
  PermissionGroupsService,
  UserAccessService,
  UserAccountsService,
  UserModerationService,
} from '../../../admin/index.js';
import { type Auth, Input, NotFound, type PageAnswer, RootApi, SignedIn } from '../../../common/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { listFrom, StaffPages } from '../frame/staff-pages.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { accountPath } from '../parts/staff.part.js';
import { passwordLinkPage } from './account.page.js';
import { AccountActionBody } from './accounts.dto.js';

type Act = (actor: Auth, nickname: string, body: AccountActionBody) => Promise<unknown>;

/** What the buttons of an account do. */
export type AccountAction = keyof AccountActionsController['actions'];

/** After these the account is gone, and with it its page. */
const LAST_ACTIONS: readonly string[] = ['delete', 'reject'];

/** What the staff does with accounts, by the services of the API. */
@RootApi('app/staff/accounts')
export class AccountActionsController {
  readonly actions = {
    activate: (actor, name) => this.moderation.setActive(actor, [name], true),
    deactivate: (actor, name) => this.moderation.setActive(actor, [name], false),
    approve: (actor, name) => this.moderation.approve(actor, [name]),
    reject: (actor, name) => this.moderation.reject(actor, [name]),
    confirm: (actor, name) => this.moderation.confirm(actor, [name]),
    resend: (actor, name) => this.moderation.resendConfirmation(actor, [name]),
    suggest: (actor, name) => this.moderation.setSuggested(actor, [name], true),
    unsuggest: (actor, name) => this.moderation.setSuggested(actor, [name], false),
    tag: (actor, name, { tag }) => this.moderation.setTags(actor, [name], tag === '' ? [] : [tag], true),
    untag: (actor, name, { tag }) => this.moderation.setTags(actor, [name], tag === '' ? [] : [tag], false),
    'grant-admin': (actor, name) => this.groups.set(actor, 'admin', [name], true),
    'revoke-admin': (actor, name) => this.groups.set(actor, 'admin', [name], false),
    'grant-moderator': (actor, name) => this.groups.set(actor, 'moderator', [name], true),
    'revoke-moderator': (actor, name) => this.groups.set(actor, 'moderator', [name], false),
    'force-password': (actor, name) => this.access.forceReset(actor, [name]),
    'disable-mfa': (actor, name) => this.access.disableMfa(actor, name),
    backup: (actor, name) => this.access.backup(actor, name),
    delete: (actor, name) => this.users.delete(actor, [name]),
  } satisfies Record<string, Act>;

  constructor(
    private readonly pages: StaffPages,
    private readonly accounts: ModeratedAccountsService,
    private readonly moderation: UserModerationService,
    private readonly groups: PermissionGroupsService,
    private readonly access: UserAccessService,
    private readonly users: UserAccountsService,
  ) {}

  @Post(':id/actions/:action')
  @SignedIn('admin:write:accounts')
  act(
    @Param('id') id: string,
    @Param('action') action: string,
    @Input(AccountActionBody) body: AccountActionBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const back = LAST_ACTIONS.includes(action) ? listFrom(visit, `${STAFF_PATH}/accounts`) : undefined;
    return this.pages.act(
      visit,
      async ({ auth }) => this.actionNamed(action)(auth, await this.handleOf(id), body),
      back,
    );
  }

  /** Shows a link for a new password, once. */
  @Post(':id/password_link')
  @SignedIn('admin:write:accounts')
  passwordLink(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    const show = async ({ t, auth }: Visit) => {
      const acct = await this.handleOf(id);
      const { link } = await this.access.resetLink(auth, acct);
      return passwordLinkPage(t, { acct, link, back: accountPath(id) });
    };
    const retry = (alarm: string, { t }: Visit) => passwordLinkPage(t, { acct: id, alarm, back: accountPath(id) });
    return this.pages.submit(visit, show, retry);
  }

  private actionNamed(name: string): Act {
    if (!Object.hasOwn(this.actions, name)) throw new NotFound();
    return this.actions[name as AccountAction];
  }

  private async handleOf(id: string): Promise<string> {
    const { nickname, domain } = await this.accounts.named(id);
    return acctOf(nickname, domain);
  }
}
