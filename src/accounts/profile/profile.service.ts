import { Injectable } from '@nestjs/common';
import {
  FieldProblems,
  Invalid,
  isBlank,
  isLongerThan,
  isStatusLongerThan,
  meantVisibility,
  NotFound,
  phrase,
  requireLanguageTag,
  TextPolicies,
  Unprocessable,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { Events, parseUrl, UnitOfWork } from '../../platform/index.js';
import {
  type Account,
  type AccountField,
  MAX_ALIASES,
  MAX_ATTRIBUTION_DOMAINS,
  MAX_ATTRIBUTION_LENGTH,
} from '../model/account.entities.js';
import { AccountPicturesService, type NewPictures, type PictureFiles } from './account-pictures.service.js';
import { type AccountChanges, AccountRepository } from '../model/account.repository.js';
import { type AccountRow, isProgram } from '../model/account.rows.js';
import { AccountUnlocked, AccountUpdated, BYLINE } from '../model/accounts.events.js';
import { birthdayRules, requireBirthday } from './birthday.js';
import { LinkVerificationService } from './link-verification.service.js';
import { displayNameOf, ProfileText } from '../users/profile-text.js';
import { SettingsStoreService } from '../users/settings-store.service.js';
import { type UserChanges, UserRepository } from '../users/user.repository.js';

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Fields that are stored unchanged. */
type PlainProfile = Given<
  Pick<
    Account,
    | 'displayName'
    | 'actorType'
    | 'avatarDescription'
    | 'headerDescription'
    | 'locked'
    | 'discoverable'
    | 'indexable'
    | 'attributionDomains'
    | 'hideFollowers'
    | 'hideFollows'
    | 'hideFollowersCount'
    | 'hideFollowsCount'
    | 'hideFavorites'
    | 'showRole'
    | 'skipThreadContainment'
    | 'acceptsChatMessages'
    | 'alsoKnownAs'
    | 'birthday'
    | 'showBirthday'
  >
>;

/** Changes of a local account by its owner; undefined keeps the value. */
export interface ProfileChanges extends PlainProfile, Given<UserChanges> {
  /** Plain text as typed. */
  readonly note?: string | undefined;
  /** Plain text as typed. */
  readonly fields?: readonly { readonly name: string; readonly value: string }[] | undefined;
  /** Whether the account is automated: short for an actor type. */
  readonly bot?: boolean | undefined;
  /** The settings store: one object for each frontend name; other names stay. */
  readonly settingsStore?: Readonly<Record<string, unknown>> | undefined;
  readonly pictures?: PictureFiles | undefined;
}

interface UpdateOptions {
  /** What the caller has found wrong in other fields. */
  readonly problems?: FieldProblems;
  /** Stored pictures in place of those of the changes, where a unit of work is open ({@link AccountPicturesService.store}). */
  readonly stored?: NewPictures | undefined;
  /** Whether the app knows `local` and `list` only under other names. */
  readonly isReferenceApp?: boolean;
}

/** Edits of profiles and preferences by their owners (spec §4.3, update_credentials). */
@Injectable()
export class ProfileService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly text: ProfileText,
    private readonly policies: TextPolicies,
    private readonly pictures: AccountPicturesService,
    private readonly store: SettingsStoreService,
    private readonly links: LinkVerificationService,
    private readonly settings: Settings,
    private readonly events: Events,
  ) {}

  /**
   * Applies all changes to a local account, or none.
   * @throws FieldsRefused naming all wrong texts and values, else all wrong pictures, else the settings store, as
   * `update_credentials` names them; Invalid for unreadable values; Unprocessable when a policy refuses a text; NotFound
   * for no local account, also for one that is deleted at this moment
   */
  async update(
    accountId: string,
    changes: ProfileChanges,
    { problems = new FieldProblems(), stored: before, isReferenceApp = false }: UpdateOptions = {},
  ): Promise<void> {
    const { preferences, profile, settingsStore, pictures } = split(changes);
    if (isReferenceApp && preferences.defaultScope !== undefined)
      preferences.defaultScope = await this.meantScope(accountId, preferences.defaultScope);
    const choices = given({ ...preferences, ...(await languagesOf(preferences, problems)) });
    const account = await this.account(accountId);
    const texts = await this.columns(profile, account, problems);
    problems.throwIfAny();
    await this.policies.requireAccepted(textsOf(profile), accountId);
    const stored = before ?? (await this.pictures.store(accountId, pictures));
    await this.uow.run(async () => {
      if (hasAny(choices) && !(await this.users.update(accountId, choices))) throw new NotFound();
      if (settingsStore !== undefined) {
        await problems.check('svc_settings_store', () => this.store.replace(accountId, settingsStore));
        problems.throwIfAny();
      }
      const columns = { ...(await this.pictures.replace(accountId, stored)), ...texts };
      if (hasAny(columns)) {
        if (columns.locked === false && (await this.accounts.readLockedForUpdate(accountId)))
          this.events.emit(new AccountUnlocked(accountId));
        if (!(await this.accounts.update(accountId, columns))) throw new NotFound();
        this.links.ask(accountId, columns.fields ?? account.fields);
      } else if (choices.defaultSensitive !== undefined)
        await this.accounts.touchVersion(accountId); // shows in `source`
      else return;
      const changesByline = BYLINE.some((part) => part in columns);
      this.events.emit(new AccountUpdated(accountId, true, changesByline));
    });
  }

  /**
   * Adds another account of the same owner as an alias. Adding it again changes nothing.
   * @throws Unprocessable when there are too many, NotFound for no local account
   */
  async addAlias(accountId: string, uri: string): Promise<void> {
    await this.uow.run(async () => {
      if (await this.accounts.addAlias(accountId, uri, MAX_ALIASES)) {
        this.events.emit(new AccountUpdated(accountId, true));
        return;
      }
      const { alsoKnownAs: aliases } = await this.account(accountId);
      if (!aliases.includes(uri))
        throw new Unprocessable(phrase('An account has at most {max} aliases', { max: MAX_ALIASES }));
    });
  }

  /** Removes an alias; false when there was none. */
  removeAlias(accountId: string, uri: string): Promise<boolean> {
    return this.uow.run(async () => {
      const removed = await this.accounts.removeAlias(accountId, uri);
      if (removed) this.events.emit(new AccountUpdated(accountId, true));
      return removed;
    });
  }

  private async columns(
    { note, fields, bot, ...plain }: ProfileChanges,
    account: AccountRow,
    problems: FieldProblems,
  ): Promise<AccountChanges> {
    const { birthday, attributionDomains: domains } = plain;
    await this.checkLengths(plain, problems);
    if (birthday !== undefined && birthday !== account.birthday)
      await problems.check('birthday', () => {
        requireBirthday(birthday, birthdayRules(this.settings));
      });
    plain.alsoKnownAs?.forEach(requireAddress);
    return given({
      ...plain,
      alsoKnownAs: plain.alsoKnownAs && [...new Set(plain.alsoKnownAs)],
      attributionDomains: domains && (await problems.check('attribution_domains', () => attributionDomains(domains))),
      displayName: plain.displayName && displayNameOf(plain.displayName),
      actorType: plain.actorType ?? actorTypeFor(bot, account.actorType),
      noteSource: note,
      noteHtml: note === undefined ? undefined : await problems.check('note', () => this.bioHtml(note)),
      fields: fields && (await problems.check('fields_attributes', () => this.fields(fields, account.fields))),
    });
  }

  private async fields(
    given: NonNullable<ProfileChanges['fields']>,
    former: readonly AccountField[],
  ): Promise<AccountField[]> {
    const fields = given.filter(({ name, value }) => !(isBlank(name) && isBlank(value)));
    const most = this.settings.get('instance.max_account_fields');
    if (fields.length > most) throw new Unprocessable(phrase('A profile has at most {max} fields', { max: most }));
    for (const { name, value } of fields) {
      requireLength('The name of a field', name, this.settings.get('instance.account_field_name_length'));
      requireLength('The value of a field', value, this.settings.get('instance.account_field_value_length'));
    }
    const html = await this.text.fieldsHtml(fields.map(({ value }) => value));
    return fields.map(({ name, value: source }, at) => {
      const verified_at = former.find((field) => field.source === source)?.verified_at;
      return { name, value: html[at] ?? '', source, ...(verified_at ? { verified_at } : {}) };
    });
  }

  /** The bio as HTML. One that is too long is not formatted. */
  private bioHtml(note: string): Promise<string> {
    requireLength('The note', note, this.settings.get('instance.user_bio_length'), isStatusLongerThan);
    return this.text.bioHtml(note);
  }

  /** The stored scope, where an app of the reference repeats it under the name that it knows. */
  private async meantScope(accountId: string, scope: string): Promise<string> {
    return meantVisibility(scope, (await this.users.postingDefaults(accountId))?.scope);
  }

  private async checkLengths(profile: PlainProfile, problems: FieldProblems): Promise<void> {
    const description = this.settings.get('instance.description_limit');
    const { displayName, avatarDescription, headerDescription } = profile;
    for (const [field, what, text, max] of [
      ['display_name', 'The display name', displayName, this.settings.get('instance.user_name_length')],
      ['avatar_description', 'The description of the avatar', avatarDescription, description],
      ['header_description', 'The description of the header', headerDescription, description],
    ] as const)
      await problems.check(field, () => requireLength(what, text, max));
  }

  private async account(id: string): Promise<AccountRow> {
    const row = await this.accounts.byId(id);
    if (row?.domain !== null || row.deletedAt) throw new NotFound();
    return row;
  }
}

