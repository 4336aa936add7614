import { expect } from '@jest/globals';
import type supertest from 'supertest';
import type { BoostJson, PostJson } from '../../src/statuses/index.js';
import type { TestApp } from './app.js';

/** The JSON of a request that succeeds; a post unless told otherwise. */
export async function ok<Body = PostJson>(request: supertest.Test): Promise<Body> {
  const answer = await request.expect(200);
  return answer.body as Body;
}

/** Posts through the API as one of the world's people. */
export async function post(
  app: TestApp,
  author: string,
  status: string,
  options: Record<string, unknown> = {},
): Promise<PostJson> {
  const client = await app.world.as(author);
  return ok(client.post('/api/v1/statuses', { status, ...options }));
}

/** Boosts through the API; answers the boost. */
export async function reblog(app: TestApp, person: string, id: string): Promise<BoostJson> {
  const client = await app.world.as(person);
  return ok<BoostJson>(client.post(`/api/v1/statuses/${id}/reblog`));
}

/** Expects every counter of statuses and of posts by accounts to be what the rows say. */
export async function expectCountersToMatchRows(app: TestApp): Promise<void> {
  const wrong = await app.sql(
    `select s.id, t.replies, t.reblogs, t.favourites, t.reactions, t.quotes, rows.* from statuses s join status_stats t on t.status_id = s.id,
       lateral (select
         (select count(*)::int from statuses r where r.in_reply_to_id = s.id and r.visibility not in (3, 5)) as real_replies,
         (select count(*)::int from statuses b where b.reblog_of_id = s.id) as real_reblogs,
         (select count(*)::int from favourites f where f.status_id = s.id) as real_favourites,
         (select count(*)::int from reactions r where r.status_id = s.id) as real_reactions,
         (select count(*)::int from statuses q where q.quote_of_id = s.id and q.visibility not in (3, 5)) as real_quotes) rows
     where (t.replies, t.reblogs, t.favourites, t.reactions, t.quotes)
       <> (real_replies, real_reblogs, real_favourites, real_reactions, real_quotes)`,
  );
  expect(wrong).toEqual([]);
  const wrongAccounts = await app.sql(
    `select a.account_id, a.statuses_count, rows.* from account_stats a, lateral (
       select count(*)::int as real from statuses s where s.author_id = a.account_id and s.visibility not in (3, 5)) rows
     where a.statuses_count <> rows.real`,
  );
  expect(wrongAccounts).toEqual([]);
}
