import { BlocksService } from '../../src/accounts/index.js';
import { maySee, Visibility, type VisibilityName } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import type { Client } from '../support/fixtures/world.js';

/*
 * Which viewers may read a post and act on it (threats V3, V9, V10): every kind of viewer with every visibility, first in the
 * rule itself, then in every action. The table below is written by hand, not computed. `visibility.spec.ts` tests which posts
 * each surface shows.
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

const app = useApp({ once: ['author', 'stranger', 'requester', 'follower', 'addressed', 'blocked'] });
/** The post of each visibility. */
const posts = new Map<VisibilityName, Subject>();

beforeAll(async () => {
  await app.world.follow('follower', 'author');
  await app.world.follow('blocked', 'author');
  await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [
    app.world.id('requester'),
    app.world.id('author'),
  ]);
  await app.get(BlocksService).block(app.world.id('author'), app.world.id('blocked'), {});
  for (const visibility of NAMES) posts.set(visibility, await plant(visibility));
});

async function plant(visibility: VisibilityName): Promise<Subject> {
  const [id] = (await makeStatuses(app, 'author', 1)) as [string];
  await app.sql('update statuses set visibility = $2, flags = 10 where id = $1', [id, Visibility[visibility]]);
  await app.sql('insert into mentions (status_id, account_id) values ($1, $2)', [id, app.world.id('addressed')]);
  await app.sql(`insert into favourites (account_id, status_id) select account_id, $1 from users`, [id]);
  await app.sql('update status_stats set favourites = (select count(*) from users) where status_id = $1', [id]);
  await app.sql(`insert into bookmarks (account_id, status_id) select account_id, $1 from users`, [id]);
  const [poll] = await app.sql<{ id: string }>(
    `with made as (
       insert into polls (status_id, expires_at, multiple) values ($1, now() + interval '1 day', true) returning id),
     options as (insert into poll_options (poll_id, position, title) select id, n, n from made, generate_series(0, 1) n)
     select id from made`,
    [id],
  );
  return { id, poll: poll!.id };
}

const idOf = (viewer: ViewerName) => (viewer === 'anonymous' ? '' : app.world.id(viewer));

describe('the visibility rule', () => {
  it.each([false, true])('is the same in SQL and in the table (author deactivated: %s)', async (gone) => {
    const authorId = app.world.id('author');
    await app.sql('update accounts set deactivated_at = case when $2 then now() end where id = $1', [authorId, gone]);
    let compared = 0;
    for (const viewer of VIEWERS) {
      const rows = await app.sql<{ id: string; seen: boolean }>(
        `select s.id, ${maySee('s')} as seen from statuses s where s.id = any($2::text[])`,
        [idOf(viewer), [...posts.values()].map(({ id }) => id)],
      );
      const bySql = new Map(rows.map(({ id, seen }) => [id, seen]));
      for (const [visibility, { id }] of posts) {
        const expected = !gone && READERS[visibility].includes(viewer);
        expect({ viewer, visibility, seen: bySql.get(id) }).toEqual({ viewer, visibility, seen: expected });
        compared += 1;
      }
    }
    expect(compared).toBe(VIEWERS.length * NAMES.length);
    await app.sql('update accounts set deactivated_at = null where id = $1', [authorId]);
  });
});

interface Subject {
  readonly id: string;
  readonly poll: string;
}
/** Returns whether the action succeeded; throws for an answer that is neither a success nor that of an unknown id. */
type ViewerStateKind = (client: Client, subject: Subject) => Promise<boolean>;

const PATH = '/api/v1/statuses';

/** An action on the post, which succeeds or gets the answer of an unknown id. It is not undone. */
const done =
  (verb: string): ViewerStateKind =>
  async (client, { id }) => {
    const answer = await client.post(`${PATH}/${id}/${verb}`);
    if (answer.status === 200) return true;
    expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }]);
    return false;
  };

const OWN: Record<string, ViewerStateKind> = {
  bookmark: done('bookmark'),
  unbookmark: done('unbookmark'),
  unpin: done('unpin'),
  unmute: done('unmute'),
  unfavourite: done('unfavourite'),
  unreblog: done('unreblog'),
};

/** Actions that are refused to accounts that the author blocks. */
const APPROACHING: Record<string, ViewerStateKind> = {
  favourite: done('favourite'),
  vote: async (client, { poll }) => {
    const answer = await client.post(`/api/v1/polls/${poll}/votes`, { choices: [0] });
    if (answer.status === 200 || answer.status === 422) return true; // authors may not vote, and others only once
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
    if (answer.status === 200 || answer.status === 422) return true; // posts that are not public cannot be quoted
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

describe('V3 V9 V10 an action on a post', () => {
  async function check(actions: Record<string, ViewerStateKind>, viewers: readonly ViewerName[]): Promise<void> {
    for (const [name, action] of Object.entries(actions)) {
      for (const viewer of viewers) {
        for (const [visibility, subject] of posts) {
          const isDone = await action(await app.world.as(viewer), subject);
          expect({ name, viewer, visibility, isDone }).toEqual({
            name,
            viewer,
            visibility,
            isDone: READERS[visibility].includes(viewer),
          });
        }
      }
    }
  }

  it('that only the viewer notices is allowed to exactly the permitted viewers', () => check(OWN, SIGNED_IN));

  it('that others notice is allowed to exactly the permitted viewers', () =>
    check(
      APPROACHING,
      SIGNED_IN.filter((viewer) => viewer !== 'blocked'),
    ));

  it('that others notice is refused to accounts that the author blocks', async () => {
    const blocked = await app.world.as('blocked');
    const { id, poll } = posts.get('public')!;
    await blocked.post(`${PATH}/${id}/favourite`).expect(403);
    await blocked.post(`/api/v1/polls/${poll}/votes`, { choices: [0] }).expect(403);
    await blocked.post(`${PATH}/${id}/reblog`).expect(403);
    await blocked.post(PATH, { status: 'hey', in_reply_to_id: id }).expect(403);
    await blocked.post(PATH, { status: 'hey', quote_id: id }).expect(403);
  });
});