/** The texts of a profile that others read. */
function textsOf({ displayName, note, avatarDescription, headerDescription, fields = [] }: ProfileChanges): string[] {
  const texts = [displayName, note, avatarDescription, headerDescription, ...fields.flatMap(Object.values<string>)];
  return texts.filter((text) => text !== undefined);
}

/** Separates the columns of `users` from those of `accounts`. */
function split(changes: ProfileChanges) {
  const {
    settingsStore,
    pictures = {},
    defaultScope,
    defaultQuotePolicy,
    defaultSensitive,
    defaultLanguage,
    noRichText,
    allowFollowingMove,
    locale,
    ...profile
  } = changes;
  const preferences = {
    defaultScope,
    defaultQuotePolicy,
    defaultSensitive,
    defaultLanguage,
    noRichText,
    allowFollowingMove,
    locale,
  };
  return { settingsStore, pictures, preferences, profile };
}

/** `bot` chooses between person and service, and keeps a more specific type that agrees with it. */
function actorTypeFor(bot: boolean | undefined, current: string): string | undefined {
  if (bot === undefined || bot === isProgram({ actorType: current })) return undefined;
  return bot ? 'Service' : 'Person';
}

/** The texts of a profile, as their authors know them. */
type LongText =
  | 'The name of a field'
  | 'The value of a field'
  | 'The note'
  | 'The display name'
  | 'The description of the avatar'
  | 'The description of the header';

