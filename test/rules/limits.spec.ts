import type supertest from 'supertest';
import { SettingsService } from '../../src/config/index.js';
import { useApp } from '../support/servers/app.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { picture } from '../support/fixtures/media-files.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { sendFile, upload } from '../support/fixtures/uploads.js';
import type { Client } from '../support/fixtures/world.js';

/*
 * Every limit of the service (spec §8), also those that it reports to apps, tested below, at and above the limit (threats H17,
 * H18). The tests of bad input check that a refused request changes nothing.
 */

const STATUSES = '/api/v1/statuses';
const ME = '/api/v1/accounts/update_credentials';
const HUNDRED_YEARS = 3_155_760_000;
const CONTEXT = { context: ['home'] };

const app = useApp({ once: ['alice', 'bob'] });
let alice: Client;
let bob: Client;
const ids = new Map<string, string>();
let serial = 0;

beforeAll(async () => {
  [alice, bob] = [await app.world.as('alice'), await app.world.as('bob')];
  ids.set('bob', app.world.id('bob'));
  ids.set('media', (await upload(app, 'alice')).id);
  ids.set('status', (await post(app, 'alice', 'tea')).id);
  ids.set('filter', (await ok<{ id: string }>(alice.post('/api/v2/filters', { title: 'tea', ...CONTEXT }))).id);
  ids.set('folder', (await ok<{ id: string }>(alice.post('/api/v1/svc/bookmark_folders', { name: 'tea' }))).id);
});

const long = (characters: number) => '\u{1f375}'.repeat(characters);
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const at = (path: string) => path.replace(/:(\w+)/, (_, name: string) => ids.get(name)!);
const asked = (poll: object) =>
  alice.post(STATUSES, { status: 'tea?', poll: { options: ['a', 'b'], expires_in: 600, ...poll } });
const folderName = (length: number) => `${(serial += 1)}`.padEnd(length, 'x');

/** What is limited, the highest or lowest allowed size, the status of a refusal, and a request of a given size. */
type Limit = readonly [
  what: string,
  limit: number,
  refusal: number,
  send: (size: number) => PromiseLike<supertest.Response>,
];

const MOST: readonly Limit[] = [
  ['characters of a post', 5_000, 422, (n) => alice.post(STATUSES, { status: long(n) })],
  [
    'characters of a post and its warning',
    5_000,
    422,
    (n) => alice.post(STATUSES, { status: 'tea!', spoiler_text: long(n - 4) }),
  ],
  ['characters of an edit', 5_000, 422, (n) => alice.put(at(`${STATUSES}/:status`), { status: long(n) })],
  ['options of a poll', 20, 422, (n) => asked({ options: many(n, String) })],
  ['characters of an option', 200, 422, (n) => asked({ options: ['a', long(n)] })],
  ['seconds of a poll', 31_536_000, 422, (n) => asked({ expires_in: n })],
  ['seconds that a post lives', HUNDRED_YEARS, 422, (n) => alice.post(STATUSES, { status: 'tea', expires_in: n })],
  [
    'people whom a post names',
    100,
    422,
    (n) => alice.post(STATUSES, { status: 'tea', to: many(n, (at) => `nobody${at}`) }),
  ],
  ['posts by their ids', 100, 400, (n) => alice.get(STATUSES, { 'ids[]': many(n, String) })],
  ['characters of a description', 5_000, 422, (n) => alice.put(at('/api/v1/media/:media'), { description: long(n) })],
  [
    'characters of a description with its upload',
    5_000,
    422,
    async (n) => sendFile(app, 'alice', await picture(), { description: long(n) }),
  ],
  ['characters of a name', 100, 403, (n) => alice.patch(ME, { display_name: long(n) })],
  ['characters about oneself', 5_000, 403, (n) => alice.patch(ME, { note: long(n) })],
  ['characters about a picture', 5_000, 403, (n) => alice.patch(ME, { avatar_description: long(n) })],
  [
    'fields of a profile',
    10,
    403,
    (n) => alice.patch(ME, { fields_attributes: many(n, (at) => ({ name: `${at}`, value: 'x' })) }),
  ],
  [
    'characters of the name of a field',
    512,
    403,
    (n) => alice.patch(ME, { fields_attributes: [{ name: long(n), value: 'x' }] }),
  ],
  [
    'characters of the value of a field',
    2_048,
    403,
    (n) => alice.patch(ME, { fields_attributes: [{ name: 'x', value: long(n) }] }),
  ],
  [
    'characters of a note about somebody',
    2_000,
    422,
    (n) => alice.post(at('/api/v1/accounts/:bob/note'), { comment: long(n) }),
  ],
  ['seconds of a mute', HUNDRED_YEARS, 422, (n) => alice.post(at('/api/v1/accounts/:bob/mute'), { duration: n })],
  [
    'seconds of a mute, by the older name',
    HUNDRED_YEARS,
    422,
    (n) => alice.post(at('/api/v1/accounts/:bob/mute'), { expires_in: n }),
  ],
  ['characters of the title of a list', 255, 422, (n) => alice.post('/api/v1/lists', { title: long(n) })],
  [
    'characters of the name of a folder',
    255,
    422,
    (n) => alice.post('/api/v1/svc/bookmark_folders', { name: folderName(n) }),
  ],
  [
    'characters of the title of a filter',
    256,
    422,
    (n) => alice.post('/api/v2/filters', { title: long(n), ...CONTEXT }),
  ],
  [
    'characters of a word of a filter',
    512,
    422,
    (n) => alice.post(at('/api/v2/filters/:filter/keywords'), { keyword: long(n) }),
  ],
  ['characters of what is searched', 2_048, 400, (n) => alice.get('/api/v2/search', { q: 'x'.repeat(n) })],
  [
    'characters of what is searched among people',
    2_048,
    400,
    (n) => alice.get('/api/v1/accounts/search', { q: 'x'.repeat(n) }),
  ],
  [
    'characters of a report',
    1_000,
    400,
    (n) => alice.post('/api/v1/reports', { account_id: ids.get('bob'), comment: long(n) }),
  ],
  ['characters of a scrobble', 1_000, 400, (n) => alice.post('/api/v1/svc/scrobble', { title: long(n) })],
  ['the day of a birthday', 31, 400, (n) => alice.get('/api/v1/svc/birthdays', { day: n, month: 1 })],
  ['the month of a birthday', 12, 400, (n) => alice.get('/api/v1/svc/birthdays', { day: 1, month: n })],
];

