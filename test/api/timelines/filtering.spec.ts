import {
  type ReblogJson,
  ReblogShape,
  type ContextJson,
  type PlainStatusJson,
  PlainStatusShape,
} from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { picture } from '../../support/fixtures/media-files.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import { sendFile } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';

const PLACES = ['home', 'notifications', 'public', 'thread', 'account'];

const app = useApp({ people: ['reader', 'alice', 'bob'] });
let reader: Client;

beforeEach(async () => {
  await app.world.follow('reader', 'alice');
  await app.drain();
  reader = await app.world.as('reader');
});

const filter = (values: object = {}) =>
  ok<{ id: string }>(
    reader.post('/api/v2/filters', {
      title: 'Drinks',
      context: PLACES,
      keywords_attributes: [{ keyword: 'tea' }],
      ...values,
    }),
  );
const seen = (id: string, client = reader) => ok(client.get(`/api/v1/statuses/${id}`));
const ids = async (path: string, client = reader) =>
  (await ok<PlainStatusJson[]>(client.get(path))).map(({ id }) => id);

describe('a post that matches a filter', () => {
  it('names the filter and its matches to the owner of the filter only', async () => {
    const tea = await post(app, 'alice', 'Green TEA, or milk');
    const other = await post(app, 'alice', 'nothing in it');
    const { id } = await filter({
      context: ['home'],
      keywords_attributes: [{ keyword: 'tea' }, { keyword: 'milk' }, { keyword: 'coffee' }],
    });
    await ok(reader.post(`/api/v2/filters/${id}/statuses`, { status_id: other.id }));
    await filter({ title: 'Colours', keywords_attributes: [{ keyword: 'reen', whole_word: false }] });
    const body = await seen(tea.id);
    expect(checkShape(PlainStatusShape, body)).toEqual([]);
    expect(body.filtered).toMatchObject([
      {
        filter: { id, title: 'Drinks', context: ['home'], filter_action: 'warn', expires_at: null },
        keyword_matches: ['tea', 'milk'],
        status_matches: null,
      },
      { filter: { title: 'Colours' }, keyword_matches: ['reen'], status_matches: null },
    ]);
    expect((await seen(other.id)).filtered).toMatchObject([
      { filter: { id }, keyword_matches: null, status_matches: [other.id] },
    ]);
    expect((await seen(tea.id, await app.world.as('bob'))).filtered).toEqual([]);
    expect((await seen(tea.id, app.world.anonymous)).filtered).toEqual([]);
  });

  it.each([
    ['content warning', { status: 'x', spoiler_text: 'about tea' }],
    ['hashtags', { status: 'x #tea' }],
    ['text, ignoring markup', { status: '**t**ea', content_type: 'text/markdown' }],
    ['poll options', { status: 'x', poll: { options: ['milk', 'Tea'], expires_in: 600 } }],
  ])('is found by its %s', async (_, values) => {
    await filter();
    const { id } = await ok((await app.world.as('alice')).post('/api/v1/statuses', values));
    expect((await seen(id)).filtered).toHaveLength(1);
  });

  it('is found by its poll options until they change, also with a filter of the v1 API', async () => {
    await ok(reader.post('/api/v1/filters', { phrase: 'tea', context: PLACES }));
    const poll = { options: ['tea', 'milk'], expires_in: 600 };
    const { id } = await post(app, 'alice', 'x', { poll });
    const boost = await reblog(app, 'bob', id);
    expect((await seen(boost.id)).filtered).toMatchObject([{ keyword_matches: ['tea'] }]);
    expect(
      (
        await ok<{ statuses: PlainStatusJson[] }>(
          reader.get('/api/v2/search', { q: `${app.env.baseUrl}/notice/${id}` }),
        )
      ).statuses,
    ).toMatchObject([{ id, filtered: [{ keyword_matches: ['tea'] }] }]);
    const alice = await app.world.as('alice');
    await ok(alice.put(`/api/v1/statuses/${id}`, { poll: { ...poll, options: ['coffee', 'milk'] } }));
    expect((await seen(id)).filtered).toEqual([]);
  });

  it('is found by the description of a file', async () => {
    await filter();
    const media = (await sendFile(app, 'alice', await picture(), { description: 'A cup of tea' })).body as {
      id: string;
    };
    const { id } = await post(app, 'alice', 'x', { media_ids: [media.id] });
    expect((await seen(id)).filtered).toMatchObject([{ keyword_matches: ['tea'] }]);
  });

  it('is not found by its markup, link addresses or class names', async () => {
    await filter({ keywords_attributes: ['href', 'span', 'class', 'amp', 'p'].map((keyword) => ({ keyword })) });
    const { id } = await post(app, 'alice', 'you & me https://svc.test/x');
    expect((await seen(id)).filtered).toEqual([]);
  });

  it('marks its boosts as filtered too', async () => {
    await filter();
    const { id } = await post(app, 'bob', 'tea');
    const boost = await reblog(app, 'alice', id);
    const body = await ok<ReblogJson>(reader.get(`/api/v1/statuses/${boost.id}`));
    expect(checkShape(ReblogShape, body)).toEqual([]);
    expect(body.filtered).toHaveLength(1);
    expect(body.reblog.filtered).toEqual(body.filtered);
  });

  it('is never filtered for its own author', async () => {
    await filter({ filter_action: 'hide' });
    const own = await post(app, 'reader', 'my tea');
    expect((await seen(own.id)).filtered).toEqual([]);
    expect(await ids('/api/v1/timelines/home')).toEqual([own.id]);
  });

  it('follows changes, removal and expiry of filters at once', async () => {
    const { id: statusId } = await post(app, 'alice', 'tea');
    const judged = async () => (await seen(statusId)).filtered.length;
    const { id } = await filter({ keywords_attributes: [{ keyword: 'milk' }] });
    expect(await judged()).toBe(0);
    await ok(reader.post(`/api/v2/filters/${id}/keywords`, { keyword: 'tea' }));
    expect(await judged()).toBe(1);
    await app.sql(`update filters set expires_at = now() - interval '1 second'`);
    await app.sql(`update users set filters_version = filters_version + 1`);
    expect(await judged()).toBe(0);
    await ok(reader.put(`/api/v2/filters/${id}`, { expires_in: 3600 }));
    expect(await judged()).toBe(1);
    await ok(reader.delete(`/api/v2/filters/${id}`));
    expect(await judged()).toBe(0);
  });
});

