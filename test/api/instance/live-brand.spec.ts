import { SettingsService } from '../../../src/config/index.js';
import { AnnouncementsService } from '../../../src/instance/index.js';
import { BRAND_WORD } from '../../../src/platform/index.js';
import { makeChat } from '../../support/fixtures/chats.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import { upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { connectAs } from '../../support/servers/sockets.js';

/* The word for `svc` starts as COMPAT_BRAND, here acme, and is then a setting like any other. */

const CONFIG = '/api/v1/svc/admin/config';
const SETTING = 'instance.compat_brand';

const app = useApp({ once: [], env: { COMPAT_BRAND: 'acme' }, listening: true });
let readers: Readonly<Record<'alice' | 'bob' | 'root' | 'visitor', Client>>;
let ids: Readonly<Record<'post' | 'poll' | 'direct' | 'media' | 'bob' | 'chat', string>>;

beforeAll(async () => {
  const { world } = app;
  await world.persons('alice', 'bob');
  await world.person('root', { admin: true });
  const [alice, bob, root] = [await world.as('alice'), await world.as('bob'), await world.as('root', 'read', 'admin')];
  readers = { alice, bob, root, visitor: world.anonymous };
  await world.follow('alice', 'bob');
  ids = await plant();
});
beforeEach(() => app.get(SettingsService).reset(SETTING));

/** One of everything that carries the brand. */
async function plant(): Promise<typeof ids> {
  const { id: media } = await upload(app, 'bob');
  const { poll } = await post(app, 'bob', 'tea?', { poll: { options: ['yes', 'no'], expires_in: 3_600 } });
  const { id } = await post(app, 'bob', 'a picture', { media_ids: [media] });
  await post(app, 'bob', 'quoting', { quoted_status_id: id });
  await reblog(app, 'bob', id);
  const { id: direct } = await post(app, 'bob', '@alice psst', { visibility: 'direct' });
  const { id: mine } = await post(app, 'alice', 'mine');
  await ok(readers.bob.put(`/api/v1/svc/statuses/${mine}/reactions/🍵`));
  await ok(readers.alice.post('/api/v1/markers', { notifications: { last_read_id: '1' } }));
  await app.get(AnnouncementsService).create({ content: 'tea at five' });
  const { chat } = await makeChat(app, 'alice', 'bob');
  await app.drain();
  return { post: id, poll: poll!.id, direct, media, bob: app.world.id('bob'), chat };
}

/** A change of the setting through the API. */
const change = (value: unknown, group = ':svc') =>
  readers.root.post(CONFIG, { configs: [{ group, key: ':instance', value: [{ tuple: [':compat_brand', value] }] }] });

/** An answer as it is under another brand, without the tokens of chats, which differ each time. */
function under(brand: string, answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => (key === 'chat_token' ? undefined : value));
  const name = brand.charAt(0).toUpperCase() + brand.slice(1);
  return JSON.parse(text.replaceAll('acme', brand).replaceAll('Acme', name));
}

describe('a change of the brand', () => {
  it.each<readonly [what: string, reader: keyof typeof readers, path: (known: typeof ids) => string]>([
    ['a post', 'visitor', ({ post: id }) => `/api/v1/statuses/${id}`],
    ['a timeline with a poll, a picture, a quote and a boost', 'alice', () => '/api/v1/timelines/home'],
    ['a timeline for visitors', 'visitor', () => '/api/v1/timelines/public'],
    ['posts of an account', 'alice', ({ bob }) => `/api/v1/accounts/${bob}/statuses`],
    ['an account', 'visitor', ({ bob }) => `/api/v1/accounts/${bob}`],
    ['the own account', 'alice', () => '/api/v1/accounts/verify_credentials'],
    ['a file', 'bob', ({ media }) => `/api/v1/media/${media}`],
    ['a poll', 'alice', ({ poll }) => `/api/v1/polls/${poll}`],
    ['notifications', 'alice', () => '/api/v1/notifications'],
    ['groups of notifications', 'alice', () => '/api/v2/notifications'],
    ['markers', 'alice', () => '/api/v1/markers?timeline[]=notifications'],
    ['conversations', 'alice', () => '/api/v1/conversations'],
    ['chats', 'alice', () => '/api/v1/svc/chats'],
    ['announcements', 'alice', () => '/api/v1/announcements'],
    ['the instance', 'visitor', () => '/api/v1/instance'],
    ['the newer instance', 'visitor', () => '/api/v2/instance'],
    ['NodeInfo', 'visitor', () => '/nodeinfo/2.1.json'],
    ['OpenAPI', 'visitor', () => '/api/openapi'],
    ['the reference', 'visitor', () => '/api/docs'],
    ['a page for visitors', 'visitor', ({ post: id }) => `/notice/${id}`],
    ['groups of settings', 'root', () => `${CONFIG}/descriptions`],
    ['credentials of a user', 'root', () => '/api/v1/svc/admin/users/bob/credentials'],
  ])('takes effect at once, whatever is cached, in %s', async (_, reader, path) => {
    const read = async () => {
      const { text, type } = await readers[reader].get(path(ids)).expect(200);
      return type === 'application/json' ? (JSON.parse(text) as unknown) : text;
    };
    await read();
    const before = await read();
    expect(JSON.stringify(before)).toContain('acme');
    for (const brand of ['other', 'third']) {
      await change(brand).expect(200);
      const now = await read();
      expect(JSON.stringify(now)).not.toContain('acme');
      expect(under('acme', now)).toEqual(under(brand, before));
    }
  });
});

