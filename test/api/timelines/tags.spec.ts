import FakeTimers from '@sinonjs/fake-timers';
import { BlocksService } from '../../../src/accounts/index.js';
import { type StatusJson, StatusShape } from '../../../src/statuses/index.js';
import { type TagJson, TagShape, TagsService } from '../../../src/timelines/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { holding, waitersOf } from '../../support/locks.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ people: ['reader', 'alice', 'bob'] });
let reader: Client;

beforeEach(async () => {
  reader = await app.world.as('reader');
});

const id = (nickname: string) => app.world.id(nickname);
const plain = ({ content }: StatusJson) => content.replace(/<[^>]+>/g, '');

describe('the timeline of a tag', () => {
  const page = (name: string, query = {}, client = reader) =>
    ok<StatusJson[]>(client.get(`/api/v1/timelines/tag/${encodeURIComponent(name)}`, query));
  const texts = async (name: string, query = {}, client = reader) => (await page(name, query, client)).map(plain);

  it('lists public posts with the tag, newest first', async () => {
    await post(app, 'alice', 'first #Tea');
    await post(app, 'bob', 'quiet #tea', { visibility: 'unlisted' });
    await post(app, 'bob', 'for friends #tea', { visibility: 'private' });
    await post(app, 'bob', 'here #tea', { visibility: 'local' });
    await post(app, 'bob', '@reader secret #tea', { visibility: 'direct' });
    await post(app, 'bob', 'coffee');
    const last = await post(app, 'bob', 'last #TEA #tea');
    await reblog(app, 'alice', last.id);
    for (const client of [reader, app.world.anonymous]) {
      for (const name of ['tea', 'TEA', '#tea']) {
        expect(await texts(name, {}, client)).toEqual(['last #TEA #tea', 'first #Tea']);
      }
    }
    expect((await page('tea')).flatMap((status) => checkShape(StatusShape, status))).toEqual([]);
    expect(await texts('nobody')).toEqual([]);
    expect(await texts('日本')).toEqual([]);
  });

  it('combines tags with any, all and none', async () => {
    await post(app, 'alice', '#tea');
    await post(app, 'alice', '#fog');
    await post(app, 'alice', '#tea #fog');
    await post(app, 'alice', '#tea #fog #rain');
    expect(await texts('tea', { any: ['Fog'] })).toEqual(['#tea #fog #rain', '#tea #fog', '#fog', '#tea']);
    expect(await texts('tea', { any: ['nobody', 'tea'] })).toHaveLength(3);
    expect(await texts('tea', { all: ['fog', '#FOG'] })).toEqual(['#tea #fog #rain', '#tea #fog']);
    expect(await texts('tea', { all: ['fog', 'nobody'] })).toEqual([]);
    expect(await texts('tea', { none: ['rain', 'nobody'] })).toEqual(['#tea #fog', '#tea']);
    expect(await texts('tea', { any: ['fog'], all: ['tea'], none: ['rain'], limit: 1 })).toEqual(['#tea #fog']);
    expect(await texts('nobody', { any: ['fog'] })).toHaveLength(3);
    await reader.get('/api/v1/timelines/tag/tea', { any: Array.from({ length: 11 }, (_, at) => `t${at}`) }).expect(422);
  });

  it('hides muted, blocking and deactivated authors, and filters by attachments, origin and visibility', async () => {
    await post(app, 'alice', '#tea');
    await app.get(BlocksService).mute(id('reader'), id('alice'));
    expect(await texts('tea')).toEqual([]);
    expect(await texts('tea', { with_muted: true })).toEqual(['#tea']);
    expect(await texts('tea', { with_muted: true, only_media: true })).toEqual([]);
    expect(await texts('tea', { with_muted: true, remote: true })).toEqual([]);
    expect(await texts('tea', { with_muted: true, exclude_visibilities: ['public'] })).toEqual([]);
    await app.get(BlocksService).block(id('alice'), id('reader'));
    expect(await texts('tea', { with_muted: true })).toEqual([]);
    expect(await texts('tea', {}, app.world.anonymous)).toEqual(['#tea']);
    await app.sql('update accounts set deactivated_at = now() where id = $1', [id('alice')]);
    expect(await texts('tea', {}, app.world.anonymous)).toEqual([]);
  });

  it('pages in both directions', async () => {
    const posts = await makeStatuses(app, ['alice', 'bob'], 45);
    await app.sql(`insert into hashtags (name) values ('tea'), ('fog')`);
    await app.sql(`insert into status_hashtags select p, h.id from unnest($1::text[]) p, hashtags h`, [posts]);
    const newestFirst = [...posts].reverse();
    const ids = async (query: object) => (await page('tea', { any: ['fog'], ...query })).map((status) => status.id);
    expect(await ids({})).toEqual(newestFirst.slice(0, 20));
    expect(await ids({ max_id: newestFirst[19] })).toEqual(newestFirst.slice(20, 40));
    expect(await ids({ min_id: newestFirst[40] })).toEqual(newestFirst.slice(20, 40));
    expect(await ids({ since_id: newestFirst[3] })).toEqual(newestFirst.slice(0, 3));
  });
});

