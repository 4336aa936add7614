import { type EmojiJson, type EmojiCache, type StoredEmoji, storedEmoji } from '../../emoji/index.js';
import type { MediaUrls } from '../../media/index.js';

/** The parts of a post that may contain emoji. */
interface Emojied {
  readonly local: boolean;
  readonly contentHtml: string;
  readonly spoiler: string;
  readonly pollOptions: readonly string[] | null;
  readonly emojis: readonly StoredEmoji[];
}

/** The custom emoji of a post: local posts use the emoji of this server, remote posts bring their own. */
export function emojiOfStatus(
  status: Emojied,
  emoji: Pick<EmojiCache, 'usedIn'>,
  urls: Pick<MediaUrls, 'remote'>,
): EmojiJson[] {
  if (!status.local) return storedEmoji(status.emojis, (url) => urls.remote(url));
  return emoji.usedIn({ html: [status.contentHtml], plain: [status.spoiler, ...(status.pollOptions ?? [])] });
}
