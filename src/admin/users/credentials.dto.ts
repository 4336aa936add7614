import { ACTOR_TYPES, DEFAULT_SCOPES, type ProfileChanges } from '../../accounts/index.js';
import { BooleanLike, EmptyToNull, FilePart, NestedList, OptionalText, type UploadedFile } from '../../common/index.js';
import type { CredentialChanges } from './user-access.service.js';

/** Settings and the services have limits of their own. */
const MAX_TEXT = 1_048_576;
const MAX_FIELDS = 1_000;

export class CredentialFieldBody {
  @OptionalText({ max: MAX_TEXT }) name = '';
  @OptionalText({ max: MAX_TEXT }) value = '';
}

export class CredentialsBody {
  /** Empty removes it. */
  @EmptyToNull() email?: string | null;
  @OptionalText({ max: MAX_TEXT }) password?: string;
  @OptionalText({ max: MAX_TEXT }) name?: string;
  @OptionalText({ max: MAX_TEXT }) bio?: string;
  @OptionalText({ max: MAX_TEXT }) actor_type?: string;
  @OptionalText({ max: MAX_TEXT }) default_scope?: string;
  @NestedList(() => CredentialFieldBody, { max: MAX_FIELDS }) fields?: CredentialFieldBody[];
  @BooleanLike() locked?: boolean;
  @BooleanLike() no_rich_text?: boolean;
  @BooleanLike() allow_following_move?: boolean;
  @BooleanLike() discoverable?: boolean;
  /** The newer name. */
  @BooleanLike() is_discoverable?: boolean;
  @BooleanLike() hide_favorites?: boolean;
  @BooleanLike() hide_followers?: boolean;
  @BooleanLike() hide_followers_count?: boolean;
  @BooleanLike() hide_follows?: boolean;
  @BooleanLike() hide_follows_count?: boolean;
  @BooleanLike() show_role?: boolean;
  @BooleanLike() skip_thread_containment?: boolean;
  /** An empty text removes the picture. */
  @FilePart() avatar?: UploadedFile | null;
  @FilePart() banner?: UploadedFile | null;
  @FilePart() background?: UploadedFile | null;

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
