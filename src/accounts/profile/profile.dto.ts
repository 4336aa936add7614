import {
  Describe,
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
import { MAX_ALIASES, MAX_ATTRIBUTION_DOMAINS, MAX_ATTRIBUTION_LENGTH } from '../model/account.entities.js';
import { ACTOR_TYPES, DEFAULT_SCOPES, QUOTE_POLICIES } from '../model/account.shape.js';

/** For texts whose limit is a live setting: the limit of the body bounds them anyway. */
const ANY_LENGTH = 1_048_576;
const MAX_LANGUAGE_LENGTH = 35;
const MAX_ALIAS_LENGTH = 2048;
/** Above the setting, which has its own error and does not count blank fields. */
const MAX_FIELDS = 1_000;

/** The pictures of a profile, as files or as `data:` URIs. */
export const PROFILE_FILES = {
  maxBytes: { avatar: 'avatar', header: 'banner', svc_background_image: 'background' },
  dataUris: true,
} as const;

export class BirthdaysQuery {
  @Describe('The day of the month.')
  @RequiredInt({ min: 1, max: 31 })
  day: number;
  @Describe('The month, from 1.')
  @RequiredInt({ min: 1, max: 12 })
  month: number;
}

export class FieldBody {
  @Describe('The label of the field.')
  @OptionalText({ max: ANY_LENGTH })
  name = '';
  @Describe('The content of the field.')
  @OptionalText({ max: ANY_LENGTH })
  value = '';
}

export class SourceBody {
  @Describe('The visibility of new posts.')
  @OneOf(DEFAULT_SCOPES)
  privacy?: string;
  @Describe('Who may quote posts of the account, where a post does not say.')
  @OneOf(QUOTE_POLICIES)
  quote_policy?: string;
  @Describe('Whether media of new posts are sensitive.')
  @BooleanLike()
  sensitive?: boolean;
  @Describe('The language of new posts.')
  @EmptyToNull({ max: MAX_LANGUAGE_LENGTH })
  language?: string | null;
}

export class UpdateCredentialsBody {
  @Describe('The name that readers see.')
  @OptionalText({ max: ANY_LENGTH })
  display_name?: string;
  @Describe('The text of the profile.')
  @OptionalText({ max: ANY_LENGTH })
  note?: string;
  @Describe('The fields of the profile, which replace the former ones.')
  @NestedList(() => FieldBody, { max: MAX_FIELDS })
  fields_attributes?: FieldBody[];
  @Describe('Whether follows need the consent of the owner.')
  @BooleanLike()
  locked?: boolean;
  @Describe('Whether the account is automated.')
  @BooleanLike()
  bot?: boolean;
  @Describe('The kind of the account: `Person`, `Service` or another type of actor.')
  @OneOf(ACTOR_TYPES)
  actor_type?: string;
  @Describe('Whether the directory and search engines may show the account.')
  @BooleanLike()
  discoverable?: boolean;
  @Describe('Whether searches for words find posts of the account.')
  @BooleanLike()
  indexable?: boolean;
  @Describe('The hosts whose pages may name the account as their author.')
  @TextList({ max: MAX_ATTRIBUTION_DOMAINS, maxLength: MAX_ATTRIBUTION_LENGTH })
  attribution_domains?: string[];
  @Describe('Whether to hide both lists: the followers and the followed accounts.')
  @BooleanLike()
  hide_collections?: boolean;
  @Describe('Whether to hide the list of followers.')
  @BooleanLike()
  hide_followers?: boolean;
  @Describe('Whether to hide the list of followed accounts.')
  @BooleanLike()
  hide_follows?: boolean;
  @Describe('Whether to hide the number of followers.')
  @BooleanLike()
  hide_followers_count?: boolean;
  @Describe('Whether to hide the number of followed accounts.')
  @BooleanLike()
  hide_follows_count?: boolean;
  @Describe('Whether to hide the favourited posts.')
  @BooleanLike()
  hide_favorites?: boolean;
  @Describe('Whether to show that the account is a moderator or an administrator.')
  @BooleanLike()
  show_role?: boolean;
  @Describe('Whether to show replies also where the viewer may not see the post replied to.')
  @BooleanLike()
  skip_thread_containment?: boolean;
  @Describe('Whether others may send chat messages.')
  @BooleanLike()
  accepts_chat_messages?: boolean;
  @Describe('The addresses of other accounts of the owner.')
  @TextList({ max: MAX_ALIASES, maxLength: MAX_ALIAS_LENGTH })
  also_known_as?: string[];
  @Describe('The description of the avatar.')
  @OptionalText({ max: ANY_LENGTH })
  avatar_description?: string;
  @Describe('The description of the header picture.')
  @OptionalText({ max: ANY_LENGTH })
  header_description?: string;
  @Describe('The birthday as `YYYY-MM-DD`; empty removes it.')
  @EmptyToNull({ max: ANY_LENGTH })
  birthday?: string | null;
  @Describe('Whether to show the birthday.')
  @BooleanLike()
  show_birthday?: boolean;
  @Describe('The visibility of new posts.')
  @OneOf(DEFAULT_SCOPES)
  default_scope?: string;
  @Describe('Whether to remove the formatting of posts on timelines.')
  @BooleanLike()
  no_rich_text?: boolean;
  @Describe('Whether to follow accounts automatically to where they move.')
  @BooleanLike()
  allow_following_move?: boolean;
  @Describe('The language of mails.')
  @EmptyToNull({ max: MAX_LANGUAGE_LENGTH })
  language?: string | null;
  @Describe('Defaults for new posts.')
  @Nested(() => SourceBody)
  source?: SourceBody;
  @Describe('Settings of frontends by their names, merged into the stored ones.')
  @AnyJson()
  svc_settings_store?: unknown;
  @Describe('The avatar; an empty text removes it.')
  @FilePart()
  avatar?: UploadedFile | null;
  @Describe('The header picture; an empty text removes it.')
  @FilePart()
  header?: UploadedFile | null;
  @Describe('The background picture of the profile; an empty text removes it.')
  @FilePart()
  svc_background_image?: UploadedFile | null;

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
