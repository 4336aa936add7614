import { FlakeIds } from '../../src/platform/index.js';
import type { TestApp } from './app.js';

export interface PostOptions {
  readonly visibility?: number;
  readonly text?: string;
}

/**
 * Writes posts straight into the tables, oldest first, without the jobs that follow from posting: for tests of many rows.
 * Answers their ids in the order of creation. `authors` take turns.
 */
export async function makePosts(
  app: TestApp,
  authors: string | readonly string[],
  count: number,
  { visibility = 0, text = 'post' }: PostOptions = {},
): Promise<string[]> {
  const flakes = app.get(FlakeIds);
  const names = typeof authors === 'string' ? [authors] : authors;
  const ids = Array.from({ length: count }, () => flakes.next());
  const authorIds = ids.map((_, at) => app.world.id(names[at % names.length]!));
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, content_html, content_text, local)
     select id, author, 'https://svc.test/objects/' || id, $3, $4 || ' ' || n, $4 || ' ' || n, true
     from unnest($1::text[], $2::text[]) with ordinality as new(id, author, n)`,
    [ids, authorIds, visibility, text],
  );
  await app.sql('insert into status_stats (status_id) select unnest($1::text[])', [ids]);
  return ids;
}

/** Puts posts into a reader's stored feed, as the fan-out would. */
export async function fillFeed(app: TestApp, reader: string, statusIds: readonly string[]): Promise<void> {
  await app.sql(
    `insert into home_feed (account_id, status_id, author_id, reblog_of_id)
     select $1, id, author_id, reblog_of_id from statuses where id = any($2::text[])`,
    [app.world.id(reader), statusIds],
  );
}

/** Makes remote people of a domain who have nothing to do with anybody yet; answers their ids. */
export async function makeFans(app: TestApp, count: number, domain = 'fans.test'): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `fan${index}`);
  return (await Promise.all(names.map((name) => app.world.remote(name, domain)))).map(({ id }) => id);
}

/** Lets each of the accounts follow each of the others, accepted and without the jobs that follow. */
export async function makeFollows(app: TestApp, followers: string | string[], followees: string | string[]) {
  await app.sql(
    `insert into follows (follower_id, followee_id, state)
     select a, b, 1 from unnest($1::text[]) as follower(a), unnest($2::text[]) as followee(b)`,
    [listed(followers), listed(followees)],
  );
}

/** Lets an account be asked by each of the others, block and mute them, and block as many servers. */
export async function makeAdversaries(app: TestApp, accountId: string, others: readonly string[]) {
  await app.sql(`insert into follows (follower_id, followee_id, state) select unnest($2::text[]), $1, 0`, [
    accountId,
    others,
  ]);
  for (const table of ['blocks', 'mutes']) {
    await app.sql(`insert into ${table} (account_id, target_id) select $1, unnest($2::text[])`, [accountId, others]);
  }
  await app.sql(`insert into domain_blocks (account_id, domain) select $1, unnest($2::text[]) || '.test'`, [
    accountId,
    others,
  ]);
}

/** Lets an account endorse everybody whom it follows. */
export async function makeEndorsements(app: TestApp, accountId: string) {
  await app.sql(
    `insert into endorsements (account_id, target_id) select follower_id, followee_id from follows where follower_id = $1`,
    [accountId],
  );
}

/** Lets each of the accounts favour each of the posts, without counting it. */
export async function makeFavourites(app: TestApp, accounts: string | string[], statuses: string | string[]) {
  await app.sql(
    `insert into favourites (account_id, status_id)
     select a, s from unnest($1::text[]) as account(a), unnest($2::text[]) as status(s)`,
    [listed(accounts), listed(statuses)],
  );
}

/** Keeps the statuses as bookmarks of an account. */
export async function makeBookmarks(app: TestApp, account: string, statuses: readonly string[]) {
  await app.sql('insert into bookmarks (account_id, status_id) select $1, s from unnest($2::text[]) as status(s)', [
    account,
    statuses,
  ]);
}

/** Lets each of the remote accounts boost a post, without counting it. */
export async function makeBoosts(app: TestApp, accounts: readonly string[], statusId: string) {
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, reblog_of_id, local)
     select 'boost' || a, a, 'https://fans.test/boosts/' || a, 0, $2, false from unnest($1::text[]) as account(a)`,
    [accounts, statusId],
  );
}

/** Direct posts from one person to another, each in a conversation of its own that is unread; answers their ids. */
export async function makeConversations(app: TestApp, from: string, to: string, count: number): Promise<string[]> {
  const ids = await makePosts(app, from, count, { visibility: 3, text: 'psst' });
  await app.sql('update statuses set flags = 8 where id = any($1::text[])', [ids]);
  await app.sql('insert into mentions (status_id, account_id) select unnest($1::text[]), $2', [ids, app.world.id(to)]);
  await app.sql(
    `with opened as (insert into conversations (uri) select 'https://svc.test/contexts/' || id from unnest($1::text[]) as s(id)
       returning id, uri)
     update statuses s set conversation_id = opened.id from opened where opened.uri = 'https://svc.test/contexts/' || s.id`,
    [ids],
  );
  await app.sql(
    `insert into conversation_participants (account_id, conversation_id, last_status_id, participants, unread)
     select $2, conversation_id, id, array[author_id, $2], true from statuses where id = any($1::text[]) order by id`,
    [ids, app.world.id(to)],
  );
  return ids;
}

const listed = (ids: string | string[]) => [ids].flat();
