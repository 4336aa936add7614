/** What moderation tags do to an account; all other tags are labels (spec §4.1.1). */

/** What the tags of an author do to its new posts. */
export interface PostRestrictions {
  /** Posts with files are marked as sensitive. */
  readonly marksMedia: boolean;
  /** Posts lose their files. */
  readonly stripsMedia: boolean;
  /** Public posts become unlisted. */
  readonly unlists: boolean;
  /** Public and unlisted posts are for followers only. */
  readonly sandboxes: boolean;
}

export function postRestrictions(tags: readonly string[]): PostRestrictions {
  return {
    marksMedia: tags.includes('mrf_tag:media-force-nsfw'),
    stripsMedia: tags.includes('mrf_tag:media-strip'),
    unlists: tags.includes('mrf_tag:force-unlisted'),
    sandboxes: tags.includes('mrf_tag:sandbox'),
  };
}

/** Whether the tags of an account keep new followers away: all, or those of other servers. */
export function refusesFollower(tags: readonly string[], isLocal: boolean): boolean {
  if (tags.includes('mrf_tag:disable-any-subscription')) return true;
  return !isLocal && tags.includes('mrf_tag:disable-remote-subscription');
}
