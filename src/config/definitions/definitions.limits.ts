import { Type } from 'typebox';
import { type BucketName, phrase } from '../../common/index.js';
import { type Setting, setting } from './setting.js';
import type { ValueType } from './value-types.js';

const limit = Type.Tuple([
  Type.Integer({ minimum: 1, maximum: 86_400_000 }),
  Type.Integer({ minimum: 1, maximum: 1_000_000 }),
]);
const schema = Type.Union([limit, Type.Tuple([limit, limit])]);

const rate: ValueType<typeof schema> = {
  schema,
  words: phrase('[milliseconds, count], or two of these: for anonymous callers and for signed-in ones'),
};

/**
 * Rate limits: a number of requests in a window of milliseconds, per account, or per address for anonymous callers. The
 * names are the buckets of the routes.
 */
export const limitDefinitions = {
  'rate_limit.authentication': setting(
    rate,
    [60_000, 15],
    'Wrong passwords from one address, and for one log-in name from one network. Ten times as many for a name within an hour, wherever they come from, count as massive guessing. The same count is the limit of wrong codes of a second factor within an hour.',
  ),
  'rate_limit.app_account_creation': setting(rate, [1_800_000, 25], 'New accounts and apps.'),
  'rate_limit.app_tokens': setting(
    rate,
    [1_800_000, 100],
    'Tokens that apps get for themselves, counted for each app and each address.',
  ),
  'rate_limit.captcha': setting(rate, [60_000, 30], 'Captchas given out.'),
  'rate_limit.password_reset': setting(rate, [1_800_000, 5], 'Mails that reset a password.'),
  'rate_limit.account_confirmation_resend': setting(rate, [8_640_000, 5], 'Mails that confirm an address, sent again.'),
  'rate_limit.timeline': setting(
    rate,
    [
      [1_000, 10],
      [300_000, 300],
    ],
    'Pages of one timeline, also for visitors and feed readers.',
  ),
  'rate_limit.search': setting(
    rate,
    [
      [1_000, 10],
      [1_000, 30],
    ],
    'Searches.',
  ),
  'rate_limit.relations_actions': setting(rate, [10_000, 10], 'Follows and unfollows.'),
  'rate_limit.relation_id_action': setting(rate, [60_000, 10], 'Follows and unfollows of the same account.'),
  'rate_limit.follows': setting(rate, [86_400_000, 400], 'Follows.'),
  'rate_limit.statuses_actions': setting(
    rate,
    [10_000, 30],
    'Posts, edits, descriptions of files, deletions, boosts and favourites, both ways.',
  ),
  'rate_limit.ap_routes': setting(rate, [300_000, 300], 'Documents that another server fetches.'),
  'rate_limit.inbox': setting(rate, [10_000, 3_000], 'Activities of one other server.'),
  'rate_limit.inbox_refused': setting(rate, [300_000, 300], 'Activities from one address that were refused.'),
  'rate_limit.report': setting(rate, [3_600_000, 30], 'Reports to those who run the server.'),
  'rate_limit.status_id_action': setting(rate, [60_000, 10], 'Boosts or favourites of the same post.'),
  'rate_limit.posts': setting(rate, [10_800_000, 300], 'New posts.'),
  'rate_limit.uploads': setting(rate, [1_800_000, 30], 'Uploads for posts.'),
} satisfies Record<`rate_limit.${BucketName}`, Setting>;
