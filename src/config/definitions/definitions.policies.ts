import { isIP } from 'node:net';
import { Type } from 'typebox';
import { parseUrl } from '../../platform/index.js';
import { phrase } from '../../common/index.js';
import { type Definitions, setting } from './setting.js';
import { isTextPattern } from './text-patterns.js';
import { decimal, flag, integer, list, oneOf, pattern, text } from './value-types.js';

/** Every policy; `mrf.policies` chooses some of them and their order. */
export const POLICY_NAMES = [
  'SimplePolicy',
  'KeywordPolicy',
  'HellthreadPolicy',
  'ObjectAgePolicy',
  'HashtagPolicy',
  'MentionPolicy',
  'RejectNonPublic',
  'EnsureRePrepended',
  'NoPlaceholderTextPolicy',
  'NoEmptyPolicy',
  'QuietReply',
  'FODirectReply',
  'BlockBotReplies',
  'EmojiPolicy',
  'NormalizeMarkup',
  'InlineQuotePolicy',
  'QuoteToLinkTagPolicy',
  'ForceMention',
  'ForceMentionsInContent',
  'VocabularyPolicy',
  'UserAllowListPolicy',
  'ForceBotUnlistedPolicy',
  'AntiFollowbotPolicy',
  'AntiLinkSpamPolicy',
  'AntiMentionSpamPolicy',
  'ActivityExpirationPolicy',
  'RemoteReportPolicy',
  'StealEmojiPolicy',
  'MediaProxyWarmingPolicy',
  'FollowBotPolicy',
  'DNSRBLPolicy',
  'NsfwApiPolicy',
  'SubchainPolicy',
  'DropPolicy',
  'NoOpPolicy',
] as const;

/** The name of a policy. */
export type PolicyName = (typeof POLICY_NAMES)[number];

/** The lists of SimplePolicy. */
export const SIMPLE_LISTS = [
  'reject',
  'accept',
  'media_removal',
  'media_nsfw',
  'federated_timeline_removal',
  'followers_only',
  'report_removal',
  'avatar_removal',
  'banner_removal',
  'reject_deletes',
] as const;