describe('a filter with the action hide', () => {
  let hidden: string;
  let shown: string;

  /** Reads every place and returns the names of those that list the post. */
  async function placesOf(id: string): Promise<string[]> {
    const lists: Record<string, () => Promise<string[]>> = {
      home: () => ids('/api/v1/timelines/home'),
      public: () => ids('/api/v1/timelines/public'),
      account: () => ids(`/api/v1/accounts/${app.world.id('alice')}/statuses`),
      thread: async () => {
        const { descendants } = await ok<ContextJson>(reader.get(`/api/v1/statuses/${shown}/context`));
        return descendants.map((status) => status.id);
      },
      notifications: async () => {
        const notified = await ok<{ status: PlainStatusJson }[]>(reader.get('/api/v1/notifications'));
        return notified.map(({ status }) => status.id);
      },
      favourites: () => ids('/api/v1/favourites'),
    };
    const found = await Promise.all(
      Object.entries(lists).map(async ([place, read]) => ((await read()).includes(id) ? [place] : [])),
    );
    return found.flat().sort();
  }

  beforeEach(async () => {
    shown = (await post(app, 'alice', 'milk')).id;
    hidden = (await post(app, 'alice', '@reader tea', { in_reply_to_id: shown })).id;
    await reader.post(`/api/v1/statuses/${hidden}/favourite`).expect(200);
    await app.drain();
  });

  const EVERYWHERE = ['account', 'favourites', 'home', 'notifications', 'public', 'thread'];

  it.each(PLACES)('hides the post in its context %s only', async (place) => {
    expect(await placesOf(hidden)).toEqual(EVERYWHERE);
    await filter({ context: [place], filter_action: 'hide' });
    expect(await placesOf(hidden)).toEqual(EVERYWHERE.filter((name) => name !== place));
    expect((await seen(hidden)).filtered).toMatchObject([{ filter: { filter_action: 'hide' } }]);
    await reader.get(`/api/v1/statuses/${hidden}/context`).expect(200);
  });

  it('hides the post when it was made with the v1 API', async () => {
    await ok(reader.post('/api/v1/filters', { phrase: 'tea', context: PLACES, irreversible: true }));
    expect(await placesOf(hidden)).toEqual(['favourites']);
  });

  it('is needed to hide posts: filters that warn or blur hide none', async () => {
    await filter();
    await filter({ filter_action: 'blur' });
    expect(await placesOf(hidden)).toEqual(EVERYWHERE);
  });

  it('leaves a link to the next page on an empty page', async () => {
    await filter({ filter_action: 'hide' });
    const answer = await reader.get('/api/v1/timelines/home', { limit: 1 }).expect(200);
    expect(answer.body).toEqual([]);
    expect(answer.get('link')).toContain(`max_id=${hidden}`);
    expect(await ids(`/api/v1/timelines/home?limit=1&max_id=${hidden}`)).toEqual([shown]);
  });

  it('hides boosts and prevents notifications', async () => {
    await filter({ filter_action: 'hide' });
    const { id } = await post(app, 'bob', '@reader @alice tea again');
    const boost = await reblog(app, 'alice', id);
    await app.drain();
    expect(await ids('/api/v1/timelines/home')).not.toContain(boost.id);
    const notified = await app.sql<{ receiver_id: string }>(
      'select receiver_id from notifications where status_id = $1',
      [id],
    );
    expect(notified.map(({ receiver_id }) => receiver_id).sort()).toEqual(
      [app.world.id('alice'), app.world.id('bob')].sort(), // alice for the mention, bob for the boost
    );
  });

  it.each([
    ['warning', { spoiler_text: 'tea' }],
    ['poll', { poll: { options: ['tea', 'milk'], expires_in: 600 } }],
  ])('prevents the notification of a match in the %s only', async (_, values) => {
    await filter({ context: ['notifications'], filter_action: 'hide' });
    const { id } = await post(app, 'alice', '@reader @bob x', values);
    await app.drain();
    const notified = await app.sql<{ receiver_id: string }>(
      'select receiver_id from notifications where status_id = $1',
      [id],
    );
    expect(notified.map(({ receiver_id }) => receiver_id)).toEqual([app.world.id('bob')]);
  });

  it('prevents no notification when it does not apply to notifications', async () => {
    await filter({ context: ['home', 'public', 'thread', 'account'], filter_action: 'hide' });
    const { id } = await post(app, 'alice', '@reader tea');
    await app.drain();
    const notified = await ok<{ type: string; status: PlainStatusJson }[]>(reader.get('/api/v1/notifications'));
    expect(notified.map(({ type, status }) => [type, status.id])).toContainEqual(['mention', id]);
  });

  it('prevents no notification about the own post', async () => {
    await filter({ filter_action: 'hide' });
    const own = await post(app, 'reader', 'my tea');
    await (await app.world.as('bob')).post(`/api/v1/statuses/${own.id}/favourite`).expect(200);
    await app.drain();
    const notified = await ok<{ type: string }[]>(reader.get('/api/v1/notifications', { types: ['favourite'] }));
    expect(notified).toHaveLength(1);
  });
});

describe('filters cost', () => {
  const home = () => reader.get('/api/v1/timelines/home').expect(200);

  it('nothing without filters, and one statement after each change', async () => {
    await post(app, 'alice', 'tea');
    await app.drain();
    await home();
    const count = async () => (await countQueries(async () => home())).statements;
    const without = await count();
    expect(without).not.toContain('filters.books');
    await filter();
    expect(await count()).toEqual(expect.arrayContaining(['filters.books']));
    expect((await count()).toSorted()).toEqual(without.toSorted());
  });

  it('one pass over the text, even with hostile words', async () => {
    const hostile = [
      '(a+)+$',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '\\',
      '[',
      '.*',
      '💥'.repeat(250),
      ...Array.from({ length: 30 }, (_, n) => `${'a'.repeat(400 + n)}b`),
    ];
    await filter({ keywords_attributes: hostile.map((keyword) => ({ keyword, whole_word: false })) });
    const { id } = await post(app, 'alice', 'a'.repeat(5_000));
    expect((await seen(id)).filtered).toEqual([]);
    const { id: literal } = await post(app, 'alice', 'f(x)=(a+)+$');
    expect((await seen(literal)).filtered).toMatchObject([{ keyword_matches: ['(a+)+$'] }]);
  });
});