const LEAST: readonly Limit[] = [
  ['options of a poll', 2, 422, (n) => asked({ options: many(n, String) })],
  ['seconds of a poll', 0, 422, (n) => asked({ expires_in: n })],
  [
    'seconds that a post lives: more than an hour',
    3_601,
    422,
    (n) => alice.post(STATUSES, { status: 'tea', expires_in: n }),
  ],
  [
    'seconds that a post for later lives',
    3_601,
    422,
    (n) => alice.post(STATUSES, { status: 'tea', expires_in: n, scheduled_at: '2099-01-01T00:00:00Z' }),
  ],
  ['seconds of a mute', 0, 422, (n) => alice.post(at('/api/v1/accounts/:bob/mute'), { duration: n })],
  ['characters of a list', 1, 422, (n) => alice.post('/api/v1/lists', { title: long(n) })],
  ['what is searched', 1, 400, (n) => alice.get('/api/v2/search', { q: 'x'.repeat(n) })],
];

/** Rows of the caller: the table, how to make them, and how to add one more. */
type Owned = readonly [
  what: string,
  most: number,
  fill: string,
  send: (turn: number) => PromiseLike<supertest.Response>,
];

const OWNED: readonly Owned[] = [
  [
    'folders',
    100,
    `insert into bookmark_folders (id, account_id, name) select 'f' || n, $1, 'folder ' || n from generate_series(1, $2::int) n`,
    (turn) => bob.post('/api/v1/svc/bookmark_folders', { name: `new ${turn}` }),
  ],
  [
    'lists',
    100,
    `insert into lists (account_id, title) select $1, 'list ' || n from generate_series(1, $2::int) n`,
    (turn) => bob.post('/api/v1/lists', { title: `new ${turn}` }),
  ],
  [
    'filters',
    100,
    `insert into filters (account_id, title, contexts, action) select $1, 'filter', '{home}', 'warn' from generate_series(1, $2::int) n`,
    () => bob.post('/api/v2/filters', { title: 'new', ...CONTEXT }),
  ],
  [
    'posts for later on one day',
    25,
    `insert into scheduled_statuses (account_id, scheduled_at, options) select $1, '2099-01-01T12:00:00Z', '{"text":"x"}' from generate_series(1, $2::int) n`,
    () => bob.post(STATUSES, { status: 'later', scheduled_at: '2099-01-01T23:59:59Z' }),
  ],
  [
    'posts for later',
    300,
    `insert into scheduled_statuses (account_id, scheduled_at, options) select $1, timestamptz '2099-01-01T12:00:00Z' + n * interval '1 day', '{"text":"x"}' from generate_series(1, $2::int) n`,
    () => bob.post(STATUSES, { status: 'later', scheduled_at: '2098-01-01T12:00:00Z' }),
  ],
];

