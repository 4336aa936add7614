import { type EmojiJson, type EmojiCache, type StoredEmoji, storedEmoji } from '../../emoji/index.js';
import type { MediaUrls } from '../../media/index.js';
import type { PollJson } from './poll.shape.js';

/** A poll as the viewer state contains it; the row's `at` is its end. */
export interface PollFacts {
  readonly id: string;
  readonly expiresAt: string | null;
  readonly multiple: boolean;
  readonly hideTotals: boolean;
  readonly nonAnonymous: boolean;
  readonly votersCount: number;
  /** When the counts may be fetched again, if the post is remote; null if they are known to be from after its end. */
  readonly outdatedAt: string | null;
  readonly options: readonly { readonly title: string; readonly votesCount: number }[];
  /** The custom emoji of a remote post; null for a local post. */
  readonly emojis: readonly StoredEmoji[] | null;
  /** Positions that the viewer chose; null when the viewer did not vote. */
  readonly choices: readonly number[] | null;
}

/** The viewer of a poll. */
export interface PollViewer {
  readonly isSignedIn: boolean;
  readonly isAuthor: boolean;
}

/**
 * Renders a poll, with `svc` under its neutral name. Hidden counts stay hidden until the end, from the author too.
 */
export function pollJson(
  poll: PollFacts,
  { isSignedIn, isAuthor }: PollViewer,
  emoji: Pick<EmojiCache, 'usedIn'>,
  urls: Pick<MediaUrls, 'remote'>,
  now = new Date(),
): PollJson {
  const expired = poll.expiresAt !== null && Date.parse(poll.expiresAt) <= now.getTime();
  const isHidden = poll.hideTotals && !expired;
  return {
    id: poll.id,
    expires_at: poll.expiresAt,
    expired,
    multiple: poll.multiple,
    votes_count: poll.options.reduce((sum, option) => sum + option.votesCount, 0),
    voters_count: poll.votersCount,
    options: poll.options.map(({ title, votesCount: count }) => ({ title, votes_count: isHidden ? null : count })),
    emojis: emojisOf(poll, emoji, urls),
    ...(isSignedIn ? { voted: isAuthor || poll.choices !== null, own_votes: [...(poll.choices ?? [])] } : {}),
    svc: { non_anonymous: poll.nonAnonymous },
  };
}

function emojisOf(
  { options, emojis }: PollFacts,
  emoji: Pick<EmojiCache, 'usedIn'>,
  urls: Pick<MediaUrls, 'remote'>,
): EmojiJson[] {
  const plain = options.map(({ title }) => title);
  if (emojis === null) return emoji.usedIn({ plain });
  const used = emojis.filter(({ shortcode }) => plain.some((title) => title.includes(`:${shortcode}:`)));
  return storedEmoji(used, (url) => urls.remote(url));
}