function requireLength(what: LongText, text: string | undefined, max: number, isLonger = isLongerThan): void {
  if (text !== undefined && isLonger(max, text)) {
    throw new Unprocessable(phrase('{what} is too long (maximum is {max} characters)', { what: phrase(what), max }));
  }
}

/** The languages in their stored spelling. */
async function languagesOf({ locale, defaultLanguage }: Given<UserChanges>, problems: FieldProblems) {
  return {
    locale: await problems.check('language', () => tagOf(locale)),
    defaultLanguage: await problems.check('source.language', () => tagOf(defaultLanguage)),
  };
}

function tagOf(language: string | null | undefined): string | null | undefined {
  return language ? requireLanguageTag(language) : language;
}

function requireAddress(uri: string): void {
  const protocol = parseUrl(uri)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') throw new Invalid('also_known_as must hold addresses of accounts');
}

/** The hosts of names, each once; blank ones are left out. */
function attributionDomains(texts: readonly string[]): string[] {
  const named = texts.filter((text) => !isBlank(text));
  if (named.length > MAX_ATTRIBUTION_DOMAINS)
    throw new Unprocessable(phrase('A profile names at most {max} domains', { max: MAX_ATTRIBUTION_DOMAINS }));
  return [...new Set(named.map(attributionDomain))];
}

/** The host of a name that is typed with or without a scheme. */
function attributionDomain(text: string): string {
  const host = parseUrl(`https://${text.trim().replace(/^https?:\/\//i, '')}`)?.hostname;
  if (host?.includes('.') && text.length <= MAX_ATTRIBUTION_LENGTH) return host;
  throw new Unprocessable(phrase('{text} is not a domain', { text }));
}

/** Drops undefined values, for a partial update. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function hasAny(values: object): boolean {
  return Object.keys(values).length > 0;
}
