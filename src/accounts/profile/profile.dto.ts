import {
  Invalid,
  AnyJson,
  BooleanLike,
  EmptyToNull,
  FilePart,
  Nested,
  NestedList,
  OneOf,
  OptionalText,
  RequiredInt,
  TextList,
  type UploadedFile,
} from '../../common/index.js';
import type { ProfileChanges } from './profile.service.js';
import { MAX_ALIASES, MAX_ATTRIBUTION_DOMAINS } from '../model/account.entities.js';
import { ACTOR_TYPES, DEFAULT_SCOPES, QUOTE_POLICIES } from '../model/account.shape.js';

/** For texts whose limit is a live setting: the limit of the body bounds them anyway. */
const ANY_LENGTH = 1_048_576;
const MAX_LANGUAGE_LENGTH = 35;
const MAX_ALIAS_LENGTH = 2048;
const MAX_DOMAIN_LENGTH = 300;
/** Above the setting, which has its own error and does not count blank fields. */
const MAX_FIELDS = 1_000;

/** The pictures of a profile, as files or as `data:` URIs. */
export const PROFILE_FILES = {
  maxBytes: { avatar: 'avatar', header: 'banner', svc_background_image: 'background' },
  dataUris: true,
} as const;

export class BirthdaysQuery {
  @RequiredInt({ min: 1, max: 31 }) day: number;
  @RequiredInt({ min: 1, max: 12 }) month: number;
}

export class FieldBody {
  @OptionalText({ max: ANY_LENGTH }) name = '';
  @OptionalText({ max: ANY_LENGTH }) value = '';
}

export class SourceBody {
  @OneOf(DEFAULT_SCOPES) privacy?: string;
  /** Who may quote posts of the account, where a post does not say. */
  @OneOf(QUOTE_POLICIES) quote_policy?: string;
  @BooleanLike() sensitive?: boolean;
  @EmptyToNull({ max: MAX_LANGUAGE_LENGTH }) language?: string | null;
}

export class UpdateCredentialsBody {
  @OptionalText({ max: ANY_LENGTH }) display_name?: string;
  @OptionalText({ max: ANY_LENGTH }) note?: string;
  @NestedList(() => FieldBody, { max: MAX_FIELDS }) fields_attributes?: FieldBody[];
  @BooleanLike() locked?: boolean;
  @BooleanLike() bot?: boolean;
  @OneOf(ACTOR_TYPES) actor_type?: string;
  @BooleanLike() discoverable?: boolean;
  /** Whether searches for words find posts of the account. */
  @BooleanLike() indexable?: boolean;
  /** The hosts whose pages may name the account as their author. */
  @TextList({ max: MAX_ATTRIBUTION_DOMAINS, maxLength: MAX_DOMAIN_LENGTH }) attribution_domains?: string[];
  /** The name of the reference API for both lists: who follows the account, and whom it follows. */
  @BooleanLike() hide_collections?: boolean;
  @BooleanLike() hide_followers?: boolean;
  @BooleanLike() hide_follows?: boolean;
  @BooleanLike() hide_followers_count?: boolean;
  @BooleanLike() hide_follows_count?: boolean;
  @BooleanLike() hide_favorites?: boolean;
  @BooleanLike() show_role?: boolean;
  @BooleanLike() skip_thread_containment?: boolean;
  @BooleanLike() accepts_chat_messages?: boolean;
  @TextList({ max: MAX_ALIASES, maxLength: MAX_ALIAS_LENGTH }) also_known_as?: string[];
  @OptionalText({ max: ANY_LENGTH }) avatar_description?: string;
  @OptionalText({ max: ANY_LENGTH }) header_description?: string;
  /** `YYYY-MM-DD`; empty removes it. */
  @EmptyToNull({ max: ANY_LENGTH }) birthday?: string | null;
  @BooleanLike() show_birthday?: boolean;
  @OneOf(DEFAULT_SCOPES) default_scope?: string;
  @BooleanLike() no_rich_text?: boolean;
  @BooleanLike() allow_following_move?: boolean;
  /** The language of mails. */
  @EmptyToNull({ max: MAX_LANGUAGE_LENGTH }) language?: string | null;
  @Nested(() => SourceBody) source?: SourceBody;
  @AnyJson() svc_settings_store?: unknown;
  /** An empty text removes the picture. */
  @FilePart() avatar?: UploadedFile | null;
  @FilePart() header?: UploadedFile | null;
  @FilePart() svc_background_image?: UploadedFile | null;

  /** The changes that the form asks for. */
  changes(): ProfileChanges {
    return {
      displayName: this.display_name,
      note: this.note,
      fields: this.fields_attributes,
      locked: this.locked,
      bot: this.bot,
      actorType: this.actor_type,
      discoverable: this.discoverable,
      indexable: this.indexable,
      attributionDomains: this.attribution_domains,
      hideFollowers: this.hide_followers ?? this.hide_collections,
      hideFollows: this.hide_follows ?? this.hide_collections,
      hideFollowersCount: this.hide_followers_count,
      hideFollowsCount: this.hide_follows_count,
      hideFavorites: this.hide_favorites,
      showRole: this.show_role,
      skipThreadContainment: this.skip_thread_containment,
      acceptsChatMessages: this.accepts_chat_messages,
      alsoKnownAs: this.also_known_as,
      avatarDescription: this.avatar_description,
      headerDescription: this.header_description,
      birthday: this.birthday,
      showBirthday: this.show_birthday,
      defaultScope: this.default_scope ?? this.source?.privacy,
      defaultQuotePolicy: this.source?.quote_policy,
      defaultSensitive: this.source?.sensitive,
      defaultLanguage: this.source?.language,
      noRichText: this.no_rich_text,
      allowFollowingMove: this.allow_following_move,
      locale: this.language,
      settingsStore: storeOf(this.svc_settings_store),
      pictures: { avatar: this.avatar, header: this.header, background: this.svc_background_image },
    };
  }
}

function storeOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw new Invalid('svc_settings_store must be an object');
  return value as Readonly<Record<string, unknown>>;
}
