import FakeTimers from '@sinonjs/fake-timers';
import { BlocksService, UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { firstFlakeAt } from '../../../src/platform/index.js';
import type { StatusJson } from '../../../src/statuses/index.js';
import { type TagJson, TagsService } from '../../../src/timelines/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const DAY_MS = 86_400_000;
const TRENDS = '/api/v1/trends';
const MEMBERS_ONLY = { error: 'authorization required for timeline view' };

const app = useApp({ people: ['reader', 'alice', 'bob', 'hermit'] });
let reader: Client;

beforeEach(async () => {
  await app.sql('update accounts set discoverable = nickname in ($1, $2)', ['alice', 'bob']);
  reader = await app.world.as('reader');
});

const id = (nickname: string) => app.world.id(nickname);
const like = async (nickname: string, statusId: string) =>
  ok((await app.world.as(nickname)).post(`/api/v1/statuses/${statusId}/favourite`));

describe('trending hashtags', () => {
  let clock: FakeTimers.Clock;
  beforeEach(() => void (clock = FakeTimers.install({ now: Date.now(), toFake: ['Date'] }))); // no new day begins during the test
  afterEach(() => clock.uninstall());

  const names = async (query = {}, client = reader) =>
    (await ok<TagJson[]>(client.get(`${TRENDS}/tags`, query))).map(({ name }) => name);

  it('lists the tags that most authors used in public posts, with their history', async () => {
    for (const author of ['alice', 'bob']) await post(app, author, '#tea');
    await post(app, 'alice', '#fog');
    await post(app, 'alice', '#fog again');
    await post(app, 'alice', '#rain');
    await post(app, 'alice', '#quiet', { visibility: 'unlisted' });
    await post(app, 'hermit', '#cave');
    expect(await names()).toEqual([]); // a job counts uses
    await app.get(TagsService).count();
    await ok(reader.post('/api/v1/tags/fog/follow'));
    const tags = await ok<TagJson[]>(reader.get(`${TRENDS}/tags`));
    expect(tags).toMatchObject([
      { name: 'tea', following: false },
      { name: 'fog', following: true },
      { name: 'rain', following: false },
    ]);
    expect(tags[0]!.history[0]).toMatchObject({ uses: '2', accounts: '2' });
    expect(await ok(reader.get(TRENDS))).toEqual(tags);
    for (const client of [reader, app.world.anonymous]) {
      expect(await names({ limit: 1, offset: 1 }, client)).toEqual(['fog']);
      expect(await names({ limit: 'x', offset: -1 }, client)).toEqual(['tea', 'fog', 'rain']);
    }
  });

  it('counts no posts of deactivated authors, until these are activated', async () => {
    for (const author of ['alice', 'bob', 'hermit']) await post(app, author, '#tea');
    const counted = async (change: string) => {
      await app.sql(`update accounts set deactivated_at = ${change} where id = any($1)`, [[id('bob'), id('hermit')]]);
      await app.get(TagsService).count();
      return (await ok<TagJson[]>(reader.get(`${TRENDS}/tags`)))[0]!.history[0];
    };
    expect(await counted('null')).toMatchObject({ uses: '3', accounts: '3' });
    expect(await counted('now()')).toMatchObject({ uses: '1', accounts: '1' });
    expect(await counted('null')).toMatchObject({ uses: '3', accounts: '3' });
  });

  it('omits tags that only hidden authors used', async () => {
    await post(app, 'alice', '#tea');
    await app.get(TagsService).count();
    const blocks = app.get(BlocksService);
    await blocks.mute(id('reader'), id('alice'));
    expect(await names()).toEqual([]);
    await blocks.unmute(id('reader'), id('alice'));
    await blocks.block(id('alice'), id('reader'));
    expect(await names()).toEqual([]);
    expect(await names({}, app.world.anonymous)).toEqual(['tea']);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('alice')]);
    expect(await names({}, app.world.anonymous)).toEqual([]);
  });
});

describe('trending posts', () => {
  const ids = async (query = {}, client = reader) =>
    (await ok<StatusJson[]>(client.get(`${TRENDS}/statuses`, query))).map((status) => status.id);

  it('lists public posts of discoverable authors by their newest favourites and boosts', async () => {
    const one = await post(app, 'alice', 'one');
    const two = await post(app, 'bob', 'two');
    const unlisted = await post(app, 'alice', 'quiet', { visibility: 'unlisted' });
    const shy = await post(app, 'hermit', 'shy');
    await post(app, 'alice', 'nobody likes this');
    for (const liked of [one, two, unlisted, shy]) await like('reader', liked.id);
    await reblog(app, 'hermit', one.id);
    const old = firstFlakeAt(Date.now() - 8 * DAY_MS);
    await app.sql(
      `insert into statuses (id, author_id, uri, visibility, content_html, content_text, local)
       values ($1, $2, 'https://svc.test/objects/old', 0, 'old', 'old', true)`,
      [old, id('alice')],
    );
    await app.sql('insert into favourites (account_id, status_id) values ($1, $2)', [id('reader'), old]);
    for (const client of [reader, app.world.anonymous]) {
      expect(await ids({}, client)).toEqual([one.id, two.id]);
      expect(await ids({ limit: 1, offset: 1 }, client)).toEqual([two.id]);
    }
    const [first] = await ok<StatusJson[]>(reader.get(`${TRENDS}/statuses`, { limit: 1 }));
    expect(first).toMatchObject({ favourited: true, favourites_count: 1, reblogs_count: 1 });
  });

  it('leaves out favourites and boosts that do not count', async () => {
    const [liked, boosted] = [await post(app, 'alice', 'liked'), await post(app, 'alice', 'boosted')];
    await like('hermit', liked.id);
    await reblog(app, 'hermit', boosted.id);
    const listed = async () => (await ok<StatusJson[]>(reader.get(`${TRENDS}/statuses`))).map((status) => status.id);
    expect((await listed()).sort()).toEqual([liked.id, boosted.id].sort());
    await app.get(UsersService).setActive(id('hermit'), false);
    await app.drain();
    expect(await listed()).toEqual([]);
  });

  it('hides posts of muted and blocking authors', async () => {
    const { id: statusId } = await post(app, 'alice', 'tea');
    await like('bob', statusId);
    const blocks = app.get(BlocksService);
    await blocks.mute(id('reader'), id('alice'));
    expect(await ids()).toEqual([]);
    await blocks.unmute(id('reader'), id('alice'));
    expect(await ids()).toEqual([statusId]);
    await blocks.block(id('alice'), id('reader'));
    expect(await ids()).toEqual([]);
    expect(await ids({}, app.world.anonymous)).toEqual([statusId]);
  });
});

describe('trends', () => {
  it('lists no links, since links are not counted', async () => {
    await reader.get(`${TRENDS}/links`).expect(200, []);
    await app.world.anonymous.get(`${TRENDS}/links`).expect(200, []);
  });

  it('requires a user when the public timeline does', async () => {
    const settings = app.get(SettingsService);
    await settings.update([{ path: 'restrict_unauthenticated.timelines', value: { local: false, federated: true } }]);
    for (const path of ['', '/tags', '/statuses']) {
      await app.world.anonymous.get(TRENDS + path).expect(401, MEMBERS_ONLY);
      await reader.get(TRENDS + path).expect(200);
    }
    await settings.reset('restrict_unauthenticated.timelines');
  });
});
