import { serverNamesOf } from '../../accounts/index.js';
import { listsHost, textPattern } from '../../config/index.js';
import type { Effect, Policy } from './policy.js';
import { isProgram } from '../../accounts/index.js';

/** People who say that they want to be followed by no program. */
const NO_BOTS = /#?no[-_ ]?bots?\b/i;

/** StealEmojiPolicy: custom emoji of some servers are copied. */
export const stealEmojiPolicy: Policy = {
  effects({ emojis }, settings, author) {
    const hosts = settings.get('mrf_steal_emoji.hosts');
    if (!serverNamesOf(author).some((name) => listsHost(hosts, name))) return [];
    const refused = settings.get('mrf_steal_emoji.rejected_shortcodes').map(textPattern);
    return emojis
      .filter(({ shortcode }) => !refused.some((pattern) => pattern.isIn(shortcode)))
      .map(({ shortcode, url }): Effect => ({ kind: 'steal-emoji', shortcode, url }));
  },
};

/** MediaProxyWarmingPolicy: fetches files before the first reader needs them. */
export const mediaProxyWarmingPolicy: Policy = {
  effects: ({ attachments }, settings) =>
    settings.get('media_proxy.enabled') ? attachments.map(({ url }): Effect => ({ kind: 'warm-proxy', url })) : [],
};

/** FollowBotPolicy: an account of this server follows the authors of arriving posts, so that more of their posts arrive. */
export const followBotPolicy: Policy = {
  effects(_post, settings, author) {
    const { id, locked, noteHtml: note } = author;
    const isWilling = !locked && !isProgram(author) && !NO_BOTS.test(note);
    return isWilling && settings.get('mrf_follow_bot.follower_nickname') !== ''
      ? [{ kind: 'follow', accountId: id }]
      : [];
  },
};
