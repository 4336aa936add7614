import { fragment, type Fragment } from '../../platform/index.js';
import {
  hiddenAccounts,
  isThreadNotMuted,
  isThreadVisible,
  isOutsideBlockedDomains,
  isNotHidden,
  maySee,
  mentionsNoHidden,
  matchesMedia,
  matchesOrigin,
  matchesReplies,
  Visibility,
  type VisibilityName,
  matchesVisibility,
  Replies,
} from '../../statuses/index.js';

/** The options of every timeline (spec §4.3). */
export interface TimelineFilter {
  readonly withMuted: boolean;
  readonly excludeVisibilities: readonly VisibilityName[];
  readonly replies: number;
  readonly onlyMedia: boolean;
  /** True: only posts made here; false: only others; null: both. */
  readonly local: boolean | null;
}

/** Shows every post that the timeline may show. */
export const UNFILTERED: TimelineFilter = {
  withMuted: false,
  excludeVisibilities: [],
  replies: Replies.all,
  onlyMedia: false,
  local: null,
};

/** The options of the reader and of the server. */
export interface PageFilter extends TimelineFilter {
  /** Whether to hide threads that the reader may see only in part, unless the reader turned thread containment off. */
  readonly contained: boolean;
}

/**
 * The first parameters of every timeline statement: `$1` viewer (`''` for anonymous), `$2` below, `$3` above, `$4`
 * with_muted, `$5` excluded visibilities, `$6` reply choice, `$7` only_media, `$8` local, `$9` limit. All but the
 * direct timeline go on with `$10`: whether the server contains threads.
 */
export const LIMIT = '$9';

const hidden = hiddenAccounts('$1', '$4');

/** The account is not hidden from the viewer of the timeline. */
export function isShownInTimelines(account: string): Fragment {
  return isNotHidden(account, hidden);
}

/** The account is discoverable: it wants to be found by people who do not follow it. */
export function isDiscoverable(account: string): string {
  return `coalesce((select true from accounts z where z.id = ${account} and z.discoverable), false)`;
}

/** The values of `$4` … `$8`. */
export function filterValues(filter: TimelineFilter): unknown[] {
  const excluded = filter.excludeVisibilities.map((name) => Visibility[name]);
  return [filter.withMuted, excluded, filter.replies, filter.onlyMedia, filter.local];
}

/** The conditions of all timelines but the direct timeline on the post `post` in an entry by the account `by`. */
export function matchesPostFilter(by: string): Fragment {
  return fragment`${matchesDirectFilter(by)} and ${isThreadVisible('post', '$1', '$10')}`;
}

/**
 * The conditions of every timeline. The direct timeline needs no others: it shows direct posts that reply to any post.
 * Each timeline checks itself whether the author and the booster are hidden.
 */
export function matchesDirectFilter(by: string): Fragment {
  return fragment`${matchesVisibility('post', '$5')}
    and ${mentionsNoHidden('post', '$1', hidden)}
    and ${maySee('post', '$1')}
    and ${isOutsideBlockedDomains([by, 'post.author_id'], '$1')}
    and ($4::boolean or ${isThreadNotMuted('post', '$1')})
    and ${matchesReplies('post', '$1', '$6')}
    and ${matchesMedia('post', '$7')}
    and ${matchesOrigin('post', '$8')}`;
}

/**
 * Maximum number of posts read for one page of timelines that may ask for rare posts, such as those of one server.
 * Older posts are not found, but a request that matches nothing cannot keep the database busy.
 */
export const EXAMINED = 10_000;

/** The order of a page's scan: newest first, or oldest first for `min_id`. */
export function scanOrder(direction: 'older' | 'newer'): 'asc' | 'desc' {
  return direction === 'older' ? 'desc' : 'asc';
}
