import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BlocksService } from '../../src/accounts/index.js';
import type { ResultsJson } from '../../src/search/index.js';
import { canSee, type ContextJson, maySee, Visibility, type VisibilityName } from '../../src/statuses/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { makePosts } from '../support/factories.js';
import { ok } from '../support/statuses.js';
import type { Client } from '../support/world.js';

/*
 * Who may read what (threats V1, V2, V3, V10, V15): every kind of viewer against every visibility, first in the one rule
 * itself, as SQL and in memory, then through every surface of posts. The table below is written down, not computed.
 */

const VIEWERS = ['anonymous', 'stranger', 'requester', 'follower', 'addressed', 'author', 'blocked'] as const;
type ViewerName = (typeof VIEWERS)[number];

const EVERYBODY = VIEWERS;
const SIGNED_IN = VIEWERS.filter((viewer) => viewer !== 'anonymous');
const READERS: Record<VisibilityName, readonly ViewerName[]> = {
  public: EVERYBODY,
  unlisted: EVERYBODY,
  local: SIGNED_IN,
  private: ['follower', 'addressed', 'author'],
  direct: ['addressed', 'author'],
  list: ['addressed', 'author'],
};
const NAMES = Object.keys(READERS) as VisibilityName[];
const UNKNOWN = 'AAAAAAAAAAAAAAAAAA';

let app: TestApp;
let root: string;
/** The post of each visibility, its author's public answer to it, and a boost of it that slipped in. */
const posts = new Map<VisibilityName, Subject>();

beforeAll(async () => {
  app = await startApp();
  await app.world.persons('author', 'stranger', 'requester', 'follower', 'addressed', 'blocked', 'booster', 'host');
  await app.sql('update accounts set hide_favorites = false'); // unless told otherwise, they are hidden
  await app.world.follow('follower', 'author');
  await app.world.follow('blocked', 'author');
  await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [
    app.world.id('requester'),
    app.world.id('author'),
  ]);
  await app.get(BlocksService).block(app.world.id('author'), app.world.id('blocked'), {});
  [root] = (await makePosts(app, 'host', 1)) as [string];
  for (const visibility of NAMES) posts.set(visibility, await plant(visibility));
});
afterAll(() => app.close());

async function plant(visibility: VisibilityName): Promise<Subject> {
  const [id, answer] = (await makePosts(app, 'author', 2, { text: 'secret' })) as [string, string];
  const [boost] = (await makePosts(app, 'booster', 1, { text: '' })) as [string];
  const parentOf = 'update statuses set in_reply_to_id = $2, in_reply_to_account_id = $3 where id = $1';
  await app.sql('update statuses set visibility = $2, flags = 8 where id = $1', [id, Visibility[visibility]]);
  await app.sql(parentOf, [id, root, app.world.id('host')]);
  await app.sql(parentOf, [answer, id, app.world.id('author')]);
  await app.sql('insert into mentions (status_id, account_id) values ($1, $2)', [id, app.world.id('addressed')]);
  await app.sql('update statuses set reblog_of_id = $2 where id = $1', [boost, id]);
  await app.sql(`insert into favourites (account_id, status_id) select account_id, $1 from users`, [id]);
  await app.sql('update status_stats set favourites = (select count(*) from users) where status_id = $1', [id]);
  await app.sql(`insert into bookmarks (account_id, status_id) select account_id, $1 from users`, [id]);
  await app.sql(`insert into pins (status_id, account_id) values ($1, $2)`, [id, app.world.id('author')]);
  await app.sql('update statuses set flags = flags | 2 where id = $1', [id]);
  const [quoting] = (await makePosts(app, 'host', 1)) as [string];
  await app.sql('update statuses set quote_of_id = $2 where id = $1', [quoting, id]);
  const [inner] = (await makePosts(app, 'author', 1)) as [string];
  await app.sql('update statuses set visibility = $2, flags = 8, quote_of_id = $3 where id = $1', [
    inner,
    Visibility[visibility],
    root,
  ]);
  await app.sql('insert into mentions (status_id, account_id) values ($1, $2)', [inner, app.world.id('addressed')]);
  const [poll] = await app.sql<{ id: string }>(
    `with made as (
       insert into polls (status_id, expires_at, multiple) values ($1, now() + interval '1 day', true) returning id),
     options as (insert into poll_options (poll_id, position, title) select id, n, n from made, generate_series(0, 1) n)
     select id from made`,
    [id],
  );
  await app.sql(
    `insert into status_edits (status_id, content_html, spoiler, sensitive, created_at) values ($1, 'secret', '', false, now())`,
    [id],
  );
  return { id, answer, boost, quoting, inner, poll: poll!.id };
}

