import { Get, Post } from '@nestjs/common';
import {
  AccountView,
  type CredentialAccountJson,
  type DefaultScope,
  ProfileService,
  type QuotePolicyName,
  UpdateCredentialsBody,
  UsersService,
} from '../../accounts/index.js';
import {
  BooleanLike,
  Input,
  Nested,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
} from '../../common/index.js';
import { NotificationPolicyBody, NotificationPolicyService } from '../../notifications/index.js';
import { Brand } from '../../platform/index.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';
import { extensionOf } from '../parts/shown.js';
import type { Said } from './account.pages.js';
import { type Preferences, preferencesPage } from './preferences.page.js';
import { objectOf } from '../parts/rendered.js';

/** The form has the names of the API, and its rules. */
class PreferencesFormBody extends UpdateCredentialsBody {
  @Nested(() => NotificationPolicyBody) policy?: NotificationPolicyBody;
  @BooleanLike() hide_notification_contents?: boolean;

  /** What was typed, in place of the stored values. */
  over(stored: Preferences): Preferences {
    const { source, policy } = this;
    const typed = {
      scope: this.default_scope as DefaultScope | undefined,
      quotePolicy: source?.quote_policy as QuotePolicyName | undefined,
      sensitive: source?.sensitive,
      language: source?.language,
      noRichText: this.no_rich_text,
      allowFollowingMove: this.allow_following_move,
      skipsContainment: this.skip_thread_containment,
      locale: this.language,
      policy: policy && { ...stored.policy, ...policy.changes() },
      hidesContents: this.hide_notification_contents,
    };
    return { ...stored, ...Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined)) };
  }
}

/** The page on which people choose how they post, and what they hear of. */
@RootApi('auth/account/preferences')
export class PreferencesPagesController {
  constructor(
    private readonly pages: SessionPages,
    private readonly view: AccountView,
    private readonly users: UsersService,
    private readonly profiles: ProfileService,
    private readonly policies: NotificationPolicyService,
    private readonly brand: Brand,
  ) {}

  @Get()
  @SignedIn()
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit));
  }

  @Post()
  @SignedIn()
  change(@Input(PreferencesFormBody) form: PreferencesFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const act = async () => {
      const { accountId } = visit.session;
      const { hide_notification_contents: hidesContents } = form;
      await this.profiles.update(accountId, form.changes());
      if (hidesContents !== undefined)
        await this.users.changeNotificationSettings(accountId, { hide_notification_contents: hidesContents });
      if (form.policy) await this.policies.change(accountId, form.policy.changes());
      return this.page(visit, { notice: visit.t.text('account.saved') });
    };
    return this.pages.submit(visit, act, (alarm) => this.page(visit, { alarm }, form));
  }

  private async page({ t, session }: Visit, said: Said = {}, typed?: PreferencesFormBody): Promise<PageContent> {
    const stored = await this.stored(session.accountId);
    return preferencesPage(t, session, typed?.over(stored) ?? stored, said);
  }

  private async stored(accountId: string): Promise<Preferences> {
    const [json, { locale }, { policy }, { hide_notification_contents: hidesContents }] = await Promise.all([
      this.view.own(accountId, { settingsStore: false }),
      this.users.facts(accountId),
      this.policies.show(accountId),
      this.users.notificationSettings(accountId),
    ]);
    const { source, ...account } = objectOf<CredentialAccountJson>(json);
    const own = extensionOf<CredentialAccountJson['svc']>(account, this.brand.word);
    const { no_rich_text: noRichText } = extensionOf<CredentialAccountJson['source']['svc']>(source, this.brand.word);
    return {
      scope: source.privacy,
      quotePolicy: source.quote_policy,
      sensitive: source.sensitive,
      language: source.language,
      noRichText,
      allowFollowingMove: own.allow_following_move,
      skipsContainment: own.skip_thread_containment,
      locale,
      policy,
      hidesContents,
    };
  }
}
