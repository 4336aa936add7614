import { type DefaultScope, DEFAULT_SCOPES, QUOTE_POLICIES, type QuotePolicyName } from '../../accounts/index.js';
import { type Html, html, LOCALES, type PageContent, type Translator } from '../../common/index.js';
import type { NotificationPolicy } from '../../notifications/index.js';
import type { BrowserSession } from '../../sign-in/index.js';
import { formatName } from '../app/compose/compose-fields.part.js';
import { type PageChoices, START_PATHS, type StartName } from '../frame/page-choices.js';
import { type Option, selectField, tickField } from '../parts/choices.part.js';
import { pathOf, type Said, sectionPage } from './account.pages.js';
import { sessionForm } from '../parts/forms.part.js';
import { policyFields } from '../parts/policy.part.js';

/** The names of the languages of pages and mails, each in itself. */
const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' };

/** The preferences of a person. */
export interface Preferences {
  readonly scope: DefaultScope;
  readonly quotePolicy: QuotePolicyName;
  readonly sensitive: boolean;
  /** The language of posts; null for none. */
  readonly language: string | null;
  readonly noRichText: boolean;
  readonly allowFollowingMove: boolean;
  /** Whether it shows conversations of which the person may see only a part. */
  readonly skipsContainment: boolean;
  /** The language of mails; null for the server's. */
  readonly locale: string | null;
  readonly policy: NotificationPolicy;
  readonly hidesContents: boolean;
  readonly pages: PageChoices;
}

/** What the page offers to choose from. */
interface Offered {
  readonly lists: readonly { readonly id: string; readonly title: string }[];
  /** Content types. */
  readonly formats: readonly string[];
}

/** The page of the preferences. */
export function preferencesPage(
  t: Translator,
  session: BrowserSession,
  values: Preferences & Offered,
  said: Said = {},
): PageContent {
  const scopes = DEFAULT_SCOPES.map((value) => ({ value, label: t.text(`visibility.${value}`) }));
  const quotes = QUOTE_POLICIES.map((value) => ({ value, label: t.text(`settings.quotes.${value}`) }));
  const fields = html`<h2>${t.text('settings.posts')}</h2>
    ${selectField('default_scope', t.text('settings.scope'), scopes, values.scope)}
    ${selectField('source[quote_policy]', t.text('settings.quotes'), quotes, values.quotePolicy, 'quote_policy')}
    <label for="post_language">${t.text('settings.language')}</label>
    <input
      id="post_language"
      name="source[language]"
      value="${values.language}"
      maxlength="35"
      placeholder="${t.locale}"
      autocapitalize="none"
    />
    ${formatChoice(t, values)} ${tickField('source[sensitive]', t.text('settings.sensitive'), values.sensitive)}
    ${tickField('no_rich_text', t.text('settings.no-rich-text'), values.noRichText)}
    <h2>${t.text('settings.others')}</h2>
    ${startChoice(t, values)} ${localeChoice(t, values)}
    ${tickField('allow_following_move', t.text('settings.move'), values.allowFollowingMove)}
    ${tickField('skip_thread_containment', t.text('settings.containment'), values.skipsContainment)}
    <h2>${t.text('app.notifications')}</h2>
    ${policyFields(t, values.policy)}
    <p><a href="/app/notifications/held_back">${t.text('notices.held-back')}</a></p>
    ${tickField('hide_notification_contents', t.text('settings.hide-contents'), values.hidesContents)}
    <button>${t.text('people.save')}</button>`;
  return sectionPage(t, 'preferences', said, sessionForm(session, pathOf('preferences'), fields));
}

/** The page to begin with: a timeline, the notifications or a list. */
function startChoice(t: Translator, { pages, lists }: Preferences & Offered): Html {
  const places = Object.keys(START_PATHS).map((value) => ({ value, label: t.text(`app.${value as StartName}`) }));
  const ofLists = lists.map(({ id, title }) => ({
    value: `list:${id}`,
    label: t.text('settings.start.list', { title }),
  }));
  return selectField('pages[start]', t.text('settings.start'), [...places, ...ofLists], pages.start, 'start');
}

/** The language of mails. Apps set others than the offered ones, such as `de-AT`; the form leaves them as they are. */
function localeChoice(t: Translator, { locale }: Preferences): Html {
  const options: Option[] = [
    { value: '', label: t.text('settings.locale.server') },
    ...LOCALES.map((value) => ({ value, label: LANGUAGES[value] })),
  ];
  if (locale !== null && !options.some(({ value }) => value === locale)) options.push({ value: locale, label: locale });
  return selectField('language', t.text('settings.locale'), options, locale);
}

/** The format of new posts, among those that the server allows. */
function formatChoice(t: Translator, { pages, formats }: Preferences & Offered): Html {
  const named = formats.map((value) => ({ value, label: formatName(t, value) }));
  const options = [{ value: '', label: t.text('settings.format.server') }, ...named];
  return selectField('pages[format]', t.text('settings.format'), options, pages.format, 'format');
}
