import type { ListJson } from '../../../src/accounts/index.js';
import type { ConversationJson, PlainStatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const POSTS = 6;

const app = useApp({ once: ['alice', 'bob'] });
let alice: Client;
/** Newest first. */
const open: string[] = [];
const direct: string[] = [];
const paths = new Map<string, string>();

beforeAll(async () => {
  await app.world.follow('alice', 'bob');
  alice = await app.world.as('alice');
  for (let made = 0; made < POSTS; made += 1) {
    const to = direct[0] === undefined ? {} : { in_reply_to_id: direct[0] };
    direct.unshift((await post(app, 'bob', '@alice', { visibility: 'direct', ...to })).id);
  }
  for (let made = 0; made < POSTS; made += 1) open.unshift((await post(app, 'bob', '#tea')).id);
  await app.drain();
  const list = await ok<ListJson>(alice.post('/api/v1/lists', { title: 'tea' }));
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [app.world.id('bob')] }).expect(200);
  const [conversation] = await ok<ConversationJson[]>(alice.get('/api/v1/conversations'));
  paths.set('home', '/api/v1/timelines/home');
  paths.set('public', '/api/v1/timelines/public');
  paths.set('public, one host', '/api/v1/timelines/public?instance=svc.test');
  paths.set('tag', '/api/v1/timelines/tag/tea');
  paths.set('list', `/api/v1/timelines/list/${list.id}`);
  paths.set('account', `/api/v1/accounts/${app.world.id('bob')}/statuses`);
  paths.set('direct', '/api/v1/timelines/direct');
  paths.set('conversation', `/api/v1/svc/conversations/${conversation!.id}/statuses`);
});

const DIRECT = ['direct', 'conversation'];
const KINDS = ['home', 'public', 'public, one host', 'tag', 'list', 'account', ...DIRECT];

describe('an offset', () => {
  const page = async (kind: string, query: Record<string, string | number | undefined>) =>
    (await ok<PlainStatusJson[]>(alice.get(paths.get(kind)!, query))).map(({ id }) => id);

  it.each(KINDS)('skips posts of the page: %s', async (kind) => {
    const all = DIRECT.includes(kind) ? direct : open;
    expect(await page(kind, { offset: 1, limit: 2 })).toEqual(all.slice(1, 3));
    expect(await page(kind, { offset: 1, limit: 2, max_id: all[1] })).toEqual(all.slice(3, 5));
    expect(await page(kind, { offset: 1, limit: 2, min_id: all[4] })).toEqual(all.slice(1, 3));
    expect(await page(kind, { offset: 1, limit: 2, since_id: all[2] })).toEqual(all.slice(1, 2));
  });

  it.each(KINDS)('beyond any list gives an empty page: %s', async (kind) => {
    for (const offset of [100, 1_000_000_000]) expect(await page(kind, { offset })).toEqual([]);
  });
});