describe('under the new brand', () => {
  it('paths and parameters work at once like the neutral ones, and those of the old brand end', async () => {
    const statusOf = async (brand: string) => (await app.http.get(`/api/v1/${brand}/healthcheck`)).status;
    const typesOf = async (type: string) =>
      (await ok<{ type: string }[]>(readers.alice.get('/api/v1/notifications', { include_types: [type] }))).map(
        ({ type: shown }) => shown,
      );
    await change('other').expect(200);
    expect([await statusOf('other'), await statusOf('svc'), await statusOf('acme')]).toEqual([200, 200, 404]);
    for (const type of ['other:emoji_reaction', 'svc:emoji_reaction'])
      expect(await typesOf(type)).toEqual(['other:emoji_reaction']);
    const settings = { fe: { wide: true } };
    const own = await ok<Record<string, unknown>>(
      readers.bob.patch('/api/v1/accounts/update_credentials', { other_settings_store: settings }),
    );
    expect(own['other']).toMatchObject({ settings_store: settings });
  });

  it('streams have its names', async () => {
    const user = await connectAs(app, 'alice', { stream: 'user' });
    await change('other').expect(200);
    const chats = await connectAs(app, 'alice', { stream: 'user:other_chat' });
    await ok(readers.alice.post(`/api/v1/other/chats/${ids.chat}/messages`, { content: 'tea?' }));
    for (const socket of [user, chats]) {
      expect(await socket.next()).toMatchObject({ event: 'other:chat_update' });
    }
    chats.send({ type: 'subscribe', stream: 'public' });
    expect(await chats.next()).toMatchObject({ event: 'other:respond' });
    await Promise.all([user, chats].map((socket) => socket.close()));
  });

  it('conversations of posts are numbers unless the brand is the neutral one (ADR 20)', async () => {
    const conversations = async (brand: string) => {
      await change(brand).expect(200);
      const shown = await ok<Record<string, object>>(readers.alice.get(`/api/v1/statuses/${ids.direct}`));
      const { conversation_id: thread, direct_conversation_id: direct } = shown[brand] as Record<string, unknown>;
      return [thread, direct];
    };
    const numbers = await conversations('other');
    expect(numbers).toEqual([expect.any(Number), expect.any(Number)]);
    expect(await conversations('svc')).toEqual(numbers.map(String));
  });

  it('the configuration and the answer to the change use its names', async () => {
    const value = expect.arrayContaining([{ tuple: [':compat_brand', 'other'] }]) as unknown;
    const expected = { configs: [{ group: ':other', key: ':instance', value, db: [':compat_brand'] }] };
    expect((await change('other', ':acme').expect(200)).body).toMatchObject({ ...expected, need_reboot: false });
    expect(await ok(readers.root.get(CONFIG, { only_db: true }))).toMatchObject(expected);
    const configs = [{ group: ':other', key: ':instance', delete: true, subkeys: [':compat_brand'] }];
    await readers.root.post(CONFIG, { configs }).expect(200);
    expect(Object.keys(await ok(readers.alice.get('/api/v1/instance')))).toContain('acme');
  });
});

it.each([
  ['Word'],
  ['w'],
  ['two words'],
  ['a/b'],
  ['a.b'],
  ['1st'],
  ['é'],
  ['a'.repeat(32)],
  [''],
  [7],
  [null],
  [':svc'],
  ['v1'],
])('refuses %j as a brand and keeps the former brand', async (value) => {
  await change('other').expect(200);
  const { body } = await change(value).expect(400);
  expect(body).toMatchObject({
    errors: { [SETTING]: `must be ${BRAND_WORD.words}` },
  });
  expect(Object.keys(await ok(readers.alice.get('/api/v1/instance')))).toContain('other');
});

it('the brand of the environment applies until another is set, and is the default', async () => {
  const report = () =>
    app
      .get(SettingsService)
      .dump()
      .find(({ path }) => path === SETTING);
  expect(report()).toEqual({ path: SETTING, value: 'acme', default: 'acme', stored: false });
  await change('svc').expect(200);
  expect(report()).toEqual({ path: SETTING, value: 'svc', default: 'acme', stored: true });
  const fixed = await startApp({ COMPAT_BRAND: 'acme', CONFIG_FROM_DATABASE: 'false' });
  expect(Object.keys(await ok(fixed.http.get('/api/v1/instance')))).toContain('acme');
  await fixed.close();
});
