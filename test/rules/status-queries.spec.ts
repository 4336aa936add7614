import { useApp } from '../support/servers/app.js';
import { makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { countQueries } from '../support/queries.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

const PATH = '/api/v1/statuses';
/** Is sent only for a token that is not cached. */
const SESSION = 'oauth.resolve';

const app = useApp({ people: ['reader', 'alice', 'bob'] });
let reader: Client;

beforeEach(async () => {
  reader = await app.world.as('reader');
  await reader.get('/api/v1/accounts/verify_credentials').expect(200); // notes activity, which is not counted
});

/** The statements of a request without the one for the token, sorted, since those sent together have no order. */
async function statements(request: () => PromiseLike<{ status: number }>): Promise<string[]> {
  app.invalidateReads();
  const { result, statements: sent } = await countQueries(async () => request());
  expect(result.status).toBe(200);
  return sent.filter((name) => name !== SESSION).toSorted();
}

/** New posts of two authors that are not cached yet, some of them with mentions and tags. */
async function variedStatuses(count: number): Promise<string[]> {
  const ids = await makeStatuses(app, ['alice', 'bob'], count);
  await app.sql(`update statuses set flags = 24 where id = any($1::text[])`, [ids.filter((_, at) => at % 3 === 0)]);
  await app.sql(`insert into mentions (status_id, account_id) select id, $1 from statuses where flags = 24`, [
    app.world.id('reader'),
  ]);
  await app.sql(`insert into hashtags (name) values ('tea')`);
  await app.sql(`insert into status_hashtags select s.id, h.id from statuses s, hashtags h where s.flags = 24`);
  return ids;
}

describe('a page of statuses', () => {
  it.each([1, 20])(
    'of %i posts takes two statements besides its own, and at most two more with cold caches',
    async (count) => {
      const ids = await variedStatuses(count);
      const page = () => reader.get(PATH, { ids });
      const warm = ['accounts.counts', 'statuses.page_by_ids', 'statuses.viewer'];
      expect(await statements(page)).toEqual([...warm, 'accounts.by_ids', 'statuses.bodies'].toSorted());
      expect(await statements(page)).toEqual(warm);
      await app.sql('update statuses set version = version + 1');
      expect(await statements(page)).toEqual([...warm, 'statuses.bodies'].toSorted());
    },
  );

  it('takes no statement about an anonymous viewer', async () => {
    const ids = await variedStatuses(20);
    const page = () => app.world.anonymous.get(PATH, { ids });
    await page();
    expect(await statements(page)).toEqual(['accounts.counts', 'statuses.page_by_ids']);
  });

  it('shows an edit at once, since bodies are cached by the version that the page returns', async () => {
    const { id } = await post(app, 'alice', 'before');
    await reader.get(`${PATH}/${id}`).expect(200);
    await app.sql(`update statuses set content_html = 'after', version = version + 1 where id = $1`, [id]);
    expect((await reader.get(`${PATH}/${id}`).expect(200)).body).toMatchObject({ content: 'after' });
  });

  it.each([1, 20])('of %i favourites takes two statements besides its own', async (count) => {
    const ids = await variedStatuses(count);
    for (const id of ids) await reader.post(`${PATH}/${id}/favourite`).expect(200);
    expect(await statements(() => reader.get('/api/v1/favourites'))).toEqual([
      'accounts.counts',
      'favourites.of_account.older',
      'statuses.viewer',
    ]);
  });

  it.each([1, 20])('of %i replies in a context takes two statements besides its own', async (count) => {
    const [root, ...answers] = await variedStatuses(count + 1);
    await app.sql('update statuses set in_reply_to_id = $2 where id = any($1::text[])', [answers, root]);
    const context = () => reader.get(`${PATH}/${root!}/context`);
    await context();
    expect(await statements(context)).toEqual(['accounts.counts', 'statuses.thread', 'statuses.viewer']);
  });

  it.each([1, 20])('of %i quotes takes one more statement, for the quoted posts', async (count) => {
    const [root, ...quoting] = await variedStatuses(count + 1);
    await app.sql('update statuses set quote_of_id = $2 where id = any($1::text[])', [quoting, root]);
    const posts = () => reader.get(PATH, { ids: quoting });
    const quotes = () => reader.get(`/api/v1/svc/statuses/${root!}/quotes`);
    const shown = ['accounts.counts', 'statuses.quoted', 'statuses.viewer'];
    await posts();
    expect(await statements(posts)).toEqual([...shown, 'statuses.page_by_ids'].toSorted());
    expect(await statements(quotes)).toEqual([...shown, 'statuses.quotes_of.older', 'statuses.visible'].toSorted());
  });

  it('of a boost takes the same statements as the post', async () => {
    const { id } = await post(app, 'alice', 'tea @reader #tea');
    const boost = await reblog(app, 'bob', id);
    const show = (wanted: string) => statements(() => reader.get(`${PATH}/${wanted}`));
    expect(await show(boost.id)).toEqual(await show(id));
  });
});

describe('writing', () => {
  const SHOWN = ['accounts.counts', 'statuses.page_by_ids', 'statuses.viewer'];

  it('takes a fixed number of statements for a post with mentions and tags', async () => {
    const words = (people: string, tags: string) => ({ status: `tea ${people} ${tags}` });
    const send = (body: object) => statements(() => reader.post(PATH, { ...body }));
    await send(words('@alice', '#a'));
    const one = await send(words('@alice', '#a'));
    expect(one).toEqual(
      [
        ...['accounts.by_handles', 'oauth.app', 'users.posting_defaults'],
        ...['begin', 'statuses.insert', 'statuses.insert_mentions', 'statuses.tag'],
        ...['feed.own', 'account_stats.apply', 'status_totals.apply', 'jobs.insert', 'commit'],
        ...['accounts.counts', 'statuses.bodies', 'statuses.viewer'],
      ].toSorted(),
    );
    const many = Array.from({ length: 20 }, (_, at) => `#tag${at}`).join(' ');
    expect(await send(words('@alice @bob', many))).toEqual(one);
  });

  it('answers a plain post without reading it; a link adds three statements and three jobs', async () => {
    const send = (status: string) => statements(() => reader.post(PATH, { status }));
    await send('tea');
    const plain = await send('tea');
    expect(plain.filter((name) => name.startsWith('statuses.'))).toEqual(['statuses.insert']);
    await app.sql('delete from jobs');
    expect(await send('tea https://tea.example/')).toEqual(
      [...plain, 'cards.attach_new', 'statuses.bodies', 'statuses.viewer'].toSorted(),
    );
    const jobs = await app.sql<{ name: string }>('select name from jobs order by name');
    expect(jobs.map(({ name }) => name)).toEqual(['cards.fetch', 'federation.send-created', 'feeds.fan-out']);
  });

  it('takes a fixed number of statements for a favourite, fewer the second time', async () => {
    const [id] = await makeStatuses(app, 'alice', 1);
    await reader.get(`${PATH}/${id!}`).expect(200);
    const favour = () => statements(() => reader.post(`${PATH}/${id!}/favourite`));
    const again = ['statuses.visible', 'begin', 'favourites.insert', 'commit', ...SHOWN];
    expect(await favour()).toEqual([...again, 'status_stats.apply', 'jobs.insert'].toSorted()); // a job notifies the author
    expect(await favour()).toEqual(again.toSorted());
  });

  it('takes one statement in the federation job of a post, boost or edit without remote receivers', async () => {
    await makeFollows(app, app.world.id('bob'), app.world.id('alice'));
    const { id } = await post(app, 'alice', '@bob hello');
    const bob = await app.world.as('bob');
    const afterwards = async (change: () => Promise<unknown>) => {
      await app.drain();
      await change();
      await app.sql(`delete from jobs where name not like 'federation.send-%'`);
      const { statements: sent } = await countQueries(() => app.drain());
      return sent.filter((name) => /^(outbox|federation)\./.test(name));
    };
    const checked = ['outbox.has_receivers'];
    expect(await afterwards(() => ok(bob.post(PATH, { status: '@alice hi', in_reply_to_id: id })))).toEqual(checked);
    expect(await afterwards(() => reblog(app, 'bob', id))).toEqual(checked);
    expect(await afterwards(() => ok(bob.post(PATH, { status: 'psst @alice', visibility: 'direct' })))).toEqual(
      checked,
    );
    const alice = await app.world.as('alice');
    expect(await afterwards(() => ok(alice.put(`${PATH}/${id}`, { status: 'bye' })))).toEqual(checked);
    const { id: far } = await app.world.remote('far', 'far.test');
    await makeFollows(app, far, app.world.id('alice'));
    expect(await afterwards(() => post(app, 'alice', 'hello'))).toContain('outbox.insert');
  });
});
