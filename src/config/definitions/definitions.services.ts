import { type Definitions, setting } from './setting.js';
import { flag, flags, integer, integers, list, object, pattern, text } from './value-types.js';

const nickname = pattern(/^[\w.-]{1,64}$/, 'a nickname');

/** Names that look official, or that are paths of pages. The brand is reserved too. */
const RESTRICTED_NICKNAMES = [
  '.well-known',
  'about',
  'account',
  'activities',
  'admin',
  'api',
  'auth',
  'friends',
  'inbox',
  'internal',
  'main',
  'media',
  'notice',
  'oauth',
  'objects',
  'proxy',
  'relay',
  'search',
  'settings',
  'status',
  'tag',
  'tags',
  'user',
  'users',
  'verify_credentials',
  'web',
];

/** Registration, sign-in and relationships. */
const people = {
  'oauth.token_expires_in': setting(
    integer(60, 10_000_000_000),
    3_155_760_000,
    'How long a new access token is valid, in seconds.',
    { suggestions: [86_400, 2_592_000, 3_155_760_000] },
  ),
  'auth.enforce_oauth_admin_scope_usage': setting(
    flag,
    true,
    "Whether an administrator's token needs an admin scope for administration.",
  ),
  'captcha.enabled': setting(
    flag,
    true,
    'Whether people who sign up with an app that is not trusted read letters in a picture first, which keeps programs out.',
  ),
  'captcha.seconds_valid': setting(integer(30, 3_600), 300, 'How long somebody may take for that, in seconds.', {
    reboot: true,
  }),
  'user.restricted_nicknames': setting(list(nickname, 1_000), RESTRICTED_NICKNAMES, 'Nicknames nobody can take.'),
  'user.deny_follow_blocked': setting(flag, true, 'Whether following someone who blocked the follower is refused.'),
} satisfies Definitions;

const optionalNickname = pattern(/^([\w.-]{1,64})?$/, 'a nickname, or empty');
const message = object({ enabled: flag, sender_nickname: optionalNickname, message: text(0, 5_000) });
const NO_MESSAGE = { enabled: false, sender_nickname: '', message: '' };
const PLACES = '`<%= instance_name %>`, `<%= user.nickname %>` and `<%= user.name %>` stand for names';

/** What happens once a new account may be used: it is made, and approved and confirmed if that is needed. */
const newAccounts = {
  'instance.autofollowed_nicknames': setting(
    list(nickname, 1_000),
    [],
    'Accounts of this server that every new account follows; those that decide on followers are asked.',
  ),
  'instance.autofollowing_nicknames': setting(
    list(nickname, 1_000),
    [],
    'Accounts of this server that follow every new account.',
  ),
  'welcome.direct_message': setting(
    message,
    NO_MESSAGE,
    'A direct message of an account of this server to every new account.',
  ),
  'welcome.chat_message': setting(
    message,
    NO_MESSAGE,
    'A chat message of an account of this server to every new account.',
  ),
  'welcome.email': setting(
    object({
      enabled: flag,
      sender: pattern(/^(\S+@\S+)?$/, 'an e-mail address, or empty for that of all mail'),
      subject: text(0, 200),
      html: text(0, 20_000),
      text: text(0, 20_000),
    }),
    {
      enabled: false,
      sender: '',
      subject: 'Welcome to <%= instance_name %>',
      html: 'Welcome to <%= instance_name %>',
      text: 'Welcome to <%= instance_name %>',
    },
    `A mail to every new account with an address, if mail is set up: ${PLACES}.`,
  ),
} satisfies Definitions;

/** Archives of accounts. */
const archives = {
  'backup.limit_days': setting(integer(1, 365), 7, 'How many days lie between two archives of an account.'),
  'backup.purge_after_days': setting(
    integer(1, 3_650),
    30,
    'After how many days an archive is removed. It is kept at least until the next one may be asked for.',
  ),
} satisfies Definitions;

const days = integer(0, 36_500);
const AGES = { suggestions: [0, 30, 90, 365] };

