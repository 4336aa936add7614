import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { fingerprint } from '../../support/bad-input.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

/*
 * Requests every refusal in the table of endpoints once, checks its text, and that it leaves no trace. A text of many rows
 * (`Record not found`) is checked for all of them. Log-ins and limits have specs of their own.
 */

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Values = Record<string, unknown>;
/** The call with names in place of ids, the caller (default alice), the status, and the text, if it is fixed. */
type Refusal = [call: string, status: number, error: string | null, values?: Values, who?: string];

const NOT_FOUND = 'Record not found';
const NO_USER = "Can't find user";
const NO_LIST = 'List not found';
const TEA = { options: ['green', 'black'], expires_in: 3_600 };
const FILTER = { title: 'tea', context: ['home'] };

const HIDDEN_POST: readonly Refusal[] = [
  ['GET', ''],
  ['PUT', '', { status: 'new' }],
  ['DELETE', ''],
  ['GET', '/context'],
  ['GET', '/source'],
  ['GET', '/history'],
  ['GET', '/card'],
  ['GET', '/favourited_by'],
  ['GET', '/reblogged_by'],
  ...['reblog', 'unreblog', 'favourite', 'unfavourite', 'pin', 'unpin', 'bookmark', 'unbookmark', 'mute', 'unmute'].map(
    (action) => ['POST', `/${action}`] as const,
  ),
].map(([method, path, values]) => [
  `${method as string} /api/v1/statuses/:secret${path as string}`,
  404,
  NOT_FOUND,
  values as Values,
]);

