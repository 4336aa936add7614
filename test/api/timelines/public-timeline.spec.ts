import { BlocksService } from '../../../src/accounts/index.js';
import { type StatusJson, StatusShape, Visibility } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/timelines/public';

const app = useApp({ people: ['reader', 'alice', 'bob', 'carol'] });
let reader: Client;

beforeEach(async () => {
  reader = await app.world.as('reader');
});

const page = (query = {}, client = reader) => ok<StatusJson[]>(client.get(PATH, query));
const texts = async (query = {}, client = reader) =>
  (await page(query, client)).map(({ content }) => content.replace(/<[^>]+>/g, ''));

/** Inserts a public post by a remote account. */
async function remoteStatus(nickname: string, text: string): Promise<void> {
  const [id] = await makeStatuses(app, nickname, 1);
  await app.sql(
    `update statuses s set local = false, content_html = $2, uri = a.ap_id || '/posts/' || s.id
     from accounts a where s.id = $1 and a.id = s.author_id`,
    [id, text],
  );
}

describe('the public timeline', () => {
  it('lists public posts of all accounts, newest first, without boosts', async () => {
    await app.world.remote('zoe', 'far.test');
    await post(app, 'alice', 'first');
    await remoteStatus('zoe@far.test', 'from afar');
    await post(app, 'bob', 'quiet', { visibility: 'unlisted' });
    await post(app, 'bob', 'for friends', { visibility: 'private' });
    await post(app, 'bob', '@reader a secret', { visibility: 'direct' });
    await post(app, 'bob', 'here only', { visibility: 'local' });
    const last = await post(app, 'bob', 'last');
    await reblog(app, 'carol', last.id);
    for (const client of [reader, app.world.anonymous]) {
      const statuses = await page({}, client);
      expect(statuses.map(({ content }) => content.replace(/<[^>]+>/g, ''))).toEqual(['last', 'from afar', 'first']);
      expect(statuses.flatMap((status) => checkShape(StatusShape, status))).toEqual([]);
    }
  });

  it('filters by local posts, which include those for local readers for signed-in viewers', async () => {
    await app.world.remote('zoe', 'far.test');
    await remoteStatus('zoe@far.test', 'from afar');
    await post(app, 'alice', 'open');
    await post(app, 'alice', 'here only', { visibility: 'local' });
    expect(await texts({ local: true })).toEqual(['here only', 'open']);
    expect(await texts({ local: true }, app.world.anonymous)).toEqual(['open']);
    expect(await texts({ remote: true })).toEqual(['from afar']);
    expect(await texts({ local: true, remote: true })).toEqual(['open', 'from afar']);
  });

  it.each([{ local: false }, { remote: false }, { local: false, remote: false }])(
    'is not filtered by a parameter that is false: %j',
    async (query) => {
      await app.world.remote('zoe', 'far.test');
      await remoteStatus('zoe@far.test', 'from afar');
      await post(app, 'alice', 'open');
      expect(await texts(query)).toEqual(['open', 'from afar']);
    },
  );

  it('filters by the posts of one server', async () => {
    await app.world.remote('zoe', 'far.test');
    await app.world.remote('yan', 'other.test');
    await remoteStatus('zoe@far.test', 'by zoe');
    await remoteStatus('yan@other.test', 'by yan');
    await post(app, 'alice', 'by alice');
    expect(await texts({ instance: 'far.test' })).toEqual(['by zoe']);
    expect(await texts({ instance: 'FAR.test' })).toEqual(['by zoe']);
    expect(await texts({ instance: 'svc.test' })).toEqual(['by alice']);
    expect(await texts({ instance: 'nobody.test' })).toEqual([]);
    expect(await texts({ instance: 'no host' })).toEqual([]);
    expect(await texts({ instance: '' })).toHaveLength(3);
  });

  it('hides blocked, muted and blocking accounts, and posts that mention hidden accounts', async () => {
    const blocks = app.get(BlocksService);
    await post(app, 'alice', 'by alice');
    await post(app, 'bob', 'by bob');
    await post(app, 'carol', 'to @alice');
    await post(app, 'reader', 'mine, to @alice');
    await blocks.mute(app.world.id('reader'), app.world.id('alice'), {});
    expect(await texts()).toEqual([expect.stringContaining('mine'), 'by bob']);
    expect(await texts({ with_muted: true })).toHaveLength(4);
    await blocks.block(app.world.id('reader'), app.world.id('alice'), {});
    await blocks.block(app.world.id('bob'), app.world.id('reader'), {});
    expect(await texts({ with_muted: true })).toEqual([expect.stringContaining('mine')]);
    await app.sql(`update blocks set expires_at = now() - interval '1 second'`);
    await app.sql('delete from mutes');
    expect(await texts()).toHaveLength(4);
  });

  it('hides muted threads and blocked domains, except for accounts followed there', async () => {
    await app.world.remote('zoe', 'far.test');
    await app.world.remote('yan', 'far.test');
    await remoteStatus('zoe@far.test', 'by zoe');
    await remoteStatus('yan@far.test', 'by yan');
    const { svc } = await post(app, 'alice', 'by alice');
    await app.sql(`insert into domain_blocks (account_id, domain) values ($1, 'far.test')`, [app.world.id('reader')]);
    await app.sql('insert into follows (follower_id, followee_id) values ($1, $2)', [
      app.world.id('reader'),
      app.world.id('yan@far.test'),
    ]);
    expect(await texts()).toEqual(['by alice', 'by yan']);
    await app.sql('insert into thread_mutes (account_id, conversation_id) values ($1, $2)', [
      app.world.id('reader'),
      svc.conversation_id,
    ]);
    expect(await texts()).toEqual(['by yan']);
    expect(await texts({}, app.world.anonymous)).toHaveLength(3);
  });

  it('filters replies by the account that they answer', async () => {
    await app.world.follow('reader', 'bob');
    const byBob = await post(app, 'bob', 'root');
    const byCarol = await post(app, 'carol', 'other root');
    await post(app, 'alice', 'to bob', { in_reply_to_id: byBob.id });
    await post(app, 'alice', 'to carol', { in_reply_to_id: byCarol.id });
    await post(app, 'bob', 'to carol, says @bob', { in_reply_to_id: byCarol.id });
    await post(app, 'reader', 'mine to carol', { in_reply_to_id: byCarol.id });
    expect(await texts()).toHaveLength(6);
    expect(await texts({ reply_visibility: 'following' })).toEqual(['mine to carol', 'to bob', 'other root', 'root']);
    expect(await texts({ reply_visibility: 'self' })).toEqual(['mine to carol', 'other root', 'root']);
    expect(await texts({ exclude_visibilities: ['public'] })).toEqual([]);
  });

  it('V15 hides posts of deactivated authors', async () => {
    await post(app, 'alice', 'by alice');
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('alice')]);
    for (const client of [reader, app.world.anonymous]) expect(await texts({}, client)).toEqual([]);
  });

  it('searches at most 10,000 posts for rare matches', async () => {
    await app.world.remote('zoe', 'far.test');
    await remoteStatus('zoe@far.test', 'by zoe');
    const [oldest] = await makeStatuses(app, 'alice', 10_000);
    expect(await texts({ remote: true })).toEqual([]);
    expect(await texts({ remote: true, max_id: oldest })).toEqual(['by zoe']);
    expect(await texts({ instance: 'far.test' })).toEqual(['by zoe']);
    await app.sql('delete from statuses where id = $1', [oldest]);
    expect(await texts({ remote: true })).toEqual(['by zoe']);
  });

  it('finds posts of a server by the domain of its accounts, on any host', async () => {
    await app.world.remote('zoe', 'far.test');
    await app.world.remote('ada', 'far.test');
    await app.world.remote('eve', 'near.test');
    await app.sql(`update accounts set ap_id = 'https://social.far.test/' || id where nickname in ('ada', 'eve')`);
    await remoteStatus('zoe@far.test', 'by zoe');
    await remoteStatus('ada@far.test', 'by ada');
    await remoteStatus('eve@near.test', 'by eve');
    expect(await texts({ instance: 'far.test' })).toEqual(['by ada', 'by zoe']);
    expect(await texts({ instance: 'near.test' })).toEqual(['by eve']);
  });

  it('is empty for posts of one server that are requested as local or remote and are not', async () => {
    await app.world.remote('zoe', 'far.test');
    await remoteStatus('zoe@far.test', 'by zoe');
    await post(app, 'alice', 'by alice');
    await post(app, 'alice', 'here only', { visibility: 'local' });
    expect(await texts({ instance: 'far.test', local: true })).toEqual([]);
    expect(await texts({ instance: 'far.test', remote: true })).toEqual(['by zoe']);
    expect(await texts({ instance: 'svc.test', remote: true })).toEqual([]);
    expect(await texts({ instance: 'svc.test', local: true })).toEqual(['here only', 'by alice']);
    expect(await texts({ instance: 'svc.test' })).toEqual(['by alice']);
  });

  it('pages in both directions', async () => {
    const posts = await makeStatuses(app, ['alice', 'bob'], 45);
    await makeStatuses(app, 'carol', 3, { visibility: Visibility.private });
    const walk = async (rel: 'next' | 'prev', query: object) => {
      const pages: string[][] = [];
      for (let path = PATH, values: object = query; ; values = {}) {
        const answer = await reader.get(path, { ...values }).expect(200);
        const statuses = answer.body as StatusJson[];
        if (statuses.length === 0) return pages;
        pages.push(statuses.map(({ id }) => id));
        path = new RegExp(`<https://svc\\.test([^>]+)>; rel="${rel}"`).exec(answer.get('link') ?? '')![1]!;
      }
    };
    const newestFirst = [...posts].reverse();
    expect((await walk('next', { limit: 20 })).map(({ length }) => length)).toEqual([20, 20, 5]);
    expect((await walk('next', { limit: 20 })).flat()).toEqual(newestFirst);
    const upwards = await walk('prev', { limit: 20, min_id: posts[4] });
    expect(upwards.map(({ length }) => length)).toEqual([20, 20]);
    expect(upwards.reverse().flat()).toEqual(newestFirst.slice(0, 40));
  });
});

