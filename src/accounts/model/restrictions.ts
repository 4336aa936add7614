/** The restrictions of an account by moderation tags; all other tags are labels (spec §4.1.1). */

/** The restrictions on new posts by the tags of their author. */
export interface PostingRestrictions {
  /** Posts with files are marked as sensitive. */
  readonly marksMedia: boolean;
  /** Posts lose their files. */
  readonly stripsMedia: boolean;
  /** Public posts become unlisted. */
  readonly unlists: boolean;
  /** Public and unlisted posts are for followers only. */
  readonly sandboxes: boolean;
}

const SANDBOX = 'mrf_tag:sandbox';
const UNLISTED = 'mrf_tag:force-unlisted';

export function postingRestrictions(tags: readonly string[]): PostingRestrictions {
  return {
    marksMedia: tags.includes('mrf_tag:media-force-nsfw'),
    stripsMedia: tags.includes('mrf_tag:media-strip'),
    unlists: tags.includes(UNLISTED),
    sandboxes: tags.includes(SANDBOX),
  };
}

/** Tags by which moderators keep an account's posts from others. */
export const POST_LIMITING_TAGS = [SANDBOX, UNLISTED] as const;

/** Whether moderators keep the posts of an account with these tags from others. */
export function limitsPosts(tags: readonly string[]): boolean {
  return POST_LIMITING_TAGS.some((tag) => tags.includes(tag));
}

/** Whether the tags of an account keep new followers away: all, or those of other servers. */
export function refusesFollower(tags: readonly string[], isLocal: boolean): boolean {
  if (tags.includes('mrf_tag:disable-any-subscription')) return true;
  return !isLocal && tags.includes('mrf_tag:disable-remote-subscription');
}
