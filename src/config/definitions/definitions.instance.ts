import { Type } from 'typebox';
import { asReason, phrase, POST_FORMATS } from '../../common/index.js';
import { BRAND_WORD } from '../../platform/index.js';
import { type Definitions, setting } from './setting.js';
import { flag, integer, integers, list, oneOf, pattern, text } from './value-types.js';

const count = integer(1, 1_000_000);
/** The index for full-text search accepts no longer texts. */
const postLength = integer(1, 100_000);
/** A message of this length fits into one frame of a socket, which ends above 64 KB. */
const shoutLength = integer(1, 10_000);
const bytes = integer(1, 10_000_000_000);
const address = pattern(/^(https?:\/\/\S+|\/\S*)$/, 'a URL or a path that starts with a slash');
const pollBounds = integers({
  max_options: [2, 100],
  max_option_chars: [1, 1_000],
  min_expiration: [0, 31_536_000],
  max_expiration: [1, 315_360_000],
});
const pollLimits = {
  schema: Type.Refine(
    pollBounds.schema,
    ({ min_expiration: shortest, max_expiration: longest }) => shortest <= longest,
  ),
  words: phrase('{words}, the shortest duration no longer than the longest', { words: pollBounds.words }),
};
const languageTag = {
  schema: Type.Refine(Type.String({ maxLength: 2_000 }), isLanguageTag),
  words: phrase('a language tag such as en or pt-BR'),
};
const postFormat = oneOf(...POST_FORMATS);

/** Scopes of administration that lead to no further right, and to no secret. */
export const MODERATOR_PRIVILEGES = ['reports', 'statuses', 'invites', 'media_proxy_caches'].flatMap((part) => [
  `admin:read:${part}`,
  `admin:write:${part}`,
]);
const moderatorPrivilege = oneOf(...MODERATOR_PRIVILEGES);

/** The server's description of itself. */
const presentation = {
  'instance.name': setting(text(1, 200), 'svc', 'The name of this server.'),
  'instance.description': setting(
    text(0, 10_000),
    'A server of the federated social web.',
    'What this server is about; HTML is allowed.',
  ),
  'instance.short_description': setting(text(0, 500), '', 'The same in one plain sentence. Empty: the description.'),
  'instance.email': setting(
    pattern(/^(\S+@\S+)?$/, 'an e-mail address, or empty'),
    '',
    'Where people reach those who run this server.',
  ),
  'instance.notify_email': setting(
    pattern(/^(\S+@\S+)?$/, 'an e-mail address, or empty'),
    '',
    'The address that mail of this server comes from. Empty: no-reply at its host.',
  ),
  'instance.languages': setting(list(languageTag, 50), ['en'], 'The languages spoken here, the main one first.'),
  'instance.thumbnail': setting(address, '/images/banner.png', 'The picture that stands for this server.'),
  'instance.background_image': setting(
    address,
    '/images/banner.png',
    'The picture that frontends show behind the page.',
  ),
  'instance.source_url': setting(
    pattern(/^(https?:\/\/\S+)?$/, 'a URL, or empty'),
    '',
    'Where the source code of the software as it runs here is found: the repository and the home page of the software in NodeInfo 2.1, and a link at the foot of every page. Who runs a changed version must set it: section 13 of the licence (AGPL-3.0) demands that its users are offered the source.',
  ),
} satisfies Definitions;

/** Registration, and access of visitors. */
const access = {
  'instance.public': setting(
    flag,
    true,
    'Whether people who are not signed in may read posts, timelines and profiles, and whether other servers may fetch posts and profiles without a signature.',
  ),
  'instance.federating': setting(
    flag,
    true,
    'Whether this server exchanges posts and follows with other servers. Without it nothing is sent, accepted, fetched or served to other servers but NodeInfo, which says so; what was received before waits, and so do deletions, edits, follows and their ends. Posts, boosts and likes made meanwhile are not sent later.',
  ),
  'instance.allow_relay': setting(flag, true, 'Whether this server takes part in relays, which exchange public posts.'),
  'instance.registrations_open': setting(flag, true, 'Whether anybody may sign up.'),
  'instance.invites_enabled': setting(
    flag,
    false,
    'Whether people may sign up with an invite while `instance.registrations_open` is off.',
  ),
  'instance.registration_message': setting(
    text(0, 5_000),
    '',
    'What people are told who want an account here, for example why there are none; HTML is allowed.',
  ),
  'instance.account_approval_required': setting(flag, false, 'Whether an administrator approves each new account.'),
  'instance.moderator_privileges': setting(
    list(moderatorPrivilege, 20),
    [],
    'What moderators may do of what administrators do. Nobody but an administrator may change what an administrator wrote.',
  ),
  'instance.account_activation_required': setting(flag, false, 'Whether new accounts confirm their e-mail address.'),
  'instance.registration_reason_length': setting(count, 500, 'Longest reason for signing up, in characters.'),
  'instance.birthday_required': setting(flag, false, 'Whether people give their birthday when they sign up.'),
  'instance.birthday_min_age': setting(
    integer(0, 36_525),
    0,
    'The least age for signing up, in days. Above 0, people give their birthday when they sign up.',
  ),
} satisfies Definitions;