describe('a tag', () => {
  const DAY = 86_400_000;
  const today = () => Math.floor(Date.now() / DAY) * DAY;
  let clock: FakeTimers.Clock | undefined;
  afterEach(() => clock?.uninstall());

  it('is linked to both posts that create it at the same time', async () => {
    await post(app, 'alice', 'known #tea');
    const written = await holding(app, async (holder) => {
      await holder.query(`insert into hashtags (name) values ('fog')`);
      const waiting = post(app, 'alice', 'both #tea #fog #new');
      await waitersOf(holder, 1);
      await holder.query('commit');
      return waiting;
    });
    expect(written.tags.map(({ name }) => name).sort()).toEqual(['fog', 'new', 'tea']);
  });

  it('is shown with its use on the last seven days', async () => {
    clock = FakeTimers.install({ now: Date.now(), toFake: ['Date'] }); // no new day begins during the test
    await post(app, 'alice', '#Tea');
    await post(app, 'alice', '#tea again');
    await post(app, 'bob', '#tea');
    await post(app, 'bob', '#tea #fog', { visibility: 'unlisted' });
    await post(app, 'bob', '#rain', { visibility: 'unlisted' });
    const gone = await post(app, 'bob', '#rain');
    const early = await post(app, 'bob', '#tea');
    await app.sql(`update statuses set created_at = created_at - interval '1 day' where id = $1`, [early.id]);
    await app.get(TagsService).count();
    const tag = await ok<TagJson>(reader.get('/api/v1/tags/tea'));
    expect(checkShape(TagShape, tag)).toEqual([]);
    const day = (ago: number, uses: number, accounts: number) => ({
      day: String((today() - ago * DAY) / 1_000),
      uses: String(uses),
      accounts: String(accounts),
    });
    const rest = [2, 3, 4, 5, 6].map((ago) => day(ago, 0, 0));
    expect(tag).toEqual({
      id: expect.stringMatching(/^\d+$/) as unknown,
      name: 'tea',
      url: 'https://svc.test/tag/tea',
      history: [day(0, 3, 2), day(1, 1, 1), ...rest],
      following: false,
      featuring: false,
    });
    const { history } = await ok<TagJson>(app.world.anonymous.get('/api/v1/tags/%23FOG'));
    expect(history).toEqual([0, 1, 2, 3, 4, 5, 6].map((ago) => day(ago, 0, 0)));
    const uses = async (name: string) => (await ok<TagJson>(reader.get(`/api/v1/tags/${name}`))).history[0]!.uses;
    expect(await uses('rain')).toBe('1');
    await (await app.world.as('bob')).delete(`/api/v1/statuses/${gone.id}`).expect(200);
    await app.get(TagsService).count();
    expect(await uses('rain')).toBe('0');
    await app.sql(`update hashtag_days set day = current_date - 7 where uses = 3`);
    await app.get(TagsService).countWeek();
    expect(await app.sql(`select from hashtag_days`)).toHaveLength(2);
    expect(await uses('tea')).toBe('3');
  });

  it('can be followed once and unfollowed, also before its first use', async () => {
    await post(app, 'alice', '#tea #fog #rain');
    const act = (name: string, verb: string) => ok<TagJson>(reader.post(`/api/v1/tags/${name}/${verb}`));
    const followed = async (query = {}, client = reader) =>
      (await ok<TagJson[]>(client.get('/api/v1/followed_tags', query))).map(({ name }) => name);
    const answers = await Promise.all(Array.from({ length: 20 }, () => reader.post('/api/v1/tags/Tea/follow')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await app.sql('select from followed_tags')).toHaveLength(1);
    expect(await act('fog', 'follow')).toMatchObject({ name: 'fog', following: true });
    expect(await followed()).toEqual(['fog', 'tea']);
    expect(await followed({ offset: 1 })).toEqual(['tea']);
    const link = (await reader.get('/api/v1/followed_tags', { limit: 1 })).get('link')!;
    const [, next] = /<https:\/\/svc\.test([^>]+)>; rel="next"/.exec(link)!;
    expect((await ok<TagJson[]>(reader.get(next!))).map(({ name }) => name)).toEqual(['tea']);
    expect(await followed({}, await app.world.as('alice'))).toEqual([]);
    expect(await act('tea', 'unfollow')).toMatchObject({ name: 'tea', following: false });
    expect(await act('tea', 'unfollow')).toMatchObject({ following: false });
    expect(await followed()).toEqual(['fog']);
    for (const [method, path] of [
      ['get', 'no%20body'],
      ['post', '123/unfollow'],
      ['post', 'no%20body/follow'],
      ['post', '123/follow'],
      ['post', `${'a'.repeat(129)}/follow`],
    ] as const) {
      await reader[method](`/api/v1/tags/${path}`).expect(404, { error: 'Hashtag not found' });
    }
    expect(await app.sql('select from hashtags')).toHaveLength(3);
    const first = await Promise.all(
      ['reader', 'alice'].map(async (name) => (await app.world.as(name)).post('/api/v1/tags/Snow/follow')),
    );
    expect(first.map(({ status }) => status)).toEqual([200, 200]);
    expect(await followed()).toEqual(['snow', 'fog']);
    expect(await app.sql('select from hashtags')).toHaveLength(4);
  });

  it('that is unused is shown without use, and can be followed', async () => {
    const unused = await ok<TagJson>(reader.get('/api/v1/tags/%23Nobody'));
    expect(checkShape(TagShape, unused)).toEqual([]);
    expect(unused).toMatchObject({ name: 'nobody', url: 'https://svc.test/tag/nobody', following: false });
    expect(unused.history.every(({ uses, accounts }) => uses === '0' && accounts === '0')).toBe(true);
    expect(await ok(app.world.anonymous.get('/api/v1/tags/nobody'))).toEqual(unused);
    expect(await ok(reader.post('/api/v1/tags/nobody/unfollow'))).toEqual(unused);
    expect(await app.sql(`select from hashtags where name = 'nobody'`)).toEqual([]);
    expect(await ok(reader.post('/api/v1/tags/nobody/follow'))).toEqual({
      ...unused,
      id: expect.stringMatching(/^[1-9]\d*$/) as unknown,
      following: true,
    });
    expect(await ok(reader.get('/api/v1/tags/nobody'))).toMatchObject({ name: 'nobody', following: true });
  });

  it('V4 looks unused to viewers who may see no post with it', async () => {
    await post(app, 'bob', '@alice #hush', { visibility: 'direct' });
    const shown = (client: Client, name: string) => ok<TagJson>(client.get(`/api/v1/tags/${name}`));
    for (const client of [app.world.anonymous, reader]) {
      const unused = await shown(client, 'never');
      const url = 'https://svc.test/tag/hush';
      expect(await shown(client, 'hush')).toEqual({ ...unused, name: 'hush', url });
    }
    expect((await reader.post('/api/v1/tags/hush/unfollow')).status).toBe(200);
  });

  it('cannot be followed by a user who follows two hundred others', async () => {
    await post(app, 'alice', '#tea');
    await app.sql(
      `with tags as (insert into hashtags (name) select 'tag' || n from generate_series(1, 199) n returning id)
       insert into followed_tags (account_id, hashtag_id) select $1, id from tags`,
      [id('reader')],
    );
    await app.sql(`insert into hashtags (name) values ('fog')`);
    await reader.post('/api/v1/tags/tea/follow').expect(200);
    await reader.post('/api/v1/tags/fog/follow').expect(422);
    await reader.post('/api/v1/tags/tea/follow').expect(200);
  });
});
