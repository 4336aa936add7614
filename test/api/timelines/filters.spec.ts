import {
  type FilterJson,
  type FilterKeywordJson,
  FilterKeywordShape,
  FilterShape,
  type FilterStatusJson,
  FilterStatusShape,
  type FilterV1Json,
  FilterV1Shape,
} from '../../../src/timelines/index.js';
import { useApp } from '../../support/servers/app.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v2/filters';
const V1 = '/api/v1/filters';
const NOT_FOUND = { error: 'Record not found' };

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const make = (client: Client, values: object = {}) =>
  ok<FilterJson>(
    client.post(PATH, { title: 'Drinks', context: ['home'], keywords_attributes: [{ keyword: 'tea' }], ...values }),
  );
const times = (count: number, status: number) => Array.from({ length: count }, () => status);
const list = (client: Client) => ok<FilterJson[]>(client.get(PATH));
const inAnHour = (from: number) => [from + 3_595_000, from + 3_605_000] as const;

function expectIn([first, last]: readonly [number, number], moment: string | null): void {
  const at = Date.parse(moment ?? '');
  expect(at >= first && at <= last).toBe(true);
}

describe('a filter', () => {
  it('can be created with words, read, changed and removed', async () => {
    const made = await make(alice, { context: ['thread', 'home', 'home'], filter_action: 'hide', expires_in: '3600' });
    expect(checkShape(FilterShape, made)).toEqual([]);
    expect(made).toMatchObject({
      title: 'Drinks',
      context: ['home', 'thread'],
      filter_action: 'hide',
      keywords: [{ keyword: 'tea', whole_word: true }],
      statuses: [],
    });
    expectIn(inAnHour(Date.now()), made.expires_at);
    expect(await list(alice)).toEqual([made]);
    expect(await ok(alice.get(`${PATH}/${made.id}`))).toEqual(made);
    const word = made.keywords[0]!;
    const changed = await ok<FilterJson>(
      alice.put(`${PATH}/${made.id}`, {
        title: 'Hot',
        expires_in: '',
        keywords_attributes: [
          { id: word.id, whole_word: 'false' },
          { keyword: ' hot milk ', whole_word: true },
        ],
      }),
    );
    expect(changed).toMatchObject({ title: 'Hot', context: made.context, filter_action: 'hide', expires_at: null });
    expect(changed.keywords).toMatchObject([
      { id: word.id, keyword: 'tea', whole_word: false },
      { keyword: 'hot milk', whole_word: true },
    ]);
    const fewer = { keywords_attributes: [{ id: word.id, _destroy: 'true' }], context: ['public'] };
    expect(await ok(alice.put(`${PATH}/${made.id}`, fewer))).toMatchObject({
      context: ['public'],
      keywords: [{ keyword: 'hot milk' }],
    });
    expect(await ok(alice.delete(`${PATH}/${made.id}`))).toEqual({});
    await alice.get(`${PATH}/${made.id}`).expect(404, NOT_FOUND);
    expect(await list(alice)).toEqual([]);
    expect(await app.sql('select from filter_keywords')).toEqual([]);
  });

  it('accepts its words in every notation of form data', async () => {
    const { token } = alice;
    const send = (body: string) =>
      app.http.post(PATH).auth(token, { type: 'bearer' }).type('form').send(`title=a&context[]=home&${body}`);
    for (const body of [
      'keywords_attributes[0][keyword]=tea&keywords_attributes[0][whole_word]=false',
      'keywords_attributes[][keyword]=tea&keywords_attributes[][whole_word]=false',
    ]) {
      const { keywords } = await ok<FilterJson>(send(body));
      expect(keywords).toMatchObject([{ keyword: 'tea', whole_word: false }]);
    }
    const both =
      'keywords_attributes[][keyword]=tea&keywords_attributes[][whole_word]=0&keywords_attributes[][keyword]=milk';
    expect((await ok<FilterJson>(send(both))).keywords).toMatchObject([
      { keyword: 'tea', whole_word: false },
      { keyword: 'milk', whole_word: true },
    ]);
  });

  it('ignores a new word that is marked for removal', async () => {
    const keywords_attributes = [{ keyword: 'tea', _destroy: true }, { _destroy: '1' }, { keyword: 'milk' }];
    const made = await make(alice, { keywords_attributes });
    expect(made.keywords).toMatchObject([{ keyword: 'milk' }]);
    const changed = await ok<FilterJson>(
      alice.put(`${PATH}/${made.id}`, { keywords_attributes: keywords_attributes.slice(0, 2) }),
    );
    expect(changed.keywords).toEqual(made.keywords);
    const form = 'title=a&context[]=home&keywords_attributes[][keyword]=tea&keywords_attributes[][_destroy]=true';
    const answer = app.http.post(PATH).auth(alice.token, { type: 'bearer' }).type('form').send(form);
    expect((await ok<FilterJson>(answer)).keywords).toEqual([]);
  });

  it.each<[string, object, number]>([
    ['without a title', { title: undefined }, 400],
    ['with a blank title', { title: ' ' }, 422],
    ['without a context', { context: undefined }, 400],
    ['with no context', { context: [] }, 422],
    ['with an unknown context', { context: ['home', 'work'] }, 422],
    ['with an unknown action', { filter_action: 'burn' }, 400],
    ['with a word of blanks', { keywords_attributes: [{ keyword: ' \u3000' }] }, 422],
    ['with a missing word', { keywords_attributes: [{ whole_word: true }] }, 400],
    ['with a word of 10,000 characters', { keywords_attributes: [{ keyword: 'x'.repeat(10_000) }] }, 422],
    ['with 501 words', { keywords_attributes: Array.from({ length: 501 }, (_, n) => ({ keyword: `${n}` })) }, 422],
    [
      'with words of 20,480 characters',
      { keywords_attributes: Array.from({ length: 40 }, () => ({ keyword: 'x'.repeat(512) })) },
      422,
    ],
    ['with an expiry in a thousand years', { expires_in: 31_557_600_000 }, 422],
    ['with an expiry in the past', { expires_in: -1 }, 422],
  ])('%s is refused and not stored', async (_, values, status) => {
    const valid = { title: 'Drinks', context: ['home'], keywords_attributes: [{ keyword: 'tea' }] };
    const answer = await alice.post(PATH, { ...valid, ...values }).expect(status);
    expect(answer.body).toEqual({ error: expect.any(String) });
    expect(await list(alice)).toEqual([]);
  });

  it('is refused after a hundred others, also in concurrent requests', async () => {
    await app.sql(
      `insert into filters (account_id, title, contexts, action) select $1, 'x', '{home}', 'warn' from generate_series(1, 95)`,
      [app.world.id('alice')],
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => alice.post(PATH, { title: 'Drinks', context: ['home'] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...times(5, 200), ...times(15, 422)]);
    expect(await list(alice)).toHaveLength(100);
    await make(bob);
  });

  it('of another account returns 404', async () => {
    const { id, keywords } = await make(alice);
    const { id: statusId } = await post(app, 'alice', 'tea');
    const entry = await ok<FilterStatusJson>(alice.post(`${PATH}/${id}/statuses`, { status_id: statusId }));
    const own = await make(bob);
    const word = keywords[0]!.id;
    const before = await list(alice);
    for (const request of [
      bob.get(`${PATH}/${id}`),
      bob.put(`${PATH}/${id}`, { title: 'x' }),
      bob.delete(`${PATH}/${id}`),
      bob.get(`${PATH}/${id}/keywords`),
      bob.post(`${PATH}/${id}/keywords`, { keyword: 'x' }),
      bob.get(`${PATH}/keywords/${word}`),
      bob.put(`${PATH}/keywords/${word}`, { keyword: 'x' }),
      bob.delete(`${PATH}/keywords/${word}`),
      bob.get(`${PATH}/${id}/statuses`),
      bob.post(`${PATH}/${id}/statuses`, { status_id: statusId }),
      bob.get(`${PATH}/statuses/${entry.id}`),
      bob.delete(`${PATH}/statuses/${entry.id}`),
      bob.put(`${PATH}/${own.id}`, { keywords_attributes: [{ id: word, keyword: 'x' }] }),
      bob.put(`${PATH}/${own.id}`, { keywords_attributes: [{ id: word, _destroy: true }] }),
      bob.get(`${V1}/${word}`),
      bob.put(`${V1}/${word}`, { phrase: 'x', context: ['home'] }),
      bob.delete(`${V1}/${word}`),
    ]) {
      await request.expect(404, NOT_FOUND);
    }
    expect(await list(alice)).toEqual(before);
    expect(await list(bob)).toEqual([own]);
  });

  it('stays unchanged when one part of a change is refused', async () => {
    const made = await make(alice);
    await alice
      .put(`${PATH}/${made.id}`, {
        title: 'Hot',
        keywords_attributes: [{ keyword: 'milk' }, { id: '0', keyword: 'x' }],
      })
      .expect(404);
    expect(await list(alice)).toEqual([made]);
    await alice.put(`${PATH}/${made.id}`, { title: ' ' }).expect(422);
  });
});

describe('the words of a filter', () => {
  it('cannot be changed or removed through another filter', async () => {
    const [one, other] = [await make(alice), await make(alice)];
    const { id } = one.keywords[0]!;
    for (const change of [{ keyword: 'milk' }, { _destroy: true }]) {
      await alice.put(`${PATH}/${other.id}`, { keywords_attributes: [{ id, ...change }] }).expect(404);
    }
    expect(await list(alice)).toEqual([one, other]);
  });

  it('can be added, listed, changed and removed one by one', async () => {
    const { id, keywords } = await make(alice);
    const added = await ok<FilterKeywordJson>(alice.post(`${PATH}/${id}/keywords`, { keyword: 'milk', whole_word: 0 }));
    expect(checkShape(FilterKeywordShape, added)).toEqual([]);
    expect(added).toMatchObject({ keyword: 'milk', whole_word: false });
    expect(await ok(alice.get(`${PATH}/${id}/keywords`))).toEqual([...keywords, added]);
    const changed = { ...added, keyword: 'hot milk' };
    expect(await ok(alice.put(`${PATH}/keywords/${added.id}`, { keyword: 'hot milk' }))).toEqual(changed);
    expect(await ok(alice.get(`${PATH}/keywords/${added.id}`))).toEqual(changed);
    for (const keyword of [' ', '']) {
      await alice.put(`${PATH}/keywords/${added.id}`, { keyword }).expect(422);
      await alice.put(`${PATH}/${id}`, { keywords_attributes: [{ id: added.id, keyword }] }).expect(422);
    }
    expect(await ok(alice.get(`${PATH}/keywords/${added.id}`))).toEqual(changed);
    expect(await ok(alice.delete(`${PATH}/keywords/${added.id}`))).toEqual({});
    await alice.get(`${PATH}/keywords/${added.id}`).expect(404, NOT_FOUND);
    await alice.post(`${PATH}/${id}/keywords`).expect(400);
  });

  it('are limited by their normalized length, in which one character can become eighteen', async () => {
    const { id, keywords } = await make(alice);
    const add = (word: string) => alice.post(`${PATH}/${id}/keywords`, { keyword: word });
    for (const first of ['a', 'b']) await add(`${first}${'\uFDFA'.repeat(500)}`).expect(200);
    await add(`c${'\uFDFA'.repeat(500)}`).expect(422);
    await add(`c${'c'.repeat(500)}`).expect(200);
    expect((await list(alice))[0]!.keywords).toHaveLength(keywords.length + 3);
  });
});

describe('the posts of a filter', () => {
  it('can be added, listed and removed; a boost adds the boosted post', async () => {
    const { id } = await make(alice);
    const { id: statusId } = await post(app, 'bob', 'a post');
    const boost = await reblog(app, 'bob', statusId);
    const added = await ok<FilterStatusJson>(alice.post(`${PATH}/${id}/statuses`, { status_id: boost.id }));
    expect(checkShape(FilterStatusShape, added)).toEqual([]);
    expect(added.status_id).toBe(statusId);
    await alice.post(`${PATH}/${id}/statuses`, { status_id: statusId }).expect(422);
    await alice.post(`${PATH}/${id}/statuses`).expect(400);
    expect(await ok(alice.get(`${PATH}/${id}/statuses`))).toEqual([added]);
    expect(await ok(alice.get(`${PATH}/statuses/${added.id}`))).toEqual(added);
    expect((await list(alice))[0]!.statuses).toEqual([added]);
    expect(await ok(alice.delete(`${PATH}/statuses/${added.id}`))).toEqual({});
    await alice.get(`${PATH}/statuses/${added.id}`).expect(404, NOT_FOUND);
  });

  it('must be visible to the owner, and are stored once', async () => {
    const { id } = await make(alice);
    const hidden = await post(app, 'bob', 'for followers', { visibility: 'private' });
    await alice.post(`${PATH}/${id}/statuses`, { status_id: hidden.id }).expect(404, NOT_FOUND);
    const [statusId] = await makeStatuses(app, 'bob', 1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => alice.post(`${PATH}/${id}/statuses`, { status_id: statusId })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(19, 422)]);
    expect((await list(alice))[0]!.statuses).toHaveLength(1);
  });
});

