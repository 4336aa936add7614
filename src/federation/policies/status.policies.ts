import { escapeHtml, textOfHtml } from '../../common/index.js';
import { DIRECT, FOLLOWERS_ONLY } from '../../statuses/index.js';
import { isProgram } from '../../accounts/index.js';
import { ListedActors } from './listed-actors.js';
import { isRemote, type Policy, toSensitive, toUnlisted } from './policy.js';

const DAY_MS = 86_400_000;
/** A link that is neither a mention nor a hashtag: servers mark them by a class, by `rel="tag"`, or by a sign before or in them. */
const PLAIN_LINK =
  /(?<![@#](?:<\w[^>]*>)?)<a\b(?![^>]*\s(?:class=["']?[^"'>]*\b(?:mention|hashtag)|rel=["']?tag)\b)[^>]*href=[^>]*>(?!(?:<\w[^>]*>)*[@#])/i;
/** A quote that the text shows already, as other servers write it. */
const INLINE_QUOTE = /class="quote-inline"|\b(?:RE|RT|QT):/;
const RE = /^re:\s*/i;
/** Names of programs that write by themselves. */
const BOT = /(?:.bot|ebooks)$/i;
const MOST_MENTIONS_OF_STRANGERS = 5;
const NEW_ACCOUNT_MS = 2 * DAY_MS;

/** HellthreadPolicy: posts that address many accounts. */
export const hellthreadPolicy: Policy = {
  post(post, settings, { recipients }) {
    const isAbove = (threshold: number) => threshold > 0 && recipients.length > threshold;
    if (isAbove(settings.get('mrf_hellthread.reject_threshold'))) return 'it addresses too many accounts';
    return isAbove(settings.get('mrf_hellthread.delist_threshold')) ? toUnlisted(post) : post;
  },
};

/** ObjectAgePolicy: posts that were old when they arrived. */
export const objectAgePolicy: Policy = {
  concernsOwn: () => false,
  post(post, settings, parties) {
    if (!isRemote(parties) || parties.isStored === true) return post;
    const age = Date.now() - post.publishedAt.getTime();
    if (age <= settings.get('mrf_object_age.threshold') * 1_000) return post;
    const actions = settings.get('mrf_object_age.actions');
    if (actions.includes('reject')) return 'it is too old';
    return actions.includes('delist') ? toUnlisted(post) : post;
  },
};

/** HashtagPolicy: lists of hashtags. */
export const hashtagPolicy: Policy = {
  concernsOwn({ hashtags }, settings) {
    const listed = [...settings.get('mrf_hashtag.reject'), ...settings.get('mrf_hashtag.sensitive')];
    return listed.some((tag) => hashtags.includes(tag.toLowerCase()));
  },
  post(post, settings, parties) {
    const has = (tags: readonly string[]) => tags.some((tag) => post.hashtags.includes(tag.toLowerCase()));
    if (has(settings.get('mrf_hashtag.reject'))) return 'it has a forbidden hashtag';
    const isRemoved = isRemote(parties) && has(settings.get('mrf_hashtag.federated_timeline_removal'));
    const listed = isRemoved ? toUnlisted(post) : post;
    return has(settings.get('mrf_hashtag.sensitive')) ? { ...listed, sensitive: true } : listed;
  },
};

/** MentionPolicy: posts to certain accounts. */
export const mentionPolicy: Policy = {
  post(post, settings, { recipients }) {
    const refused = ListedActors.in(settings.get('mrf_mention.actors'));
    return recipients.some((uri) => refused.has(uri)) ? 'it addresses an account that accepts none' : post;
  },
};

/** RejectNonPublic: posts of other servers that are not public. */
export const rejectNonPublicPolicy: Policy = {
  concernsOwn: () => false,
  post(post, settings, parties) {
    if (!isRemote(parties)) return post;
    const { visibility } = post;
    if (FOLLOWERS_ONLY.includes(visibility) && !settings.get('mrf_rejectnonpublic.allow_followersonly'))
      return 'it is for followers only';
    return DIRECT.includes(visibility) && !settings.get('mrf_rejectnonpublic.allow_direct') ? 'it is direct' : post;
  },
};

/** EnsureRePrepended: an answer with the content warning of its parent says so. */
export const rePrependedPolicy: Policy = {
  post(post) {
    const subject = (post.parent?.spoiler ?? '').replace(RE, '');
    if (subject === '' || post.spoiler !== subject) return post;
    return { ...post, spoiler: `re: ${post.spoiler}` };
  },
};

/** NoPlaceholderTextPolicy: a dot in the place of a text beside a picture. */
export const noPlaceholderTextPolicy: Policy = {
  post(post) {
    return post.hasMedia && textOfHtml(post.content).trim() === '.' ? { ...post, content: '' } : post;
  },
};

/** NoEmptyPolicy: posts of this server that say nothing but names. */
export const noEmptyPolicy: Policy = {
  post(post, _settings, parties) {
    const rest = textOfHtml(post.content).replaceAll(/@[\p{L}\p{N}_.-]+(?:@[\p{L}\p{M}\p{N}.:-]+)?/gu, '');
    const isEmpty =
      post.type !== 'ChatMessage' && !post.hasMedia && !post.hasPoll && post.quoteUri === null && rest.trim() === '';
    return !isRemote(parties) && isEmpty ? 'it says nothing' : post;
  },
};

/** InlineQuotePolicy: a link to the quoted post, for apps that do not show quotes. */
export const inlineQuotePolicy: Policy = {
  concernsOwn: () => false,
  post(post, settings, parties) {
    const { quoteUri, content } = post;
    if (quoteUri === null || !isRemote(parties) || INLINE_QUOTE.test(content) || content.includes(quoteUri))
      return post;
    const link = `<a href="${escapeHtml(quoteUri)}">${escapeHtml(quoteUri)}</a>`;
    const text = settings.get('mrf_inline_quote.template').replace('{url}', () => link);
    return { ...post, content: `${content}<span class="quote-inline"><br><br>${text}</span>` };
  },
};

/** ForceBotUnlistedPolicy: posts of programs; of other servers, also of those that only their names show. */
export const forceBotUnlistedPolicy: Policy = {
  post: (post, _settings, { author }) =>
    isProgram(author) || (author.domain !== null && BOT.test(author.nickname)) ? toUnlisted(post) : post,
};

/** AntiLinkSpamPolicy: links by remote accounts without followers and posts. */
export const antiLinkSpamPolicy: Policy = {
  concernsOwn: () => false,
  post(post, _settings, parties) {
    const { author } = parties;
    const isUnknown = isRemote(parties) && author.followersCount === 0 && author.statusesCount === 0;
    return isUnknown && PLAIN_LINK.test(post.content) ? 'it links to a page, and its author is unknown' : post;
  },
};

/** AntiMentionSpamPolicy: many mentions by new remote accounts without followers. */
export const antiMentionSpamPolicy: Policy = {
  concernsOwn: () => false,
  post(post, _settings, parties) {
    const { author, recipients } = parties;
    const isNew = Date.now() - new Date(author.createdAt).getTime() < NEW_ACCOUNT_MS;
    const isUnknown = isRemote(parties) && isNew && author.followersCount === 0;
    const isSpam = isUnknown && recipients.length > MOST_MENTIONS_OF_STRANGERS;
    return isSpam ? 'it addresses many accounts, and its author is unknown' : post;
  },
};

/** NsfwApiPolicy: pictures that an API finds sensitive. It was asked before; a policy may have taken the files since. */
export const nsfwApiPolicy: Policy = {
  concernsOwn: () => false,
  post(post, settings, { hasNsfwPicture }) {
    if (!hasNsfwPicture || !post.hasMedia) return post;
    if (settings.get('mrf_nsfw_api.reject')) return 'it has a sensitive picture';
    const listed = settings.get('mrf_nsfw_api.unlist') ? toUnlisted(post) : post;
    return settings.get('mrf_nsfw_api.mark_sensitive') ? toSensitive(listed) : listed;
  },
};

/** ActivityExpirationPolicy: posts of this server are deleted by age. */
export const activityExpirationPolicy: Policy = {
  post(post, settings, parties) {
    if (isRemote(parties)) return post;
    const latest = new Date(Date.now() + settings.get('mrf_activity_expiration.days') * DAY_MS);
    return post.expiresAt !== null && post.expiresAt < latest ? post : { ...post, expiresAt: latest };
  },
};
