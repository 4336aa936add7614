import { textPattern } from '../../config/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { parseEmojiTags } from '../wire/tags.js';
import { isRemote, type Policy, type PolicySettings, toUnlisted } from './policy.js';

/** The settings that name an emoji, by what follows for what has it. */
const LISTS = {
  removed: { addresses: 'mrf_emoji.remove_url', shortcodes: 'mrf_emoji.remove_shortcode' },
  unlisted: {
    addresses: 'mrf_emoji.federated_timeline_removal_url',
    shortcodes: 'mrf_emoji.federated_timeline_removal_shortcode',
  },
} as const;
const REACTIONS = ['EmojiReact', 'Like'];

/** EmojiPolicy: custom emoji of other servers by their names and addresses. */
export const emojiPolicy: Policy = {
  concernsOwn: () => false,
  refusal({ type, tag }, settings) {
    const isReaction = REACTIONS.includes(type) && parseEmojiTags(tag).some(matching('removed', settings));
    return isReaction ? 'it reacts with a forbidden emoji' : undefined;
  },
  post(post, settings, parties) {
    if (!isRemote(parties)) return post;
    const listed = post.emojis.some(matching('unlisted', settings)) ? toUnlisted(post) : post;
    return { ...listed, emojis: withoutRemoved(post.emojis, settings) };
  },
  profile: (profile, settings) => ({ ...profile, emojis: withoutRemoved(profile.emojis, settings) }),
};

function withoutRemoved(emojis: readonly StoredEmoji[], settings: PolicySettings): StoredEmoji[] {
  const isRemoved = matching('removed', settings);
  return emojis.filter((emoji) => !isRemoved(emoji));
}

function matching(rule: keyof typeof LISTS, settings: PolicySettings): (emoji: StoredEmoji) => boolean {
  const { addresses, shortcodes } = LISTS[rule];
  const has = (list: typeof addresses | typeof shortcodes, text: string) =>
    settings.get(list).some((pattern) => textPattern(pattern).isIn(text));
  return ({ url, shortcode }) => has(addresses, url) || has(shortcodes, shortcode);
}
