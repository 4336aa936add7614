import type { CredentialAccountJson } from '../../accounts/index.js';
import { type Html, html, type PageContent, type Translator } from '../../common/index.js';
import type { BrowserSession } from '../../sign-in/index.js';
import { tickField } from '../parts/choices.part.js';
import { pathOf, type Said, sectionPage } from './account.pages.js';
import { sessionForm } from '../parts/forms.part.js';

/** Fields that are empty and shown for more. */
const SPARE_FIELDS = 2;

/** The yes-or-no settings of a profile, under their names of the API, in groups. */
const SWITCHES = {
  kind: ['locked', 'bot', 'accepts_chat_messages'],
  found: ['discoverable', 'indexable'],
  hidden: [
    'hide_followers',
    'hide_follows',
    'hide_followers_count',
    'hide_follows_count',
    'hide_favorites',
    'show_birthday',
    'show_role',
  ],
} as const;
type Switch = (typeof SWITCHES)[keyof typeof SWITCHES][number];

/** A profile as its owner types it, under the names of the API. */
export interface ProfileValues extends Readonly<Record<Switch, boolean>> {
  readonly display_name: string;
  readonly note: string;
  readonly fields_attributes: readonly { readonly name: string; readonly value: string }[];
  readonly avatar_description: string;
  readonly header_description: string;
  /** `YYYY-MM-DD`. */
  readonly birthday: string | null;
  /** Hosts, one a line. */
  readonly attribution: string;
}

/** What the page shows beside the values. */
export interface ProfileFacts {
  readonly avatar: string;
  readonly header: string;
  /** The most fields that the server takes. */
  readonly mostFields: number;
  readonly isStaff: boolean;
}

/** The stored profile. */
export function storedProfile(
  { source, ...account }: CredentialAccountJson,
  own: CredentialAccountJson['svc'],
  showRole: boolean,
): ProfileValues {
  const { hide_followers, hide_follows, hide_followers_count, hide_follows_count, hide_favorites } = own;
  const hidden = { hide_followers, hide_follows, hide_followers_count, hide_follows_count, hide_favorites };
  return {
    ...hidden,
    display_name: account.display_name,
    note: source.note,
    fields_attributes: source.fields,
    avatar_description: own.avatar_description,
    header_description: own.header_description,
    birthday: own.birthday ?? null,
    attribution: source.attribution_domains.join('\n'),
    locked: account.locked,
    bot: account.bot,
    accepts_chat_messages: own.accepts_chat_messages ?? false,
    discoverable: account.discoverable,
    indexable: source.indexable,
    show_birthday: own.show_birthday,
    show_role: showRole,
  };
}

/** The page of the own profile. */
export function profileSettingsPage(
  t: Translator,
  session: BrowserSession,
  values: ProfileValues,
  facts: ProfileFacts,
  said: Said = {},
): PageContent {
  const content = html`<p><a href="/app/people/${session.accountId}">${t.text('settings.profile.show')}</a></p>
    ${sessionForm(
      session,
      pathOf('profile'),
      html`${texts(t, values)} ${pictures(t, values, facts)} ${fields(t, values, facts)} ${rest(t, values, facts)}
        <button>${t.text('people.save')}</button>`,
      { attributes: html`enctype="multipart/form-data"` },
    )}`;
  return sectionPage(t, 'profile', said, content);
}

function texts(t: Translator, { display_name: name, note }: ProfileValues): Html {
  return html`<label for="display_name">${t.text('settings.profile.name')}</label>
    <input id="display_name" name="display_name" value="${name}" autocomplete="nickname" />
    <label for="note">${t.text('settings.profile.note')}</label>
    <textarea id="note" name="note" rows="5">${note}</textarea>`;
}

function pictures(t: Translator, values: ProfileValues, { avatar, header }: ProfileFacts): Html {
  return html`<h2>${t.text('settings.profile.pictures')}</h2>
    <p><img class="face" src="${avatar}" alt="${t.text('settings.profile.avatar')}" width="96" height="96" /></p>
    ${picture(t, 'avatar', values.avatar_description)}
    <img class="strip" src="${header}" alt="${t.text('settings.profile.header')}" />
    ${picture(t, 'header', values.header_description)}`;
}

function picture(t: Translator, use: 'avatar' | 'header', description: string): Html {
  return html`<label for="${use}">${t.text(`settings.profile.${use}`)}</label>
    <input id="${use}" name="${use}" type="file" accept="image/*" />
    <label for="${use}_description">${t.text('settings.profile.description')}</label>
    <input id="${use}_description" name="${use}_description" value="${description}" />
    ${tickField(`remove_${use}`, t.text('settings.profile.remove'), false)}`;
}

function fields(t: Translator, { fields_attributes: all }: ProfileValues, { mostFields }: ProfileFacts): Html {
  const spare = Array.from({ length: Math.min(SPARE_FIELDS, Math.max(mostFields - all.length, 0)) }, () => ({
    name: '',
    value: '',
  }));
  const rows = [...all, ...spare].map(({ name, value }, at) => {
    const [label, content] = [t.text('settings.field.name'), t.text('settings.field.value')];
    return html`<div class="line">
      <input name="fields_attributes[${at}][name]" value="${name}" aria-label="${label}" placeholder="${label}" />
      <input name="fields_attributes[${at}][value]" value="${value}" aria-label="${content}" placeholder="${content}" />
    </div>`;
  });
  return html`<h2>${t.text('settings.profile.fields')}</h2>
    <p class="soft">${t.text('settings.profile.fields.text', { count: mostFields })}</p>
    ${rows}`;
}

function rest(t: Translator, values: ProfileValues, { isStaff }: ProfileFacts): Html {
  const ticks = (names: readonly Switch[]) =>
    names.map((name) => tickField(name, t.text(`settings.${name}`), values[name]));
  const hidden = SWITCHES.hidden.filter((name) => isStaff || name !== 'show_role');
  return html`<h2>${t.text('settings.profile.kind')}</h2>
    ${ticks(SWITCHES.kind)}
    <h2>${t.text('settings.profile.found')}</h2>
    ${ticks(SWITCHES.found)}
    <h2>${t.text('settings.profile.shown')}</h2>
    <label for="birthday">${t.text('settings.profile.birthday')}</label>
    <input id="birthday" name="birthday" type="date" value="${values.birthday}" />
    ${ticks(hidden)}
    <label for="attribution">${t.text('settings.profile.attribution')}</label>
    <textarea id="attribution" name="attribution" rows="2">${values.attribution}</textarea>`;
}