const clientOf = async (viewer: ViewerName): Promise<Client> =>
  viewer === 'anonymous' ? app.world.anonymous : app.world.as(viewer);
const idOf = (viewer: ViewerName) => (viewer === 'anonymous' ? undefined : app.world.id(viewer));

describe('the rule', () => {
  it.each([false, true])(
    'is one and the same in SQL, in memory and in the table; author deactivated: %s',
    async (gone) => {
      const authorId = app.world.id('author');
      await app.sql('update accounts set deactivated_at = case when $2 then now() end where id = $1', [authorId, gone]);
      let compared = 0;
      for (const viewer of VIEWERS) {
        const accountId = idOf(viewer);
        const rows = await app.sql<{ id: string; seen: boolean }>(
          `select s.id, ${maySee('s')} as seen from statuses s where s.id = any($2::text[])`,
          [accountId ?? '', [...posts.values()].map(({ id }) => id)],
        );
        const bySql = new Map(rows.map(({ id, seen }) => [id, seen]));
        const ids = (found: readonly { id: string }[]) => new Set(found.map(({ id }) => id));
        const viewpoint = {
          accountId,
          follows: ids(
            await app.sql(`select followee_id as id from follows where follower_id = $1 and state = 1`, [accountId]),
          ),
          addressedBy: ids(await app.sql(`select status_id as id from mentions where account_id = $1`, [accountId])),
        };
        for (const [visibility, { id }] of posts) {
          const status = { id, authorId, visibility: Visibility[visibility], authorDeactivated: gone };
          const expected = !gone && READERS[visibility].includes(viewer);
          expect({ viewer, visibility, sql: bySql.get(id), memory: canSee(viewpoint, status) }).toEqual({
            viewer,
            visibility,
            sql: expected,
            memory: expected,
          });
          compared += 1;
        }
      }
      expect(compared).toBe(VIEWERS.length * NAMES.length);
      await app.sql('update accounts set deactivated_at = null where id = $1', [authorId]);
    },
  );
});

interface Subject {
  readonly id: string;
  readonly answer: string;
  readonly boost: string;
  /** Quotes it. */
  readonly quoting: string;
  /** Another of its kind, which quotes the root. */
  readonly inner: string;
  readonly poll: string;
}
/** Whether the post came through; throws for an answer that is neither it nor what an unknown id gets. */
type Surface = (client: Client, subject: Subject) => Promise<boolean>;

const PATH = '/api/v1/statuses';

/** A path that answers 200 for what is visible, else exactly as for an id that does not exist. */
const found =
  (path: (id: string) => string, pick: (subject: Subject) => string = ({ id }) => id): Surface =>
  async (client, subject) => {
    const answer = await client.get(path(pick(subject)));
    if (answer.status === 200) return true;
    const unknown = await client.get(path(UNKNOWN));
    expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text]);
    expect(answer.status).toBe(404);
    return false;
  };

/** A deed on the post: done, or answered as for an id that does not exist. What was done is not undone. */
const done =
  (verb: string): Surface =>
  async (client, { id }) => {
    const answer = await client.post(`${PATH}/${id}/${verb}`);
    if (answer.status === 200) return true;
    expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }]);
    return false;
  };

const listed = (items: unknown, id: string) => (items as { id: string }[]).some((item) => item.id === id);

