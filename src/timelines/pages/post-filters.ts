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
} from '../../statuses/index.js';

/** What a reader may switch on every timeline (spec §4.3). */
export interface TimelineFilter {
  readonly withMuted: boolean;
  readonly excludeVisibilities: readonly VisibilityName[];
  readonly replies: number;
  readonly onlyMedia: boolean;
  /** True: only posts made here; false: only others; null: both. */
  readonly local: boolean | null;
}

/** The same with what the server decides. */
export interface PageFilter extends TimelineFilter {
  /** Whether readers are spared threads that they may see only in part, unless they want them. */
  readonly contained: boolean;
}

/**
 * The parameters every timeline statement begins with:
 * `$1` viewer (`''` for anonymous), `$2` below, `$3` above, `$4` with_muted, `$5` excluded visibilities, `$6` reply choice,
 * `$7` only_media, `$8` local, `$9` limit. All but that of direct posts go on with `$10`: whether the server contains threads.
 */
export const LIMIT = '$9';

const hidden = hiddenAccounts('$1', '$4');

/** The account is not hidden from the viewer of the timeline. */
export function isShownInTimelines(account: string): Fragment {
  return isNotHidden(account, hidden);
}

/** The values of `$4` … `$8`. */
export function filterValues(filter: TimelineFilter): unknown[] {
  const excluded = filter.excludeVisibilities.map((name) => Visibility[name]);
  return [filter.withMuted, excluded, filter.replies, filter.onlyMedia, filter.local];
}

/** What every timeline of posts that are for many asks of the post `post` of an entry by the account `by`. */
export function matchesPostFilter(by: string): Fragment {
  return fragment`${matchesDirectFilter(by)} and ${isThreadVisible('post', '$1', '$10')}`;
}

/**
 * What every timeline asks: also that of direct posts, which are there for their readers whatever they answer. The author
 * and the booster being shown is the timeline's own business.
 */
export function matchesDirectFilter(by: string): Fragment {
  return fragment`${matchesVisibility('post', '$5')}
    and ${mentionsNoHidden('post', '$1', hidden)}
    and ${maySee('post', '$1')}
    and ${isOutsideBlockedDomains([by, 'post.author_id'], '$1')}
    and ${isThreadNotMuted('post', '$1')}
    and ${matchesReplies('post', '$1', '$6')}
    and ${matchesMedia('post', '$7')}
    and ${matchesOrigin('post', '$8')}`;
}

/**
 * Posts looked at for one page where anybody may ask for what is rare, such as the posts of one server: what lies beyond
 * is not found, and nobody keeps the database busy by asking for nothing.
 */
export const EXAMINED = 10_000;

/** The order of a page's scan: newest first, or oldest first for `min_id`. */
export function scanOrder(direction: 'older' | 'newer'): 'asc' | 'desc' {
  return direction === 'older' ? 'desc' : 'asc';
}