const REFUSALS: readonly Refusal[] = [
  ...HIDDEN_POST,
  ['GET /api/v1/svc/statuses/:secret/quotes', 404, NOT_FOUND],
  ['GET /api/v1/svc/statuses/:secret/reactions', 404, NOT_FOUND],
  ['GET /api/v1/svc/statuses/:secret/reactions/👍', 404, NOT_FOUND],
  ['PUT /api/v1/svc/statuses/:secret/reactions/👍', 404, NOT_FOUND],
  ['DELETE /api/v1/svc/statuses/:secret/reactions/👍', 404, NOT_FOUND],
  ['PUT /api/v1/svc/statuses/:post/reactions/x', 400, 'Could not add reaction emoji'],
  ['DELETE /api/v1/svc/statuses/:post/reactions/x', 400, 'Could not add reaction emoji'],

  ['GET /api/v1/statuses', 400, null],
  ['GET /api/v1/statuses', 400, null, { 'ids[]': Array.from({ length: 101 }, (_, at) => `${at}`) }],
  ['POST /api/v1/statuses', 422, 'Cannot post an empty status without attachments'],
  ['POST /api/v1/statuses', 422, 'The status is over the character limit', { status: 'x'.repeat(5_001) }],
  ['POST /api/v1/statuses', 422, 'Expiry date is too soon', { status: 'x', expires_in: 3_600 }],
  [
    'POST /api/v1/statuses',
    422,
    'The message visibility must be direct',
    { status: 'x', in_reply_to_id: ':letter', visibility: 'public' },
  ],
  ['POST /api/v1/statuses', 404, NOT_FOUND, { status: 'x', in_reply_to_id: ':secret' }],
  ['POST /api/v1/statuses', 404, NOT_FOUND, { status: 'x', quote_id: ':secret' }],
  ['POST /api/v1/statuses', 404, NO_LIST, { status: 'x', visibility: 'list::list' }],
  ['POST /api/v1/statuses', 404, NO_LIST, { status: 'x', visibility: 'list:' }],
  ['POST /api/v1/statuses', 422, null, { status: 'x', visibility: 'list' }],
  ['POST /api/v1/statuses', 422, null, { status: 'x', visibility: 'everybody' }],
  ['POST /api/v1/statuses', 422, null, { status: 'x', media_ids: [':media'] }],
  ['PUT /api/v1/statuses/:own', 422, 'The status is over the character limit', { status: 'x'.repeat(5_001) }],
  ['PUT /api/v1/statuses/:post', 404, NOT_FOUND, { status: 'mine now' }],
  ['DELETE /api/v1/statuses/:post', 404, NOT_FOUND],
  ['GET /api/v1/statuses/:post/source', 404, NOT_FOUND],
  ['POST /api/v1/statuses/:post/pin', 422, "Someone else's status cannot be pinned"],
  ['POST /api/v1/statuses/:own/pin', 422, 'You have already pinned the maximum number of statuses'],
  ['POST /api/v1/statuses/:muted/mute', 400, 'conversation is already muted'],
  ['POST /api/v1/statuses/:post/bookmark', 404, NOT_FOUND, { folder_id: ':folder' }],

  ['POST /api/v1/svc/bookmark_folders', 422, null, { name: 'mine' }],
  ['PATCH /api/v1/svc/bookmark_folders/:folder', 404, NOT_FOUND, { name: 'theirs' }],
  ['PATCH /api/v1/svc/bookmark_folders/:mine', 422, null, { name: ' ' }],
  ['DELETE /api/v1/svc/bookmark_folders/:folder', 404, NOT_FOUND],

  [
    'POST /api/v1/statuses',
    422,
    'Scheduled At must be in the future',
    { status: 'x', scheduled_at: '2020-01-01T00:00:00Z' },
  ],
  ['GET /api/v1/scheduled_statuses/:scheduled', 404, NOT_FOUND],
  ['PUT /api/v1/scheduled_statuses/:scheduled', 404, NOT_FOUND, { scheduled_at: '2099-01-01T00:00:00Z' }],
  [
    'PUT /api/v1/scheduled_statuses/:later',
    422,
    'must be at least 5 minutes from now',
    { scheduled_at: '2020-01-01T00:00:00Z' },
  ],
  ['DELETE /api/v1/scheduled_statuses/:scheduled', 404, NOT_FOUND],

  ['GET /api/v1/timelines/list/:list', 404, NOT_FOUND],

  ['GET /api/v1/polls/0', 404, NOT_FOUND],
  ['POST /api/v1/polls/0/votes', 404, NOT_FOUND, { choices: [0] }],
  ['POST /api/v1/polls/:asked/votes', 422, "Poll's author can't vote", { choices: [0] }],
  ['POST /api/v1/polls/:voted/votes', 422, 'Already voted', { choices: [0] }],
  ['POST /api/v1/polls/:poll/votes', 422, 'Invalid indices', { choices: [2] }],
  ['POST /api/v1/polls/:poll/votes', 422, 'Too many choices', { choices: [0, 1] }],

  ['POST /api/v1/conversations/:talk/read', 404, NOT_FOUND],
  ['DELETE /api/v1/conversations/:talk', 404, NOT_FOUND],
  ['GET /api/v1/svc/conversations/:talk', 404, NOT_FOUND],
  ['PATCH /api/v1/svc/conversations/:talk', 404, NOT_FOUND, { recipients: [':bob'] }],
  ['PATCH /api/v1/svc/conversations/:talked', 400, null, { recipients: ['0'] }],
  ['PATCH /api/v1/svc/conversations/:talked', 400, null],
  ['GET /api/v1/svc/conversations/:talk/statuses', 404, NOT_FOUND],

  ['GET /api/v1/notifications', 404, 'Account is not found', { account_id: '0' }],
  ['GET /api/v1/notifications/:notification', 404, NOT_FOUND],
  ['POST /api/v1/notifications/:notification/dismiss', 404, NOT_FOUND],
  ['POST /api/v1/notifications/dismiss', 404, NOT_FOUND, { id: ':notification' }],
  ['DELETE /api/v1/notifications/destroy_multiple', 400, null],
  ['POST /api/v1/svc/notifications/read', 400, null],
  ['POST /api/v1/svc/notifications/read', 400, null, { id: '1', max_id: '1' }],

  ['POST /api/v1/media', 400, null],
  ['POST /api/v2/media', 400, null],
  ['GET /api/v1/media/:media', 404, NOT_FOUND],
  ['PUT /api/v1/media/:media', 404, NOT_FOUND, { description: 'theirs' }],
  ['GET /media/aa/nothing.png', 404, 'Not found'],

  ['GET /api/v1/accounts/search', 400, null],
  ['GET /api/v1/search', 400, null],
  ['GET /api/v1/search', 400, null, { q: 'x'.repeat(2_049) }],
  ['GET /api/v1/accounts/search', 400, null, { q: 'x'.repeat(2_049) }],
  ['GET /api/v2/search', 400, null, { q: 'x'.repeat(2_049) }],
  ['GET /api/v2/search', 400, null],
  ['GET /api/v2/search', 400, null, { q: 'x', type: 'people' }],

  ['POST /api/v1/lists', 422, null, { title: ' ' }],
  ['GET /api/v1/lists/:list', 404, NO_LIST],
  ['PUT /api/v1/lists/:list', 404, NO_LIST, { title: 'theirs' }],
  ['DELETE /api/v1/lists/:list', 404, NO_LIST],
  ['GET /api/v1/lists/:list/accounts', 404, NO_LIST],
  ['POST /api/v1/lists/:list/accounts', 404, NO_LIST, { account_ids: [':bob'] }],
  ['DELETE /api/v1/lists/:list/accounts', 404, NO_LIST, { account_ids: [':bob'] }],

  ['POST /api/v1/filters', 422, null, { phrase: ' ', context: ['home'] }],
  ['GET /api/v1/filters/0', 404, NOT_FOUND],
  ['PUT /api/v1/filters/0', 404, NOT_FOUND, { phrase: 'tea', context: ['home'] }],
  ['DELETE /api/v1/filters/0', 404, NOT_FOUND],
  ['POST /api/v2/filters', 422, null, { ...FILTER, title: ' ' }],
  ['GET /api/v2/filters/:filter', 404, NOT_FOUND],
  ['PUT /api/v2/filters/:filter', 404, NOT_FOUND, FILTER],
  ['DELETE /api/v2/filters/:filter', 404, NOT_FOUND],
  ['GET /api/v2/filters/:filter/keywords', 404, NOT_FOUND],
  ['POST /api/v2/filters/:filter/keywords', 404, NOT_FOUND, { keyword: 'tea' }],
  ['GET /api/v2/filters/keywords/0', 404, NOT_FOUND],
  ['PUT /api/v2/filters/keywords/0', 404, NOT_FOUND, { keyword: 'tea' }],
  ['DELETE /api/v2/filters/keywords/0', 404, NOT_FOUND],
  ['GET /api/v2/filters/:filter/statuses', 404, NOT_FOUND],
  ['POST /api/v2/filters/:filter/statuses', 404, NOT_FOUND, { status_id: ':own' }],
  ['GET /api/v2/filters/statuses/0', 404, NOT_FOUND],
  ['DELETE /api/v2/filters/statuses/0', 404, NOT_FOUND],

  [
    'PATCH /api/v1/accounts/update_credentials',
    403,
    'The display name is too long (maximum is 100 characters)',
    { display_name: 'x'.repeat(101) },
  ],
  [
    'PATCH /api/v1/update_credentials',
    403,
    'The note is too long (maximum is 5000 characters)',
    { note: 'x'.repeat(5_001) },
  ],
  [
    'PATCH /api/v1/accounts/update_credentials',
    403,
    'A profile has at most 10 fields',
    { fields_attributes: Array.from({ length: 11 }, (_, at) => ({ name: `${at}`, value: 'x' })) },
  ],
  ['GET /api/v1/accounts/lookup', 404, NOT_FOUND, { acct: 'nobody' }],
  ['GET /api/v1/accounts/nobody', 404, NO_USER],
  ['GET /api/v1/accounts/nobody/statuses', 404, NO_USER],
  ['GET /api/v1/accounts/nobody/followers', 404, NOT_FOUND],
  ['GET /api/v1/accounts/nobody/following', 404, NOT_FOUND],
  ['GET /api/v1/accounts/nobody/lists', 404, NOT_FOUND],
  ['GET /api/v1/accounts/nobody/endorsements', 404, NOT_FOUND],
  ['POST /api/v1/accounts/:alice/follow', 400, 'Can not follow yourself'],
  ['POST /api/v1/accounts/:carol/follow', 403, 'Could not follow user: carol blocked you.'],
  ['POST /api/v1/accounts/nobody/follow', 404, null],
  ['POST /api/v1/accounts/:alice/unfollow', 400, 'Can not unfollow yourself'],
  ['POST /api/v1/accounts/:bob/unfollow', 400, 'Not subscribed!'],
  ['POST /api/v1/accounts/nobody/unfollow', 404, null],
  ['POST /api/v1/accounts/:alice/remove_from_followers', 400, 'Can not unfollow yourself'],
  ['POST /api/v1/accounts/nobody/remove_from_followers', 404, null],
  ['POST /api/v1/accounts/:alice/block', 403, 'Can not block yourself'],
  ['POST /api/v1/accounts/nobody/block', 404, null],
  ['POST /api/v1/accounts/nobody/unblock', 404, null],
  ['POST /api/v1/accounts/:alice/mute', 403, 'Can not mute yourself'],
  ['POST /api/v1/accounts/nobody/mute', 404, null],
  ['POST /api/v1/accounts/nobody/unmute', 404, null],
  ['POST /api/v1/accounts/nobody/note', 404, null],
  ['POST /api/v1/accounts/:bob/pin', 400, 'You have to follow whom you endorse'],
  ['POST /api/v1/accounts/:bob/endorse', 400, 'You have to follow whom you endorse'],
  ['POST /api/v1/accounts/:eve/pin', 400, 'You have already pinned the maximum number of users'],
  ['POST /api/v1/accounts/:eve/endorse', 400, 'You have already pinned the maximum number of users'],
  ['POST /api/v1/accounts/nobody/unpin', 404, null],
  ['POST /api/v1/accounts/nobody/unendorse', 404, null],
  ['POST /api/v1/follows', 404, NOT_FOUND, { uri: 'nobody' }],
  ['POST /api/v1/follow_requests/:bob/authorize', 404, NOT_FOUND],
  ['POST /api/v1/follow_requests/:bob/reject', 404, NOT_FOUND],
  ['POST /api/v1/follow_requests/nobody/authorize', 404, NOT_FOUND],
  ['POST /api/v1/follow_requests/nobody/reject', 404, NOT_FOUND],
  ['POST /api/v1/domain_blocks', 400, null],
  ['DELETE /api/v1/domain_blocks', 400, null],
  ['POST /api/v1/domain_blocks', 400, null, { domain: 'x'.repeat(300) }],
  ['DELETE /api/v1/domain_blocks', 400, null, { domain: 'x'.repeat(300) }],
  ['DELETE /api/v1/suggestions/0', 404, null],
  ['POST /api/v1/svc/accounts/:carol/subscribe', 403, 'Could not follow user: carol blocked you.'],
  ['POST /api/v1/svc/accounts/nobody/subscribe', 404, null],
  ['POST /api/v1/svc/accounts/nobody/unsubscribe', 404, null],
  ['GET /api/v1/svc/accounts/:bob/favourites', 403, "Can't get favorites"],
  ['GET /api/v1/svc/accounts/nobody/favourites', 404, null],
  ['GET /api/v1/svc/accounts/nobody/endorsements', 404, null],
  ['PATCH /api/v1/svc/accounts/update_avatar', 400, null],
  ['PATCH /api/v1/svc/accounts/update_banner', 400, null],
  ['PATCH /api/v1/svc/accounts/update_background', 400, null],
  ['GET /api/v1/svc/accounts/nobody/scrobbles', 404, null],
  ['POST /api/v1/svc/scrobble', 400, null],
  ['POST /api/v1/svc/scrobble', 400, null, { title: 'x'.repeat(1_001) }],
  ['GET /api/v1/svc/birthdays', 400, null],
  ['GET /api/v1/svc/birthdays', 400, null, { day: 32, month: 1 }],
  ['PATCH /api/v1/svc/settings/app', 400, null, { theme: 'a\0b' }],
  ['PUT /api/v1/svc/mascot', 400, null],
  ['PUT /api/v1/svc/aliases', 404, 'Target account does not exist.', { alias: 'nobody' }],
  ['DELETE /api/v1/svc/aliases', 404, 'Account has no such alias.', { alias: 'nobody' }],
];