/** Limits of texts and files. */
const limits = {
  'instance.limit': setting(postLength, 5_000, 'Longest post, in characters, its content warning included.'),
  'instance.chat_limit': setting(count, 5_000, 'Longest chat message, in characters.'),
  'instance.shout_limit': setting(shoutLength, 5_000, 'Longest message in the shoutbox, in characters.'),
  'instance.description_limit': setting(count, 5_000, 'Longest description of a picture or other file, in characters.'),
  'instance.max_media_attachments': setting(count, 1_000, 'Most files attached to one post, as told to apps.'),
  'instance.upload_limit': setting(bytes, 16_000_000, 'Largest upload, in bytes.', { reboot: true }),
  'instance.avatar_upload_limit': setting(bytes, 2_000_000, 'Largest avatar, in bytes.'),
  'instance.background_upload_limit': setting(bytes, 4_000_000, 'Largest page background, in bytes.'),
  'instance.banner_upload_limit': setting(bytes, 4_000_000, 'Largest profile header, in bytes.'),
  'instance.poll_limits': setting(
    pollLimits,
    { max_options: 20, max_option_chars: 200, min_expiration: 0, max_expiration: 31_536_000 },
    'Most options of a poll, their length in characters, and its shortest and longest duration in seconds.',
  ),
  'instance.allowed_post_formats': setting(
    list(postFormat, POST_FORMATS.length),
    [...POST_FORMATS],
    'The formats in which posts may be written.',
  ),
  'instance.max_report_comment_size': setting(
    count,
    1_000,
    'Longest comment of a report, in characters. Longer ones of other servers are cut.',
  ),
  'instance.max_pinned_statuses': setting(integer(0, 100), 5, 'Most posts pinned to a profile.'),
  'instance.max_endorsed_users': setting(integer(0, 1_000), 20, 'Most people endorsed on a profile.'),
  'instance.max_account_fields': setting(integer(0, 100), 10, 'Most fields of a profile.'),
  'instance.max_remote_account_fields': setting(integer(0, 100), 20, "Most fields kept of another server's profile."),
  'instance.account_field_name_length': setting(count, 512, 'Longest name of a profile field, in characters.'),
  'instance.account_field_value_length': setting(count, 2_048, 'Longest value of a profile field, in characters.'),
  'instance.user_bio_length': setting(count, 5_000, 'Longest text about oneself, in characters.'),
  'instance.user_name_length': setting(count, 100, 'Longest display name, in characters.'),
} satisfies Definitions;

/** Behaviour and look of posts and accounts. */
const behaviour = {
  'instance.compat_brand': setting(
    pattern(BRAND_WORD.form, asReason(BRAND_WORD.words)),
    'svc',
    'The word that stands for `svc` in the API, for apps that expect another one. Until it is set: `COMPAT_BRAND`.',
  ),
  'instance.show_reactions': setting(
    flag,
    true,
    'Whether the API lists who favourited a post and who reacted to it. Otherwise these lists are empty, and only the numbers are shown.',
  ),
  'instance.safe_dm_mentions': setting(
    flag,
    false,
    'Whether a direct message reaches only those named at its beginning, not those it merely talks about.',
  ),
  'instance.skip_thread_containment': setting(
    flag,
    true,
    'Whether timelines and streams show posts of threads of which the reader may not see everything above them. Without it people choose for themselves.',
  ),
} satisfies Definitions;

/** The settings of the group `instance`. */
export const instanceDefinitions = { ...presentation, ...access, ...limits, ...behaviour };

/** Whether a language has a name: a tag without extensions, whose parts are in the order of BCP 47. */
function isLanguageTag(given: string): boolean {
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(given)) return false;
  try {
    return Intl.getCanonicalLocales(given).length === 1;
  } catch {
    return false;
  }
}