describe('H17 H18 the limit', () => {
  const statuses = async (send: Limit[3], sizes: readonly number[]) => {
    const found: number[] = [];
    for (const size of sizes) found.push((await send(size)).status);
    return found;
  };

  it.each(MOST)('on %s allows at most %d, else returns %d', async (_, limit, refusal, send) => {
    expect(await statuses(send, [limit - 1, limit, limit + 1])).toEqual([200, 200, refusal]);
  });

  it.each(LEAST)('on %s requires at least %d, else returns %d', async (_, limit, refusal, send) => {
    expect(await statuses(send, [limit + 1, limit, limit - 1])).toEqual([200, 200, refusal]);
  });

  it.each(OWNED)('on %s of an account allows at most %d', async (_, most, fill, send) => {
    for (const table of ['bookmark_folders', 'lists', 'filters', 'scheduled_statuses'])
      await app.sql(`delete from ${table} where account_id = $1`, [app.world.id('bob')]);
    await app.sql(fill, [app.world.id('bob'), most - 2]);
    expect(await statuses(send, [1, 2, 3])).toEqual([200, 200, 422]);
  });

  it('on pins is a setting', async () => {
    const posts = await makeStatuses(app, 'bob', 4);
    const pin = (n: number) => bob.post(`${STATUSES}/${posts[n]!}/pin`);
    const allow = (value: number) => app.get(SettingsService).update([{ path: 'instance.max_pinned_statuses', value }]);
    await allow(1);
    expect(await statuses(pin, [0, 1])).toEqual([200, 422]);
    await allow(3);
    expect(await statuses(pin, [1, 2, 3])).toEqual([200, 200, 422]);
  });

  it('on bytes is a setting for uploads and for each picture of a profile', async () => {
    const content = await picture('png', 300, 300);
    const send = async (most: number) => {
      const kinds = ['upload', 'avatar_upload', 'banner_upload', 'background_upload'] as const;
      await app.get(SettingsService).update(kinds.map((kind) => ({ path: `instance.${kind}_limit`, value: most })));
      const patch = (field: string) =>
        app.http.patch(ME).set('authorization', `Bearer ${alice.token}`).attach(field, content, 'x.png');
      const answers = [
        await sendFile(app, 'alice', content),
        await patch('avatar'),
        await patch('header'),
        await patch('svc_background_image'),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await send(content.length + 1)).toEqual([200, 200, 200, 200]);
    expect(await send(content.length)).toEqual([200, 200, 200, 200]);
    expect(await send(content.length - 1)).toEqual([413, 413, 413, 413]);
  });

  it('does not exist for media in one post', async () => {
    await app.get(SettingsService).reset('instance.upload_limit');
    await app.sql(
      `insert into attachments (account_id, type, mime_type, file_key)
       select account_id, type, mime_type, file_key from attachments a, generate_series(1, 50) where a.id = $1`,
      [ids.get('media')],
    );
    const uploads = await app.sql<{ id: string }>(
      'select id from attachments where status_id is null order by id limit 50',
    );
    const made = await post(app, 'alice', 'many', { media_ids: uploads.map(({ id }) => id) });
    expect(made.media_attachments).toHaveLength(50);
  });

  it.each([
    [0, 20],
    [1, 1],
    [39, 39],
    [40, 40],
    [41, 20],
    [80, 20],
  ])('on a page with the parameter %d is %d entries', async (limit, count) => {
    const shown = async () => ok<unknown[]>(bob.get('/api/v1/accounts/bob/statuses', { limit }));
    if ((await ok<unknown[]>(bob.get('/api/v1/accounts/bob/statuses', { limit: 40 }))).length < 40)
      await makeStatuses(app, 'bob', 50);
    expect(await shown()).toHaveLength(count);
  });

  it.each([79, 80, 81])('on returned notifications is 80 when %d are marked as read', async (count) => {
    await app.sql('delete from notifications');
    const made = await app.sql<{ id: string }>(
      `insert into notifications (receiver_id, type, from_id, status_id)
       select $1, 'favourite', $2, unnest($3::text[]) returning id`,
      [app.world.id('bob'), app.world.id('alice'), await makeStatuses(app, 'bob', count)],
    );
    const last = made.map(({ id }) => BigInt(id)).reduce((a, b) => (a > b ? a : b));
    const read = await ok<unknown[]>(bob.post('/api/v1/svc/notifications/read', { max_id: `${last}` }));
    expect(read).toHaveLength(Math.min(count, 80));
    expect(await app.sql('select from notifications where not seen')).toEqual([]);
  });
});
