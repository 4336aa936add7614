import { Get, Post } from '@nestjs/common';
import {
  AccountsService,
  AccountView,
  type CredentialAccountJson,
  PROFILE_FILES,
  type ProfileChanges,
  ProfileService,
  UpdateCredentialsBody,
} from '../../accounts/index.js';
import {
  AcceptsFiles,
  BooleanLike,
  Input,
  OptionalText,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
  extensionOf,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Brand } from '../../platform/index.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';
import type { Said } from './account.pages.js';
import { profileSettingsPage, type ProfileValues, storedProfile } from './profile-settings.page.js';
import { objectOf } from '../parts/rendered.js';

const ANY_LENGTH = 1_048_576;

/** The form has the names of the API, and its rules. */
class ProfileFormBody extends UpdateCredentialsBody {
  @BooleanLike() remove_avatar = false;
  @BooleanLike() remove_header = false;
  /** The hosts of `attribution_domains`, one a line. */
  @OptionalText({ max: ANY_LENGTH }) attribution?: string;

  override changes(): ProfileChanges {
    const { pictures, ...changes } = super.changes();
    const avatar = pictures?.avatar ?? (this.remove_avatar ? null : undefined);
    const header = pictures?.header ?? (this.remove_header ? null : undefined);
    return {
      ...changes,
      attributionDomains: this.attribution?.split(/\r?\n/) ?? changes.attributionDomains,
      avatarDescription: avatar === null ? '' : changes.avatarDescription,
      headerDescription: header === null ? '' : changes.headerDescription,
      pictures: { avatar, header },
    };
  }
}

/** The page on which people write their profile. */
@RootApi('auth/account/profile')
export class ProfileSettingsController {
  constructor(
    private readonly pages: SessionPages,
    private readonly accounts: AccountsService,
    private readonly view: AccountView,
    private readonly profiles: ProfileService,
    private readonly settings: Settings,
    private readonly brand: Brand,
  ) {}

  @Get()
  @SignedIn()
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit));
  }

  @Post()
  @SignedIn()
  @AcceptsFiles(PROFILE_FILES)
  change(@Input(ProfileFormBody) form: ProfileFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const act = async () => {
      await this.profiles.update(visit.session.accountId, form.changes());
      return this.page(visit, { notice: visit.t.text('account.saved') });
    };
    return this.pages.submit(visit, act, (alarm) => this.page(visit, { alarm }, form));
  }

  /** The stored profile, with what was typed in its place after a failure. */
  private async page({ t, auth, session }: Visit, said: Said = {}, typed?: ProfileFormBody): Promise<PageContent> {
    const { accountId } = session;
    const [json, row] = await Promise.all([
      this.view.own(accountId, { settingsStore: false }),
      this.accounts.byId(accountId),
    ]);
    const account = objectOf<CredentialAccountJson>(json);
    const own = extensionOf<CredentialAccountJson['svc']>(account, this.brand.word);
    const stored = { ...storedProfile(account, own, row?.showRole ?? false), display_name: row?.displayName ?? '' };
    const values = typed ? { ...stored, ...given(typed, stored) } : stored;
    const { avatar, header } = account;
    const mostFields = this.settings.get('instance.max_account_fields');
    const facts = { avatar, header, mostFields, isStaff: auth.isAdmin || auth.isModerator };
    return profileSettingsPage(t, session, values, facts, said);
  }
}

/** The values that were sent, of those that the page shows. */
function given(form: ProfileFormBody, shown: ProfileValues): Partial<ProfileValues> {
  return Object.fromEntries(Object.entries(form).filter(([name, value]) => name in shown && value !== undefined));
}