const READING: Record<string, Surface> = {
  'by its id': found((id) => `${PATH}/${id}`),
  'among ids': async (client, { id }) => listed((await client.get(PATH, { ids: [id, root] }).expect(200)).body, id),
  'its context': found((id) => `${PATH}/${id}/context`),
  'its card': found((id) => `${PATH}/${id}/card`),
  'what it said before': found((id) => `${PATH}/${id}/history`),
  'what a boost of it said before': found(
    (id) => `${PATH}/${id}/history`,
    ({ boost }) => boost,
  ),
  'its poll': found(
    (id) => `/api/v1/polls/${id}`,
    ({ poll }) => poll,
  ),
  'who favoured it': found((id) => `${PATH}/${id}/favourited_by`),
  'who boosted it': found((id) => `${PATH}/${id}/reblogged_by`),
  'among the pins of its author': async (client, { id }) => {
    const answer = await client.get(`/api/v1/accounts/${app.world.id('author')}/statuses`, { pinned: true });
    return answer.status === 200 && listed(answer.body, id);
  },
  'its reactions': found((id) => `/api/v1/svc/statuses/${id}/reactions`),
  'one of its reactions': found((id) => `/api/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`),
  'its quotes': found((id) => `/api/v1/svc/statuses/${id}/quotes`),
  'a boost of it': found(
    (id) => `${PATH}/${id}`,
    ({ boost }) => boost,
  ),
  'the context of a boost of it': found(
    (id) => `${PATH}/${id}/context`,
    ({ boost }) => boost,
  ),
  'who favoured a boost of it': found(
    (id) => `${PATH}/${id}/favourited_by`,
    ({ boost }) => boost,
  ),
  'the parent of its public answer': async (client, { id, answer }) => {
    const { in_reply_to_id: parent, svc } = await ok(client.get(`${PATH}/${answer}`));
    expect(svc.parent_visible).toBe(parent === id);
    return parent === id;
  },
};

const searched =
  (q: string, { account_id: author }: { account_id?: string }) =>
  async (client: Client, { id }: { id: string }): Promise<boolean> => {
    const query = { q, type: 'statuses', limit: 40, ...(author && { account_id: app.world.id(author) }) };
    return listed((await ok<ResultsJson>(client.get('/api/v2/search', query))).statuses, id);
  };

/** Surfaces where those whom the author blocks do not meet the author at all. */
const AMONG_OTHERS: Record<string, Surface> = {
  'in the context of what it answers': async (client, { id }) =>
    listed((await ok<ContextJson>(client.get(`${PATH}/${root}/context`))).descendants, id),
  'in the post that quotes it': async (client, { id, quoting }) => {
    const { svc } = await ok(client.get(`${PATH}/${quoting}`));
    expect(svc.quote_visible).toBe(svc.quote !== null);
    return svc.quote?.id === id;
  },
  'among the quotes of what it quotes': async (client, { inner }) =>
    listed((await client.get(`/api/v1/svc/statuses/${root}/quotes`, { limit: 40 }).expect(200)).body, inner),
  'among the favourites of somebody else': async (client, { id }) =>
    listed((await client.get('/api/v1/svc/accounts/host/favourites', { limit: 40 }).expect(200)).body, id),
  'in a search for its words': searched('secret', {}),
  'in a search among the posts of its author': searched('secret', { account_id: 'author' }),
  'in a search for its address': async (client, { id }) =>
    searched(`https://svc.test/objects/${id}`, {})(client, { id }),
};

const OWN: Record<string, Surface> = {
  'among favourites': async (client, { id }) =>
    listed((await client.get('/api/v1/favourites', { limit: 40 }).expect(200)).body, id),
  'among bookmarks': async (client, { id }) =>
    listed((await client.get('/api/v1/bookmarks', { limit: 40 }).expect(200)).body, id),
  bookmark: done('bookmark'),
  unbookmark: done('unbookmark'),
  unpin: done('unpin'),
  unmute: done('unmute'),
  unfavourite: done('unfavourite'),
  unreblog: done('unreblog'),
};

