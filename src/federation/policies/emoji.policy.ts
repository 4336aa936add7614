import { textPattern } from '../../config/index.js';
import type { StoredEmoji } from '../../emoji/index.js';
import { parseEmojiTags } from '../wire/tags.js';
import { isRemote, type Policy, type PolicySettings, toUnlisted } from './policy.js';

/** How the settings name what is done with an emoji. */
type Rule = 'remove' | 'federated_timeline_removal';
const REACTIONS = ['EmojiReact', 'Like'];

/** EmojiPolicy: custom emoji of other servers by their names and addresses. */
export const emojiPolicy: Policy = {
  concernsOwn: () => false,
  refusal({ type, tag }, settings) {
    const isReaction = REACTIONS.includes(type) && parseEmojiTags(tag).some(matching('remove', settings));
    return isReaction ? 'it reacts with a forbidden emoji' : undefined;
  },
  post(post, settings, parties) {
    if (!isRemote(parties)) return post;
    const listed = post.emojis.some(matching('federated_timeline_removal', settings)) ? toUnlisted(post) : post;
    return { ...listed, emojis: withoutRemoved(post.emojis, settings) };
  },
  profile: (profile, settings) => ({ ...profile, emojis: withoutRemoved(profile.emojis, settings) }),
};

function withoutRemoved(emojis: readonly StoredEmoji[], settings: PolicySettings): StoredEmoji[] {
  const isRemoved = matching('remove', settings);
  return emojis.filter((emoji) => !isRemoved(emoji));
}

function matching(rule: Rule, settings: PolicySettings): (emoji: StoredEmoji) => boolean {
  const [addresses, names] = [settings.get(`mrf_emoji.${rule}_url`), settings.get(`mrf_emoji.${rule}_shortcode`)];
  const has = (patterns: readonly string[], text: string) => patterns.some((one) => textPattern(one).isIn(text));
  return ({ url, shortcode }) => has(addresses, url) || has(names, shortcode);
}
