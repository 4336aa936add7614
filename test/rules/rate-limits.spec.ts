import type supertest from 'supertest';
import { Settings, SettingsService } from '../../src/config/index.js';
import { useApp } from '../support/servers/app.js';
import type { Client } from '../support/fixtures/world.js';

/*
 * The rate limits: their default values, and how often each limited route may be called. The windows are made long here, so
 * that none ends during a test. Sign-ins, e-mails and captchas have specs of their own.
 */

const WINDOWS = {
  authentication: [60_000, 15],
  timeline: [
    [1_000, 10],
    [300_000, 300],
  ],
  search: [
    [1_000, 10],
    [1_000, 30],
  ],
  app_account_creation: [1_800_000, 25],
  app_tokens: [1_800_000, 100],
  relations_actions: [10_000, 10],
  relation_id_action: [60_000, 10],
  follows: [86_400_000, 400],
  statuses_actions: [10_000, 30],
  status_id_action: [60_000, 10],
  posts: [10_800_000, 300],
  uploads: [1_800_000, 30],
  password_reset: [1_800_000, 5],
  account_confirmation_resend: [8_640_000, 5],
  ap_routes: [300_000, 300],
} as const;
const LONG_MS = 3_600_000;

type Method = 'get' | 'post' | 'put' | 'delete';
/** How often it may be called, the call (`:n` is a different target each time), and the caller: by default a new account. */
type Row = readonly [count: number, call: string, who?: 'anonymous'];

const ROWS: readonly Row[] = [
  [30, 'POST /api/v1/statuses'],
  [30, 'DELETE /api/v1/statuses/:n'],
  ...['reblog', 'unreblog', 'favourite', 'unfavourite'].flatMap((action): Row[] => [
    [10, `POST /api/v1/statuses/same/${action}`],
    [30, `POST /api/v1/statuses/:n/${action}`],
  ]),
  [30, 'PUT /api/v1/statuses/:n'],
  [30, 'PUT /api/v1/media/:n'],
  [30, 'POST /api/v1/polls/:n/votes'],
  [30, 'PUT /api/v1/svc/statuses/:n/reactions/x'],
  [30, 'DELETE /api/svc/statuses/:n/reactions/x'],
  ...[
    'v1/accounts/:n/follow',
    'v1/accounts/:n/unfollow',
    'svc/accounts/:n/subscribe',
    'v1/svc/accounts/:n/unsubscribe',
  ].flatMap((path): Row[] => [
    [10, `POST /api/${path.replace(':n', 'same')}`],
    [10, `POST /api/${path}`],
  ]),
  [10, 'POST /api/v1/follows'],
  [30, 'POST /api/v1/media'],
  [10, 'GET /api/v1/timelines/public', 'anonymous'],
  [30, 'GET /api/v1/accounts/search'],
  [30, 'GET /api/v1/search'],
  [30, 'GET /api/v2/search'],
  [10, 'GET /api/v2/search', 'anonymous'],
  [25, 'POST /api/v1/apps', 'anonymous'],
  [300, 'GET /users/:n', 'anonymous'],
  [300, 'GET /objects/:n', 'anonymous'],
];

/** Buckets whose default is too large to be used up here, and the calls that they count. */
const LARGE: readonly (readonly [bucket: string, call: string, who: 'anonymous' | undefined])[] = [
  ...['home', 'public', 'tag/tea', 'list/1', 'direct'].map(
    (kind) => ['timeline', `GET /api/v1/timelines/${kind}`, undefined] as const,
  ),
  ...['explore', 'main/public', 'tags/tea', 'tag/tea', 'tags/tea.atom', 'tags/tea.rss'].map(
    (page) => ['timeline', `GET /${page}`, 'anonymous'] as const,
  ),
  ['posts', 'POST /api/v1/statuses', undefined],
  ['follows', 'POST /api/v1/accounts/:n/follow', undefined],
  ['follows', 'POST /api/v1/svc/accounts/:n/subscribe', undefined],
  ['follows', 'POST /api/v1/follows', undefined],
  ['uploads', 'POST /api/v2/media', undefined],
];

