import { setTimeout as delay } from 'node:timers/promises';
import type { Acknowledged } from './acts.ts';
import { type Outcome, when } from './kind.ts';
import type { System } from './system.ts';

/** Work that does not get less for so long is not done: jobs and deliveries of a dead process wait for half a minute. */
const STUCK_MS = 120_000;
/** Nor is work that is still there after this time. */
const MOST_MS = 600_000;
const POLL_MS = 250;
const AT_ONCE = 8;
const FEED = 700;

/** Waits until everything acknowledged has happened, and compares it with what is there. */
export async function checkAll(system: System, done: Acknowledged): Promise<Outcome> {
  const { settledMs, left } = await settle(system, done);
  const failed = await system.column<string>('select name from jobs where parked_at is not null');
  const lost = await lostOf(system, done);
  const undelivered = system.other.missing(await expectedElsewhere(system, done));
  const twiceElsewhere = system.other.twice();
  const twiceHere = await system.column<string>(
    `select content_text from statuses where local and content_text like 'Number %' group by 1 having count(*) > 1`,
  );
  const idle = Object.entries(done.byKind).filter(([, count]) => count === 0);
  return {
    figures: {
      acknowledged: done.count,
      lost: lost.length,
      undelivered: undelivered.length,
      'delivered twice': system.other.repeated(),
      'stored twice': twiceHere.length + twiceElsewhere.length,
      'failed for good': failed.length,
      'settled after s': (settledMs / 1_000).toFixed(1),
    },
    violations: [
      ...when(left > 0, `${left} jobs, imports and deliveries were still to be done`),
      ...failed.map((name) => `failed for good: a job ${name}`),
      ...lost.map((what) => `lost: ${what}`),
      ...undelivered.map((uri) => `undelivered: ${uri}`),
      ...[...twiceHere, ...twiceElsewhere].map((what) => `stored twice: ${what}`),
      ...idle.map(([kind]) => `no ${kind} were acknowledged: the run proves nothing about them`),
    ],
  };
}

/** Waits until no work is left, as long as it gets less. */
async function settle(system: System, done: Acknowledged): Promise<{ settledMs: number; left: number }> {
  const start = performance.now();
  const expected = await expectedElsewhere(system, done);
  const owed = async () => {
    const [work] = await system.column<string>(
      `select (select count(*) from jobs where parked_at is null and (run_at <= now() or attempts > 0))
         + (select count(*) from import_entries) + (select count(*) from deliveries)`,
    );
    return Number(work) + system.other.missing(expected).length;
  };
  let left = await owed();
  let [least, since] = [left, start];
  while (left > 0 && performance.now() < Math.min(since + STUCK_MS, start + MOST_MS)) {
    await delay(POLL_MS, undefined, { signal: system.signal });
    left = await owed();
    if (left < least) [least, since] = [left, performance.now()];
  }
  return { settledMs: performance.now() - start, left };
}

/** The addresses of all that the other server must get. */
async function expectedElsewhere(system: System, done: Acknowledged): Promise<string[]> {
  const messages = await system.column<string>('select uri from chat_messages where id = any($1)', done.messages);
  return [...done.posts, ...done.favourites, ...done.follows].map(({ uri }) => uri).concat(messages);
}

async function lostOf(system: System, done: Acknowledged): Promise<string[]> {
  const gone = async (what: string, ids: readonly string[], text: string) => {
    const found = new Set(await system.column<string>(text, ids, await system.accountId('writer')));
    return ids.filter((id) => !found.has(id)).map((id) => `${what} ${id}`);
  };
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  const followed = `from accounts a join follows f on f.followee_id = a.id and f.follower_id = $2`;
  return [
    ...(await lostPosts(system, done)),
    ...(await gone(
      'favourite',
      idsOf(done.favourites),
      'select status_id from favourites where status_id = any($1) and account_id = $2',
    )),
    ...(await gone('follow', idsOf(done.follows), `select a.id ${followed} where a.id = any($1)`)),
    ...(await gone('message', done.messages, 'select id from chat_messages where id = any($1) and sender_id = $2')),
    ...(await gone(
      'import',
      done.imports,
      `select a.nickname || '@' || a.domain ${followed} where a.nickname || '@' || a.domain = any($1)`,
    )),
    ...(await lostFiles(system, done)),
  ];
}

/** Posts that their author cannot read, and new ones that a follower does not find at home. */
async function lostPosts(system: System, { posts }: Acknowledged): Promise<string[]> {
  const lost: string[] = [];
  const balancer = system.balancer(false);
  await inParallel(posts, async ({ id }) => {
    const answer = await balancer.send('GET', `/api/v1/statuses/${id}`, system.data.writer).catch(String);
    if (typeof answer === 'string' || answer.status !== 200) lost.push(`post ${id}: ${JSON.stringify(answer)}`);
  });
  balancer.close();
  const newest = posts
    .map(({ id }) => id)
    .toSorted()
    .slice(-FEED);
  const shown = new Set(
    await system.column<string>(
      'select status_id from home_feed where account_id = $1',
      await system.accountId('reader'),
    ),
  );
  return [...lost, ...newest.filter((id) => !shown.has(id)).map((id) => `post ${id} in a follower's home`)];
}

/** Uploads and archives that are not there, or not whole. */
async function lostFiles(system: System, { uploads, archives }: Acknowledged): Promise<string[]> {
  const lost: string[] = [];
  const { port } = system.servers.find(({ role }) => role !== 'worker')!;
  const load = async (url: string, token = '') => {
    const { pathname } = new URL(url);
    const headers = { ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}`, { headers }).catch(() => undefined);
    return answer?.status === 200 ? Buffer.from(await answer.arrayBuffer()) : undefined;
  };
  await inParallel(uploads, async ({ id, url }) => {
    const file = await load(url);
    if (!file?.includes('IEND')) lost.push(`upload ${id}`);
  });
  await inParallel(archives, async (token) => {
    const list = await load('http://svc/api/v1/svc/backups', token);
    const [archive] = JSON.parse(list?.toString() ?? '[]') as { url: string; processed: boolean }[];
    const file = archive?.processed === true ? await load(archive.url) : undefined;
    if (!file?.includes('PK\x05\x06')) lost.push(`archive ${JSON.stringify(archive)}`);
  });
  return lost;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