describe('F22 pages of long posts', () => {
  const COUNT = 40;
  const linkIn = (header = '', rel: string) => new RegExp(`<([^>]*)>; rel="${rel}"`).exec(header)?.[1];

  /** The ids of all pages from a path on, each page as the API answers it. */
  async function walk(path: string, rel: 'next' | 'prev'): Promise<string[][]> {
    const pages: string[][] = [];
    for (let url: string | undefined = path; url !== undefined && pages.length <= COUNT;) {
      const { body, headers, text } = await reader.get(url).expect(200);
      const ids = (body as StatusJson[]).map(({ id }) => id);
      expect(text.length).toBeLessThan(1_100_000);
      if (ids.length === 0) break;
      pages.push(ids);
      const link: string | undefined = linkIn(headers['link'], rel);
      url = link?.slice(new URL(link).origin.length);
    }
    return pages;
  }

  it('have fewer rows, and Link headers that lead to all of them in both directions', async () => {
    await app.world.remote('zoe', 'far.test');
    const ids = await makeStatuses(app, 'zoe@far.test', COUNT);
    await app.sql(`update statuses set content_html = repeat('&amp;', 40000) where id = any($1)`, [ids]);
    const newestFirst = [...ids].sort().reverse();
    const down = await walk(`${PATH}?limit=40`, 'next');
    expect(down.length).toBeGreaterThan(1);
    expect(down.flat()).toEqual(newestFirst);
    const up = await walk(`${PATH}?limit=40&min_id=${newestFirst.at(-1) ?? ''}`, 'prev');
    expect(up.length).toBeGreaterThan(1);
    expect(up.reverse().flat()).toEqual(newestFirst.slice(0, -1));
  });
});