/** What is removed when it is old. Each night, and with `ctl storage prune`. */
const retention = {
  'retention.remote_post_days': setting(
    days,
    0,
    'After how many days copies of remote posts are removed that nobody here follows, answered, marked or is part of. They can be fetched again. 0: never.',
    AGES,
  ),
  'retention.remote_account_days': setting(
    days,
    0,
    'After how many days copies of remote accounts are removed that have nothing to do with anybody here, and that no stored post or staff decision names. 0: never.',
    AGES,
  ),
  'retention.read_notification_days': setting(
    integer(0, 365),
    0,
    'After how many days notifications are removed that were read. Requests to follow stay until they are answered. 0: with all others, after a year.',
    AGES,
  ),
  'retention.link_preview_days': setting(
    days,
    0,
    'After how many days remote posts that nobody bookmarked lose the previews of the pages that they link to. 0: never.',
    AGES,
  ),
} satisfies Definitions;

/** Federation and streaming. */
const network = {
  'activitypub.outgoing_blocks': setting(
    flag,
    true,
    'Whether the server of a blocked account is told of the block, so that it can hide the posts of those who block.',
  ),
  'activitypub.authorized_fetch_mode': setting(
    flag,
    false,
    'Whether other servers get documents of posts and profiles only when they sign their requests. Servers whose software cannot sign then see nothing of this one.',
  ),
  'activitypub.inbox_queue': setting(
    integer(0, 10_000_000),
    50_000,
    'Most received activities that wait for their effect. Above it other servers are asked to try again later.',
  ),
  'activitypub.signature_window': setting(
    integers({ past: [60, 604_800], future: [60, 86_400] }),
    { past: 43_200, future: 3_600 },
    'How far the clocks of other servers may be behind and ahead of the clock here, in seconds. Requests that were signed outside of this window are refused.',
  ),
  'metrics.token': setting(
    pattern(/^[!-~]{0,200}$/, 'at most 200 letters, digits and signs of ASCII without blanks, or empty'),
    '',
    'The bearer token with which /metrics is read from elsewhere. Empty: it is read on this machine only.',
    { secret: true },
  ),
  'push.legacy_encryption': setting(
    flag,
    true,
    'Whether pushes to apps that do not ask for the standard form of encryption use the one from before it: relays of older mobile apps read no other, and such apps ask for none.',
  ),
  'shout.enabled': setting(
    flag,
    false,
    'Whether there is a shoutbox: one chat room for everybody who has an account here. Its newest messages are kept.',
  ),
  'streaming.max_per_account': setting(
    integer(1, 10_000),
    50,
    'How many live streams one account may keep open, in each process. Only with `RATE_LIMITS=on`.',
  ),
  'streaming.max_per_address': setting(
    integer(1, 100_000),
    200,
    'How many live streams visitors from one address may keep open, in each process. Only with `RATE_LIMITS=on`.',
  ),
} satisfies Definitions;

/** Apps that were written for the reference API. */
const apps = {
  'apps.reference_shapes': setting(
    list(text(1, 100), 100),
    [
      'Tusky',
      'Pachli',
      'Mastodon for Android',
      'MastodonAndroid',
      'Moshidon',
      'Megalodon',
      'IceCubesApp',
      'Mastodon for iOS',
      'mastodon-ios',
    ],
    'Apps that can read only what Mastodon sends: words of their names or of their `User-Agent`, without regard to case. They get a list of roles, and read `local` as `unlisted` and `list` as `private`. `*` stands for every app.',
  ),
} satisfies Definitions;

/** Restrictions for anonymous callers on a public server. */
const restrictions = {
  'restrict_unauthenticated.timelines': setting(
    flags('local', 'federated'),
    { local: false, federated: false },
    'Which public timelines are for people who are signed in only: that of this server, and those of all posts known here, tags among them.',
  ),
  'restrict_unauthenticated.profiles': setting(
    flags('local', 'remote'),
    { local: false, remote: false },
    'Whose profiles are shown to people who are signed in only: those of people here, and of people elsewhere. Other servers that ask without a signature get only the name and the key of the people here then.',
  ),
  'restrict_unauthenticated.activities': setting(
    flags('local', 'remote'),
    { local: false, remote: false },
    'Which posts are shown to people who are signed in only: those made here, and those from elsewhere. Other servers that ask for a post made here without a signature are refused then.',
  ),
} satisfies Definitions;

export const serviceDefinitions = {
  ...people,
  ...newAccounts,
  ...restrictions,
  ...archives,
  ...retention,
  ...network,
  ...apps,
};
