/*
 * `npm run flood`: people here read and post while one other server sends 10,000 activities as fast as they are taken. Reading
 * and posting must stay within twice their usual p99, and every activity that was accepted must be stored. Exits with 1 when
 * it fails (docs/performance.md). `npm run flood -- slow-host`: slow-hosts.ts; `npm run flood -- mixed`: mixed.ts.
 */
import { type Data, type DataSize, Seeder } from './data.ts';
import { creates } from './inbox.ts';
import { type LoadResult, requestBytes, runLoad } from './load.ts';
import { floodOfAll } from './mixed.ts';
import { floodOfSlowHosts } from './slow-hosts.ts';
import { Stage } from './stage.ts';

const SIZE: DataSize = { statuses: 20_000, accounts: 500, followees: 100 };
const ACTIVITIES = 10_000;
const SENDING = 8;
const READING = 4;
const POSTING = 1;
const USUAL_SECONDS = 10;
const LONGEST_SECONDS = 120;
const MOST_TIMES = 2;

interface Figures {
  readonly reading: LoadResult;
  readonly posting: LoadResult;
}

/** Reads and posts for so many seconds, or until the signal. */
async function live({ reader, writer }: Data, port: number, seconds: number, signal: AbortSignal): Promise<Figures> {
  const pages = ['timelines/home', 'notifications', 'timelines/public'];
  const reads = pages.map((path) => requestBytes(`/api/v1/${path}`, { authorization: `Bearer ${reader}` }));
  let turn = 0;
  const load = { port, seconds, complaint: () => undefined, varies: true, signal };
  const [reading, posting] = await Promise.all([
    runLoad({ ...load, connections: READING, next: () => reads[(turn += 1) % reads.length] }),
    runLoad({
      ...load,
      connections: POSTING,
      next: () => requestBytes('/api/v1/statuses', { authorization: `Bearer ${writer}` }, { status: `Post ${turn}` }),
    }),
  ]);
  return { reading, posting };
}

async function flood(signal: AbortSignal): Promise<boolean> {
  await using stage = await Stage.build(signal);
  const data = await new Seeder(stage.sql, SIZE).seed(signal);
  const { port } = await stage.startServer();
  await stage.settled(signal);
  const requests = await creates({ ...data.senders, uris: data.senders.uris.slice(0, 1) }, ACTIVITIES);
  await live(data, port, USUAL_SECONDS / 3, signal);
  const usual = await live(data, port, USUAL_SECONDS, signal);

  const over = new AbortController();
  const during = live(data, port, LONGEST_SECONDS, AbortSignal.any([signal, over.signal]));
  const load = { port, connections: SENDING, seconds: LONGEST_SECONDS, status: 202, complaint: () => undefined };
  const start = performance.now();
  const sent = await runLoad({ ...load, next: () => requests.pop(), signal });
  const sentSeconds = (performance.now() - start) / 1_000;
  const stored = async () => {
    const { rows } = await stage.sql.query<{ count: number }>(
      `select count(*)::int as count from statuses where uri like 'https://sender0.example/%'`,
    );
    return rows[0]!.count;
  };
  over.abort();
  const flooded = await during;
  await stage.settled(signal);
  const refused = Object.values(sent.errors).reduce((sum, count) => sum + count, 0);
  console.log(
    `${ACTIVITIES - refused} of ${ACTIVITIES} activities accepted in ${sentSeconds.toFixed(1)} s: ${JSON.stringify(sent.errors)}`,
  );
  const kept = await stored();
  console.log(`${kept} stored`);
  const times = (['reading', 'posting'] as const).map((name) => {
    const [before, after] = [usual[name], flooded[name]];
    const ratio = after.p99Ms / before.p99Ms;
    console.log(
      `${name}: p50 ${before.p50Ms.toFixed(1)} -> ${after.p50Ms.toFixed(1)} ms, p99 ${before.p99Ms.toFixed(1)} -> ${after.p99Ms.toFixed(1)} ms (${ratio.toFixed(1)} times), ${Math.round(before.rate)} -> ${Math.round(after.rate)}/s`,
    );
    return ratio;
  });
  return kept === ACTIVITIES - refused && times.every((ratio) => ratio <= MOST_TIMES);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
const [, , kind = 'activities'] = process.argv;
const run = new Map([
  ['activities', flood],
  ['slow-host', floodOfSlowHosts],
  ['mixed', floodOfAll],
]).get(kind);
if (!run) throw new Error(`There is no flood "${kind}"`);
process.exitCode = (await run(stop.signal)) ? 0 : 1;