const HOST_WORDS = phrase(
  'a host or "*." and a domain for all of its hosts, either with a port or without, alone or with a reason',
);
const hostName = pattern(/^(\*\.)?[a-zA-Z0-9_.-]+(:\d{1,5})?$/, HOST_WORDS);
const host = {
  schema: Type.Union([hostName.schema, Type.Tuple([hostName.schema, Type.String({ maxLength: 2_000 })])]),
  words: HOST_WORDS,
};
const hosts = list(host, 10_000);
const PATTERN_WORDS = phrase('a text, or a regular expression as ~r/tea/i');
const textPattern = { schema: Type.Refine(Type.String({ maxLength: 2_000 }), isTextPattern), words: PATTERN_WORDS };
const patterns = list(textPattern, 10_000);
const replacement = {
  schema: Type.Tuple([textPattern.schema, Type.String({ maxLength: 2_000 })]),
  words: phrase('{words}, with what stands in its place', { words: PATTERN_WORDS }),
};
const plainHost = pattern(/^[a-zA-Z0-9_.-]+(:\d{1,5})?$/, 'a host');
const chained = POLICY_NAMES.filter((name) => name !== 'SubchainPolicy');
const subchain = {
  schema: Type.Tuple([textPattern.schema, Type.Array(Type.Enum(chained), { maxItems: chained.length })]),
  words: phrase('{words}, with a list of policies', { words: PATTERN_WORDS }),
};
const tag = pattern(/^[^\s#]{1,200}$/, 'a hashtag without #');
const tags = list(tag, 10_000);
const actor = pattern(/^https?:\/\/\S+$/, 'the address of an account');
const apiAddress = {
  schema: Type.Refine(Type.String({ maxLength: 2_000 }), isApiAddress),
  words: phrase('a URL of http or https without a name and a password'),
};
const typeNames = list(pattern(/^\w+$/, 'the type of an activity or object'), 100);

/** Which policies there are, and what is said of them. */
const general = {
  'mrf.policies': setting(
    list(oneOf(...POLICY_NAMES), POLICY_NAMES.length),
    ['SimplePolicy', 'HashtagPolicy'],
    'The policies that posts, profiles and activities pass before they are stored, in their order.',
    { suggestions: [[...POLICY_NAMES]], modules: 'Svc.Web.ActivityPub.MRF.' },
  ),
  'mrf.subchains': setting(
    list(subchain, 100),
    [],
    'Policies for some actors: each entry has a text or expression that the address of an actor contains, and policies.',
  ),
  'mrf.transparency': setting(
    flag,
    true,
    'Whether NodeInfo and the instance document tell the policies and their hosts.',
  ),
  'mrf.transparency_exclusions': setting(hosts, [], 'Hosts that are not told.'),
  'instance.quarantined_instances': setting(hosts, [], 'Hosts that get public activities only.'),
} satisfies Definitions;

const simpleList = (listed: string) => setting(hosts, [], `${listed}, while SimplePolicy is among \`mrf.policies\`.`);

/** SimplePolicy: lists of hosts. */
const simple = {
  'mrf_simple.reject': simpleList('Hosts from which nothing is accepted but deletions, and to which nothing is sent'),
  'mrf_simple.accept': simpleList('If there are any: the only hosts from which something is accepted'),
  'mrf_simple.media_removal': simpleList('Hosts whose posts lose their attachments'),
  'mrf_simple.media_nsfw': simpleList('Hosts whose posts count as sensitive'),
  'mrf_simple.federated_timeline_removal': simpleList('Hosts whose public posts become unlisted'),
  'mrf_simple.followers_only': simpleList('Hosts whose posts become visible to followers only'),
  'mrf_simple.report_removal': simpleList('Hosts whose reports are refused'),
  'mrf_simple.avatar_removal': simpleList('Hosts whose accounts lose their avatars'),
  'mrf_simple.banner_removal': simpleList('Hosts whose accounts lose their header pictures'),
  'mrf_simple.reject_deletes': simpleList('Hosts whose deletions are refused'),
} satisfies Definitions;

/** Policies that look at the text, the audience or the author of a post. */
const content = {
  'mrf_keyword.reject': setting(patterns, [], 'Posts with one of these are refused.'),
  'mrf_keyword.federated_timeline_removal': setting(patterns, [], 'Posts with one of these become unlisted.'),
  'mrf_keyword.replace': setting(list(replacement, 10_000), [], 'What is replaced in texts.'),
  'mrf_hellthread.delist_threshold': setting(
    integer(0, 10_000),
    10,
    'Posts to more accounts become unlisted; 0: none do.',
  ),
  'mrf_hellthread.reject_threshold': setting(
    integer(0, 10_000),
    20,
    'Posts to more accounts are refused; 0: none are.',
  ),
  'mrf_object_age.threshold': setting(integer(0, 3_153_600_000), 604_800, 'The age of old posts, in seconds.'),
  'mrf_object_age.actions': setting(
    list(oneOf('delist', 'strip_followers', 'reject'), 3),
    ['delist', 'strip_followers'],
    'What happens to posts of other servers that are old when they arrive: `delist` makes them unlisted, `reject` refuses them. `strip_followers` changes nothing here, where posts stand at their own time in home timelines.',
  ),
  'mrf_hashtag.reject': setting(tags, [], 'Posts with one of these hashtags are refused.'),
  'mrf_hashtag.federated_timeline_removal': setting(tags, [], 'Posts with one of these hashtags become unlisted.'),
  'mrf_hashtag.sensitive': setting(tags, ['nsfw'], 'Posts with one of these hashtags count as sensitive.'),
  'mrf_mention.actors': setting(list(actor, 10_000), [], 'Accounts; posts that address one of them are refused.'),
  'mrf_rejectnonpublic.allow_followersonly': setting(flag, false, 'Whether posts for followers pass RejectNonPublic.'),
  'mrf_rejectnonpublic.allow_direct': setting(flag, false, 'Whether direct posts pass RejectNonPublic.'),
  'mrf_inline_quote.template': setting(
    text(0, 500),
    '<bdi>RT:</bdi> {url}',
    'What InlineQuotePolicy adds to a post of another server that quotes without a link: HTML with {url}.',
  ),
  'mrf_force_mention.mention_parent': setting(
    flag,
    true,
    'Whether ForceMention lets an answer mention the author of the post that it answers.',
  ),
  'mrf_force_mention.mention_quoted': setting(
    flag,
    true,
    'Whether ForceMention lets a quote mention the author of the post that it quotes.',
  ),
  'mrf_nsfw_api.url': setting(
    apiAddress,
    'http://127.0.0.1:5000/',
    'The API that NsfwApiPolicy asks: it gets the address of a picture as the parameter `url` and answers `{"score": 0.93}`. One in a private network, as on this machine, has to be in `ALLOWED_PRIVATE_ADDRESSES`.',
  ),
  'mrf_nsfw_api.threshold': setting(decimal(0, 1), 0.7, 'The lowest score of pictures that count as sensitive.'),
  'mrf_nsfw_api.mark_sensitive': setting(flag, true, 'Whether posts with such pictures count as sensitive.'),
  'mrf_nsfw_api.unlist': setting(flag, false, 'Whether public posts with such pictures become unlisted.'),
  'mrf_nsfw_api.reject': setting(flag, false, 'Whether posts with such pictures are refused.'),
  'mrf_activity_expiration.days': setting(
    integer(1, 36_500),
    365,
    'After how many days posts of this server are deleted.',
  ),
} satisfies Definitions;

/** Policies that look at the type or the actor of an activity. */
const activities = {
  'mrf_vocabulary.accept': setting(typeNames, [], 'If there are any: the only types that are accepted.'),
  'mrf_vocabulary.reject': setting(typeNames, [], 'Types that are refused.'),
  'mrf_user_allowlist.actors': setting(
    list(actor, 10_000),
    [],
    'Accounts; of a host with one of them, only they are accepted.',
  ),
  'mrf_dnsrbl.nameserver': setting(
    {
      schema: Type.Refine(Type.String({ maxLength: 45 }), (given) => isIP(given) !== 0),
      words: phrase('an IP address'),
    },
    '127.0.0.1',
    'The name server that DNSRBLPolicy asks.',
  ),
  'mrf_dnsrbl.port': setting(integer(1, 65_535), 53, 'Its port.'),
  'mrf_dnsrbl.zone': setting(
    pattern(/^[a-zA-Z0-9_.-]{0,200}$/, 'a domain, or empty'),
    '',
    'The zone that lists blocked hosts: those whose names have an address of 127.0.0.0/8 there. Empty: none is asked.',
  ),
  'mrf_remote_report.reject_all': setting(flag, false, 'Whether all reports of other servers are refused.'),
  'mrf_remote_report.reject_third_party': setting(
    flag,
    true,
    'Whether reports of other servers about accounts of other servers are refused.',
  ),
  'mrf_remote_report.reject_anonymous': setting(
    flag,
    true,
    'Whether reports by a server, not by a person, are refused.',
  ),
  'mrf_remote_report.reject_empty_message': setting(flag, true, 'Whether reports without a text are refused.'),
} satisfies Definitions;

/** Policies that do something besides, and policies for some actors only. */
const effects = {
  'mrf_emoji.remove_url': setting(
    patterns,
    [],
    'Custom emoji with such addresses are removed from posts and profiles.',
  ),
  'mrf_emoji.remove_shortcode': setting(
    patterns,
    [],
    'Custom emoji with such names are removed from posts and profiles.',
  ),
  'mrf_emoji.federated_timeline_removal_url': setting(
    patterns,
    [],
    'Posts with custom emoji with such addresses become unlisted.',
  ),
  'mrf_emoji.federated_timeline_removal_shortcode': setting(
    patterns,
    [],
    'Posts with custom emoji with such names become unlisted.',
  ),
  'mrf_steal_emoji.hosts': setting(list(plainHost, 10_000), [], 'Hosts whose custom emoji are copied.'),
  'mrf_steal_emoji.rejected_shortcodes': setting(patterns, [], 'Shortcodes that are not copied.'),
  'mrf_steal_emoji.size_limit': setting(integer(1, 1_000_000), 50_000, 'The largest emoji that is copied, in bytes.'),
  'mrf_follow_bot.follower_nickname': setting(
    text(0, 64),
    '',
    'The account of this server, marked as a bot, that follows the authors of all posts that arrive. Empty: none does.',
  ),
} satisfies Definitions;

/** The settings of the policies. */
export const policyDefinitions = { ...general, ...simple, ...content, ...activities, ...effects };

function isApiAddress(given: string): boolean {
  const url = parseUrl(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
}