const app = useApp({ once: [], env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1' } });
const ids = new Map<string, string>();

beforeAll(async () => {
  for (const name of ['target', 'lookslikeanid12345']) ids.set(`id of ${name}`, (await app.world.person(name)).id);
});

describe('rate limits', () => {
  it.each(Object.entries(WINDOWS))('have the default values of the table: %s', (name, window) => {
    expect(app.get(Settings).get(`rate_limit.${name}` as 'rate_limit.timeline')).toEqual(window);
  });

  it.each(ROWS.map(([count, call, who]) => ({ count, call, who })))(
    'allow $count calls of $call',
    async ({ count, call, who }) => {
      await lengthenWindows();
      const { client, address } = await caller(who);
      const [method = '', path = ''] = call.split(' ');
      const send = (turn: number) =>
        client[method.toLowerCase() as Method](path.replace(':n', `number${turn}`)).set('x-forwarded-for', address);
      const answers: supertest.Response[] = [];
      for (let turn = 0; turn <= count; turn += 1) answers.push(await send(turn));
      expect(answers.slice(0, count).filter(({ status }) => status === 429 || status >= 500)).toEqual([]);
      const refused = answers[count]!;
      expect([refused.status, refused.body]).toEqual([429, { error: 'Throttled' }]);
      expect(refused.headers).toMatchObject({ 'retry-after': expect.any(String), 'x-ratelimit-remaining': '0' });
      const other = await (await caller(who)).client.get('/api/v1/instance'); // other callers are not affected
      expect(other.status).toBe(200);
    },
  );

  it.each(LARGE.map(([bucket, call, who]) => [bucket, call, who] as const))(
    'count in %s each %s',
    async (bucket, call, who) => {
      await lengthenWindows({ [bucket]: 3 });
      const { client, address } = await caller(who);
      const [method = '', path = ''] = call.split(' ');
      const statuses: number[] = [];
      for (let turn = 0; turn <= 3; turn += 1) {
        const request = client[method.toLowerCase() as Method](path.replace(':n', `number${turn}`));
        statuses.push((await request.set('x-forwarded-for', address)).status);
      }
      expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true]);
    },
  );

  it('let an app read forty pages of a timeline one after the other', async () => {
    const { client } = await caller(undefined);
    for (let turn = 0; turn < 40; turn += 1) await client.get('/api/v1/timelines/home').expect(200);
  });

  it.each<[string, readonly string[], readonly number[]]>([
    [
      'an account once, however its name is written',
      ['target', 'TARGET', '@Target', '!target', 'target@SVC.test', '@tARGET@svc.test'],
      [200, 200, 429, 429, 429, 429],
    ],
    ['an account once, whether by its id or by its name', ['target', 'id of target', '@target'], [200, 200, 429]],
    [
      'one whose name looks like an id once, however it is written',
      ['LOOKSLIKEANID12345', 'lookslikeanid12345', 'id of lookslikeanid12345'],
      [200, 200, 429],
    ],
    [
      'names of other servers apart, in any spelling of the server',
      ['zoe', 'zoe@a.example', 'zoe@bücher.example', 'Zoe@xn--bcher-kva.example', '@zoe@BÜCHER.example'],
      [404, 404, 404, 404, 429],
    ],
    [
      'ids that differ in their capitals apart',
      ['AAAAAAAAAAAAAAAAAa', 'AAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAa', 'AAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAA'],
      [404, 404, 404, 404, 429],
    ],
    ['what is no name by what it is', ['a@b@c', '@', '@@', 'a@b@c', 'a@b@c'], [404, 404, 404, 404, 429]],
  ])('count %s', async (_, targets, expected) => {
    await lengthenWindows({ relation_id_action: 2 });
    const { client } = await caller(undefined);
    const statuses: number[] = [];
    for (const target of targets) {
      const named = encodeURIComponent(ids.get(target) ?? target);
      statuses.push((await client.post(`/api/v1/accounts/${named}/follow`)).status);
    }
    expect(statuses).toEqual(expected);
  });

  let callers = 0;

  /** Makes the windows so long that none ends during a test, and some counts small. */
  async function lengthenWindows(counts: Readonly<Record<string, number>> = {}): Promise<void> {
    const longer = (value: unknown): unknown =>
      Array.isArray(value) && Array.isArray(value[0]) ? value.map(longer) : [LONG_MS, (value as number[])[1]];
    const changes = Object.entries(WINDOWS).map(([name, value]) => ({
      path: `rate_limit.${name}`,
      value: name in counts ? [LONG_MS, counts[name]] : longer(value),
    }));
    await app.get(SettingsService).update(changes);
  }

  /** A caller without earlier requests, at an address of its own. */
  async function caller(who: Row[2]): Promise<{ readonly client: Client; readonly address: string }> {
    callers += 1;
    const address = `192.0.2.${callers}`;
    if (who === 'anonymous') return { client: app.world.anonymous, address };
    const name = `person${callers}`;
    await app.world.person(name);
    return { client: await app.world.as(name), address };
  }
});