const app = useApp({ once: ['alice', 'bob', 'carol', 'eve'] });
let alice: Client;
const known = new Map<string, string>();

beforeAll(async () => {
  alice = await app.world.as('alice');
  const [bob, carol] = [await app.world.as('bob'), await app.world.as('carol')];
  const idOf = async (request: ReturnType<Client['get']>) => (await ok<{ id: string }>(request)).id;
  const id = (name: string) => app.world.id(name);
  for (const name of ['alice', 'bob', 'carol', 'eve']) known.set(name, id(name));
  await app.world.follow('alice', 'eve');
  await app.world.follow('bob', 'carol');
  for (let count = 0; count < 20; count += 1) {
    const name = `friend${count}`;
    await app.world.remote(name, 'far.test');
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [
      id('alice'),
      id(`${name}@far.test`),
    ]);
    await alice.post(`/api/v1/accounts/${id(`${name}@far.test`)}/endorse`).expect(200);
  }
  await carol.post(`/api/v1/accounts/${id('alice')}/block`).expect(200);
  const letter = await post(app, 'bob', 'psst @alice', { visibility: 'direct' });
  const secret = await post(app, 'bob', 'psst @eve', { visibility: 'direct' });
  known.set('letter', letter.id).set('secret', secret.id);
  known.set('talk', secret.svc.direct_conversation_id!);
  await app.drain();
  const [talked] = await ok<{ id: string }[]>(alice.get('/api/v1/conversations'));
  known.set('talked', talked!.id);
  const [notification] = await ok<{ id: string }[]>(
    (await app.world.as('eve')).get('/api/v1/notifications', { 'types[]': 'mention' }),
  );
  known.set('notification', notification!.id);
  known.set('post', (await post(app, 'bob', 'tea')).id).set('own', (await post(app, 'alice', 'tea')).id);
  await app.get(SettingsService).update([{ path: 'instance.max_pinned_statuses', value: 1 }]);
  const pinned = await post(app, 'alice', 'pinned');
  await alice.post(`/api/v1/statuses/${pinned.id}/pin`).expect(200);
  const muted = await post(app, 'bob', 'on and on');
  await alice.post(`/api/v1/statuses/${muted.id}/mute`).expect(200);
  known.set('muted', muted.id);
  for (const name of ['poll', 'voted']) known.set(name, (await post(app, 'bob', 'tea?', { poll: TEA })).poll!.id);
  known.set('asked', (await post(app, 'alice', 'tea?', { poll: TEA })).poll!.id);
  await alice.post(`/api/v1/polls/${known.get('voted')!}/votes`, { choices: [0] }).expect(200);
  known.set('folder', await idOf(bob.post('/api/v1/svc/bookmark_folders', { name: 'bobs' })));
  known.set('mine', await idOf(alice.post('/api/v1/svc/bookmark_folders', { name: 'mine' })));
  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  known.set('scheduled', await idOf(bob.post('/api/v1/statuses', { status: 'later', scheduled_at })));
  known.set('later', await idOf(alice.post('/api/v1/statuses', { status: 'later', scheduled_at })));
  known.set('list', await idOf(bob.post('/api/v1/lists', { title: 'bobs' })));
  known.set('filter', await idOf(bob.post('/api/v2/filters', FILTER)));
  known.set('media', (await upload(app, 'bob')).id);
  await app.drain();
});

const fill = (text: string) => text.replace(/:([a-z]+)/g, (name, key: string) => known.get(key) ?? name);

describe('a documented refusal', () => {
  it.each(REFUSALS)('%s: %s %s', async (call, status, error, values = {}) => {
    const [method = '', path = ''] = call.split(' ');
    await alice.get('/api/v1/preferences').expect(200); // stores the activity
    const before = await fingerprint(app);
    const filled = JSON.parse(fill(JSON.stringify(values))) as Values;
    const answer = await alice[method.toLowerCase() as Method](encodeURI(fill(path)), filled);
    const said = (answer.body as { error?: unknown }).error;
    expect([answer.status, said]).toEqual([status, error ?? expect.any(String)]);
    expect(await fingerprint(app)).toEqual(before);
  });
});
