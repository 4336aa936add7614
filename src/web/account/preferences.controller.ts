import { Get, Post } from '@nestjs/common';
import {
  AccountView,
  type CredentialAccountJson,
  type DefaultScope,
  ListsService,
  ProfileService,
  type QuotePolicyName,
  UpdateCredentialsBody,
  UsersService,
} from '../../accounts/index.js';
import {
  BooleanLike,
  Input,
  Nested,
  OptionalText,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
  extensionOf,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { NotificationPolicyBody, NotificationPolicyService } from '../../notifications/index.js';
import { Brand, UnitOfWork } from '../../platform/index.js';
import { type PageChoices, PageChoicesService } from '../frame/page-choices.js';
import { SessionPages, type Visit } from '../frame/session-pages.js';
import { Visiting } from '../frame/visiting.js';
import type { Said } from './account.pages.js';
import { type Preferences, preferencesPage } from './preferences.page.js';
import { objectOf } from '../parts/rendered.js';

const MAX_LENGTH = 4_096;

/** The choices for the pages alone. */
class PagesBody {
  @OptionalText({ max: MAX_LENGTH }) start?: string;
  @OptionalText({ max: MAX_LENGTH }) format?: string;

  /** What was sent. */
  choices(): Partial<PageChoices> {
    const { start, format } = this;
    return { ...(start !== undefined && { start }), ...(format !== undefined && { format }) };
  }
}

/** The form has the names of the API, and its rules. */
class PreferencesFormBody extends UpdateCredentialsBody {
  @Nested(() => NotificationPolicyBody) policy?: NotificationPolicyBody;
  @BooleanLike() hide_notification_contents?: boolean;
  @Nested(() => PagesBody) pages?: PagesBody;

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
      pages: this.pages && { ...stored.pages, ...this.pages.choices() },
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
    private readonly choices: PageChoicesService,
    private readonly lists: ListsService,
    private readonly settings: Settings,
    private readonly brand: Brand,
    private readonly uow: UnitOfWork,
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
      const pages = form.pages?.choices() ?? {};
      await this.choices.requireValid(accountId, pages);
      await this.uow.run(async () => {
        await this.profiles.update(accountId, form.changes());
        await this.choices.change(accountId, pages);
        if (hidesContents !== undefined)
          await this.users.changeNotificationSettings(accountId, { hide_notification_contents: hidesContents });
        if (form.policy) await this.policies.change(accountId, form.policy.changes());
      });
      return this.page(visit, { notice: visit.t.text('account.saved') });
    };
    return this.pages.submit(visit, act, (alarm) => this.page(visit, { alarm }, form));
  }

  private async page({ t, session }: Visit, said: Said = {}, typed?: PreferencesFormBody): Promise<PageContent> {
    const [stored, lists] = await Promise.all([this.stored(session.accountId), this.lists.all(session.accountId)]);
    const formats = this.settings.get('instance.allowed_post_formats');
    return preferencesPage(t, session, { ...(typed?.over(stored) ?? stored), lists, formats }, said);
  }

  private async stored(accountId: string): Promise<Preferences> {
    const [json, { locale }, { policy }, { hide_notification_contents: hidesContents }, pages] = await Promise.all([
      this.view.own(accountId, { settingsStore: false }),
      this.users.facts(accountId),
      this.policies.show(accountId),
      this.users.notificationSettings(accountId),
      this.choices.of(accountId),
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
      pages,
    };
  }
}
