import { isDeepStrictEqual } from 'node:util';
import { BooleanLike, OneOf, OptionalText, readForeignJson, TextList, UnreadableJson } from '../../../common/index.js';
import { MODERATOR_PRIVILEGES, type SettingChange, type Settings } from '../../../config/index.js';

const MAX_TEXT = 10_000;
const MAX_WORD = 200;
const MAX_SHOWN = 100_000;
/** Upload limits are shown in megabytes. */
const MEGABYTE = 1_000_000;

/** How people get an account. */
export const REGISTRATIONS = ['open', 'invite', 'closed'] as const;
type Registration = (typeof REGISTRATIONS)[number];

/** The main settings as their form has them; numbers are texts until they are stored. */
export interface SettingsFields {
  readonly name: string;
  readonly short_description: string;
  readonly description: string;
  readonly email: string;
  /** Separated by commas. */
  readonly languages: string;
  /** Where the source code of the running version is; empty when unknown. */
  readonly source_url: string;
  readonly registrations: Registration;
  readonly approval: boolean;
  readonly activation: boolean;
  readonly registration_message: string;
  readonly public: boolean;
  readonly federating: boolean;
  readonly limit: string;
  readonly chat_limit: string;
  readonly upload_limit: string;
  readonly max_media_attachments: string;
  readonly privileges: readonly string[];
}

/** The fields with the values of today. */
export function fieldsOf(settings: Settings): SettingsFields {
  const isOpen = settings.get('instance.registrations_open');
  return {
    name: settings.get('instance.name'),
    short_description: settings.get('instance.short_description'),
    description: settings.get('instance.description'),
    email: settings.get('instance.email'),
    languages: settings.get('instance.languages').join(', '),
    source_url: settings.get('instance.source_url'),
    registrations: isOpen ? 'open' : settings.get('instance.invites_enabled') ? 'invite' : 'closed',
    approval: settings.get('instance.account_approval_required'),
    activation: settings.get('instance.account_activation_required'),
    registration_message: settings.get('instance.registration_message'),
    public: settings.get('instance.public'),
    federating: settings.get('instance.federating'),
    limit: String(settings.get('instance.limit')),
    chat_limit: String(settings.get('instance.chat_limit')),
    upload_limit: String(settings.get('instance.upload_limit') / MEGABYTE),
    max_media_attachments: String(settings.get('instance.max_media_attachments')),
    privileges: MODERATOR_PRIVILEGES.filter((scope) => settings.get('instance.moderator_privileges').includes(scope)),
  };
}

export class SettingsBody implements SettingsFields {
  @OptionalText({ max: MAX_TEXT }) name = '';
  @OptionalText({ max: MAX_TEXT }) short_description = '';
  @OptionalText({ max: MAX_TEXT }) description = '';
  @OptionalText({ max: MAX_TEXT }) email = '';
  @OptionalText({ max: MAX_TEXT }) languages = '';
  @OptionalText({ max: MAX_TEXT }) source_url = '';
  @OneOf(REGISTRATIONS) registrations: Registration = 'closed';
  @BooleanLike() approval = false;
  @BooleanLike() activation = false;
  @OptionalText({ max: MAX_TEXT }) registration_message = '';
  @BooleanLike() public = false;
  @BooleanLike() federating = false;
  @OptionalText({ max: MAX_WORD }) limit = '';
  @OptionalText({ max: MAX_WORD }) chat_limit = '';
  @OptionalText({ max: MAX_WORD }) upload_limit = '';
  @OptionalText({ max: MAX_WORD }) max_media_attachments = '';
  @TextList({ max: MODERATOR_PRIVILEGES.length, maxLength: MAX_WORD }) privileges: string[] = [];
  /** See {@link shownIn}. */
  @OptionalText({ max: MAX_SHOWN }) shown = '';
}

/** The settings that a form shows when it is opened, as it sends them back. */
export function shownIn(fields: SettingsFields): string {
  return JSON.stringify(settingsIn(fields));
}

/** The settings that a form changes: those that differ from what it showed. Others may have been changed since, by others. */
export function changesIn(form: SettingsBody, settings: Settings): SettingChange[] {
  const [shown, wanted] = [readShown(form.shown), settingsIn(form)];
  return Object.entries(wanted)
    .filter(([path, value]) => !isDeepStrictEqual(shown.get(path), value))
    .filter(([path, value]) => !isDeepStrictEqual(settings.get(path as keyof typeof wanted), value))
    .map(([path, value]) => ({ path, value }));
}

function readShown(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(readForeignJson(text) ?? {}));
  } catch (error) {
    if (error instanceof UnreadableJson) return new Map();
    throw error;
  }
}

/** The settings of a form. An invite is asked for only where the form says so; an open server leaves it as it is. */
function settingsIn(form: SettingsFields) {
  return {
    'instance.name': form.name.trim(),
    'instance.short_description': form.short_description.trim(),
    'instance.description': lineEndsOf(form.description),
    'instance.email': form.email.trim(),
    'instance.languages': form.languages.split(/[\s,]+/).filter((tag) => tag !== ''),
    'instance.source_url': form.source_url.trim(),
    'instance.registrations_open': form.registrations === 'open',
    'instance.account_approval_required': form.approval,
    'instance.account_activation_required': form.activation,
    'instance.registration_message': lineEndsOf(form.registration_message),
    'instance.public': form.public,
    'instance.federating': form.federating,
    'instance.limit': Number(form.limit || NaN),
    'instance.chat_limit': Number(form.chat_limit || NaN),
    'instance.upload_limit': Math.round(Number(form.upload_limit || NaN) * MEGABYTE),
    'instance.max_media_attachments': Number(form.max_media_attachments || NaN),
    'instance.moderator_privileges': form.privileges,
    ...(form.registrations !== 'open' && { 'instance.invites_enabled': form.registrations === 'invite' }),
  } as const;
}

/** Forms send line ends of two characters. */
function lineEndsOf(text: string): string {
  return text.replace(/\r\n/g, '\n');
}
