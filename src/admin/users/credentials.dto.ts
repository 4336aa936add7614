import { ACTOR_TYPES, DEFAULT_SCOPES, type ProfileChanges } from '../../accounts/index.js';
import {
  BooleanLike,
  Describe,
  EmptyToNull,
  FilePart,
  NestedList,
  OptionalText,
  Trimmed,
  type UploadedFile,
} from '../../common/index.js';
import type { CredentialChanges } from './user-access.service.js';

/** Settings and the services have limits of their own. */
const MAX_TEXT = 1_048_576;
const MAX_FIELDS = 1_000;

export class CredentialFieldBody {
  @Describe('The label of the field.')
  @OptionalText({ max: MAX_TEXT })
  name = '';
  @Describe('The content of the field.')
  @OptionalText({ max: MAX_TEXT })
  value = '';
}

export class CredentialsBody {
  @Describe('The mail address; an empty one removes it.')
  @EmptyToNull()
  @Trimmed()
  email?: string | null;
  @Describe('The new password.')
  @OptionalText({ max: MAX_TEXT })
  password?: string;
  @Describe('The name that readers see.')
  @OptionalText({ max: MAX_TEXT })
  name?: string;
  @Describe('The text of the profile.')
  @OptionalText({ max: MAX_TEXT })
  bio?: string;
  @Describe('The kind of the account: `Person`, `Service` or another type of actor.')
  @OptionalText({ max: MAX_TEXT })
  actor_type?: string;
  @Describe('The visibility of new posts.')
  @OptionalText({ max: MAX_TEXT })
  default_scope?: string;
  @Describe('The fields of the profile, which replace the former ones.')
  @NestedList(() => CredentialFieldBody, { max: MAX_FIELDS })
  fields?: CredentialFieldBody[];
  @Describe('Whether follows need the consent of the owner.')
  @BooleanLike()
  locked?: boolean;
  @Describe('Whether to remove the formatting of posts on timelines.')
  @BooleanLike()
  no_rich_text?: boolean;
  @Describe('Whether to follow accounts automatically to where they move.')
  @BooleanLike()
  allow_following_move?: boolean;
  @Describe('Whether the directory and search engines may show the account.')
  @BooleanLike()
  discoverable?: boolean;
  @Describe('The newer name of `discoverable`.')
  @BooleanLike()
  is_discoverable?: boolean;
  @Describe('Whether to hide the favourited posts.')
  @BooleanLike()
  hide_favorites?: boolean;
  @Describe('Whether to hide the list of followers.')
  @BooleanLike()
  hide_followers?: boolean;
  @Describe('Whether to hide the number of followers.')
  @BooleanLike()
  hide_followers_count?: boolean;
  @Describe('Whether to hide the list of followed accounts.')
  @BooleanLike()
  hide_follows?: boolean;
  @Describe('Whether to hide the number of followed accounts.')
  @BooleanLike()
  hide_follows_count?: boolean;
  @Describe('Whether to show that the account is a moderator or an administrator.')
  @BooleanLike()
  show_role?: boolean;
  @Describe('Whether to show replies also where the viewer may not see the post replied to.')
  @BooleanLike()
  skip_thread_containment?: boolean;
  @Describe('The avatar; an empty text removes it.')
  @FilePart()
  avatar?: UploadedFile | null;
  @Describe('The header picture; an empty text removes it.')
  @FilePart()
  banner?: UploadedFile | null;
  @Describe('The background picture of the profile; an empty text removes it.')
  @FilePart()
  background?: UploadedFile | null;

  changes(): CredentialChanges {
    const { email, password } = this;
    const names = Object.entries(this).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const profile = this.profile();
    const unknown = [
      ...(profile.actorType === this.actor_type ? [] : ['actor_type']),
      ...(profile.defaultScope === this.default_scope ? [] : ['default_scope']),
    ];
    return { email, password, profile, names, unknown };
  }

  private profile(): ProfileChanges {
    const { avatar, banner, background } = this;
    return {
      displayName: this.name,
      note: this.bio,
      actorType: known(ACTOR_TYPES, this.actor_type),
      defaultScope: known(DEFAULT_SCOPES, this.default_scope),
      fields: this.fields,
      locked: this.locked,
      noRichText: this.no_rich_text,
      allowFollowingMove: this.allow_following_move,
      discoverable: this.is_discoverable ?? this.discoverable,
      hideFavorites: this.hide_favorites,
      hideFollowers: this.hide_followers,
      hideFollowersCount: this.hide_followers_count,
      hideFollows: this.hide_follows,
      hideFollowsCount: this.hide_follows_count,
      showRole: this.show_role,
      skipThreadContainment: this.skip_thread_containment,
      pictures: { avatar, header: banner, background },
    };
  }
}

/** One of the known words. */
function known(words: readonly string[], text: string | undefined): string | undefined {
  return text !== undefined && words.includes(text) ? text : undefined;
}