describe('the v1 API', () => {
  const makeV1 = (values: object = {}) =>
    ok<FilterV1Json>(alice.post(V1, { phrase: 'tea', context: ['home', 'notifications'], ...values }));

  it('shows each word of a filter as a filter of its own', async () => {
    const first = await makeV1({ expires_in: 3600 });
    expect(checkShape(FilterV1Shape, first)).toEqual([]);
    expect(first).toMatchObject({
      phrase: 'tea',
      context: ['home', 'notifications'],
      whole_word: true,
      irreversible: false,
    });
    expectIn(inAnHour(Date.now()), first.expires_at);
    const [filter] = await list(alice);
    expect(filter).toMatchObject({
      title: 'tea',
      filter_action: 'warn',
      context: first.context,
      keywords: [{ id: first.id, keyword: 'tea' }],
    });
    await ok(alice.post(`${PATH}/${filter!.id}/keywords`, { keyword: 'milk', whole_word: false }));
    const both = await ok<FilterV1Json[]>(alice.get(V1));
    expect(both).toMatchObject([first, { phrase: 'milk', whole_word: false, context: first.context }]);
    expect(await ok(alice.get(`${V1}/${first.id}`))).toEqual(first);
  });

  it('matches whole words by default', async () => {
    for (const given of [{}, { whole_word: null }, { whole_word: '' }]) {
      expect(await makeV1(given)).toMatchObject({ whole_word: true });
      const { keywords } = await make(alice, { keywords_attributes: [{ keyword: 'tea', ...given }] });
      expect(keywords).toMatchObject([{ whole_word: true }]);
    }
  });

  it('changes a word, and its filter if that has no other words', async () => {
    const first = await makeV1({ irreversible: true, whole_word: false, expires_in: 60 });
    const put = (values: object) => alice.put(`${V1}/${first.id}`, { phrase: 'milk', context: ['home'], ...values });
    expect(await ok(put({ whole_word: true, expires_in: null }))).toEqual({
      id: first.id,
      phrase: 'milk',
      context: ['home'],
      whole_word: true,
      irreversible: true,
      expires_at: null,
    });
    expect(await ok(put({ irreversible: 'false', context: ['public', 'thread'] }))).toMatchObject({
      irreversible: false,
      context: ['public', 'thread'],
    });
    const [filter] = await list(alice);
    await ok(alice.post(`${PATH}/${filter!.id}/keywords`, { keyword: 'tea' }));
    const same = { phrase: 'hot milk', context: ['thread', 'public'] };
    expect(await ok(put(same))).toMatchObject({ phrase: 'hot milk' });
    expect(await ok(put({ ...same, irreversible: false }))).toMatchObject({ irreversible: false });
    await put({ ...same, context: ['home'] }).expect(422);
    await put({ ...same, irreversible: true }).expect(422);
    await put({ ...same, expires_in: 60 }).expect(422);
  });

  it('leaves an action that it does not know as it is', async () => {
    const { id } = await make(alice, { filter_action: 'blur' });
    const [word] = await ok<{ id: string }[]>(alice.get(V1));
    const values = { phrase: 'milk', context: ['home', 'public'], irreversible: false, expires_in: '' };
    await alice.put(`${V1}/${word!.id}`, values).expect(200);
    expect((await ok<FilterJson>(alice.get(`${PATH}/${id}`))).filter_action).toBe('blur');
  });

  it.each<[object, object]>([
    [{ phrase: 'x' }, { phrase: 'x' }],
    [{ context: ['thread'] }, { context: ['thread'] }],
    [{ irreversible: false }, { irreversible: false }],
    [{ whole_word: true }, { whole_word: true }],
    [{}, {}],
  ])('keeps the values that a change of a word leaves out: %j', async (change, changed) => {
    const first = await makeV1({ irreversible: true, whole_word: false, expires_in: 3600 });
    expect(await ok(alice.put(`${V1}/${first.id}`, change as Record<string, unknown>))).toEqual({
      ...first,
      ...changed,
    });
    await alice.put(`${V1}/${first.id}`, { phrase: ' ' }).expect(422);
    await alice.put(`${V1}/${first.id}`, { context: [] }).expect(422);
  });

  it('removes a word, and the filter with its last word', async () => {
    const first = await makeV1();
    const [filter] = await list(alice);
    const other = await ok<FilterKeywordJson>(alice.post(`${PATH}/${filter!.id}/keywords`, { keyword: 'milk' }));
    expect(await ok(alice.delete(`${V1}/${first.id}`))).toEqual({});
    expect(await list(alice)).toHaveLength(1);
    await ok(alice.delete(`${V1}/${other.id}`));
    expect(await list(alice)).toEqual([]);
    await alice.delete(`${V1}/${other.id}`).expect(404, NOT_FOUND);
  });

  it('keeps a filter that still has a post when its last word is removed', async () => {
    const first = await makeV1();
    const [filter] = await list(alice);
    const { id } = await post(app, 'bob', 'tea');
    await ok(alice.post(`${PATH}/${filter!.id}/statuses`, { status_id: id }));
    await ok(alice.delete(`${V1}/${first.id}`));
    expect(await list(alice)).toMatchObject([{ id: filter!.id, keywords: [], statuses: [{ status_id: id }] }]);
  });

  it.each<[string, object, number]>([
    ['without a phrase', { context: ['home'] }, 400],
    ['with a blank phrase', { phrase: ' ', context: ['home'] }, 422],
    ['without a context', { phrase: 'tea' }, 400],
    ['with an unknown context', { phrase: 'tea', context: ['x'] }, 422],
  ])('refuses a filter %s', async (_, values, status) => {
    await alice.post(V1, values as Record<string, unknown>).expect(status);
    expect(await list(alice)).toEqual([]);
  });
});

it('requires the scopes of filters', async () => {
  const reader = await app.world.as('alice', 'read:filters');
  const writer = await app.world.as('alice', 'write:filters');
  await reader.get(PATH).expect(200, []);
  await reader.post(PATH, { title: 'x', context: ['home'] }).expect(403);
  await writer.get(V1).expect(403);
  await writer.post(V1, { phrase: 'x', context: ['home'] }).expect(200);
  await app.world.anonymous.get(PATH).expect(401);
});