/** Deeds that those whom the author blocks are kept from. */
const APPROACHING: Record<string, Surface> = {
  favourite: done('favourite'),
  vote: async (client, { poll }) => {
    const answer = await client.post(`/api/v1/polls/${poll}/votes`, { choices: [0] });
    if (answer.status === 200 || answer.status === 422) return true; // the author has no vote, and others have one
    expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }]);
    return false;
  },
  react: async (client, { id }) => {
    const answer = await client.put(`/api/v1/svc/statuses/${id}/reactions/${encodeURIComponent('🍵')}`);
    if (answer.status === 200) return true;
    expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }]);
    return false;
  },
  quote: async (client, { id }) => {
    const answer = await client.post(PATH, { status: 'yes', quote_id: id, visibility: 'direct' });
    if (answer.status === 200 || answer.status === 422) return true; // what is not open to all is not quoted
    expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }]);
    return false;
  },
  answer: async (client, { id }) => {
    const answer = await client.post(PATH, { status: 'yes', in_reply_to_id: id, visibility: 'direct' });
    if (answer.status === 200) return true;
    expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }]);
    return false;
  },
};

describe('V1 V2 V3 every surface obeys it', () => {
  let allowed = 0;
  let refused = 0;
  afterAll(() => console.log(`visibility: ${allowed} rightly allowed, ${refused} rightly refused`));

  async function check(surfaces: Record<string, Surface>, viewers: readonly ViewerName[]): Promise<void> {
    for (const [name, surface] of Object.entries(surfaces)) {
      for (const viewer of viewers) {
        for (const [visibility, subject] of posts) {
          const expected = READERS[visibility].includes(viewer);
          const seen = await surface(await clientOf(viewer), subject);
          expect({ name, viewer, visibility, seen }).toEqual({ name, viewer, visibility, seen: expected });
          if (seen) allowed += 1;
          else refused += 1;
        }
      }
    }
  }

  it('reading', () => check(READING, VIEWERS), 120_000);

  it('reading among the posts of others', () =>
    check(
      AMONG_OTHERS,
      VIEWERS.filter((viewer) => viewer !== 'blocked'),
    ));

  it('what is the own of the signed-in', () => check(OWN, SIGNED_IN));

  it('acting', () =>
    check(
      APPROACHING,
      SIGNED_IN.filter((viewer) => viewer !== 'blocked'),
    ));

  it('except that the blocked are kept from acting, and from meeting the author in threads', async () => {
    const blocked = await clientOf('blocked');
    const { id } = posts.get('public')!;
    expect(await AMONG_OTHERS['in the context of what it answers']!(blocked, posts.get('public')!)).toBe(false);
    await blocked.post(`${PATH}/${id}/favourite`).expect(403);
    await blocked.post(`/api/v1/polls/${posts.get('public')!.poll}/votes`, { choices: [0] }).expect(403);
    await blocked.post(`${PATH}/${id}/reblog`).expect(403);
    await blocked.post(PATH, { status: 'hey', in_reply_to_id: id }).expect(403);
    await blocked.post(PATH, { status: 'hey', quote_id: id }).expect(403);
    refused += 6;
  });

  it('also once the author is gone: posts, boosts of them and boosts by them vanish', async () => {
    const [boost] = (await makePosts(app, 'author', 1)) as [string];
    await app.sql('update statuses set reblog_of_id = $2 where id = $1', [boost, root]);
    const everywhere = { ...READING, ...AMONG_OTHERS };
    delete everywhere['the parent of its public answer']; // the answer itself is gone
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('author')]);
    for (const viewer of VIEWERS.filter((name) => name !== 'author')) {
      const client = await clientOf(viewer);
      for (const surface of Object.values(everywhere)) {
        for (const subject of posts.values()) {
          expect(await surface(client, subject)).toBe(false);
          refused += 1;
        }
      }
      await client.get(`${PATH}/${boost}`).expect(404);
    }
  });
});
