import { type DataSize, Seeder } from '../data.ts';
import { Inboxes, runDeliveries } from '../deliveries.ts';
import { memoryOf } from '../processes.ts';
import { Stage } from '../stage.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';

const SIZE: DataSize = { statuses: 200, accounts: 100, followees: 10 };
const LIVE = 50;
const ALL = { live: LIVE, dead: 500, slow: 50 };
/** Each round measures so long. */
const SECONDS = 10;
const MOST_P95_MS = 5_000;
const MOST_RSS_MB = 350;

/** Of 600 other servers 500 are dead and 50 answer late: the others get posts as fast as ever. */
export const peers: Kind = {
  rounds: 6,
  short: 1,
  async *run(run) {
    yield await deadAndSlow(run);
  },
};

async function deadAndSlow({ root, rounds, signal }: Run): Promise<Outcome> {
  await using inboxes = await Inboxes.open();
  await using stage = await Stage.build(signal, { root });
  const data = await new Seeder(stage.sql, SIZE).seed(signal);
  const { port, pid } = await stage.startServer({ ALLOWED_PRIVATE_ADDRESSES: inboxes.addresses });
  const load = { sql: stage.sql, inboxes, port, token: data.writer, signal };
  const alone = await runDeliveries({ ...load, followers: { live: LIVE, dead: 0, slow: 0 }, seconds: SECONDS });
  const results = await runDeliveries({ ...load, followers: ALL, seconds: SECONDS * rounds });
  const { peakMb } = memoryOf(pid);
  const missing = [alone, results].flatMap(({ errors }) => Object.entries(errors));
  const p95 = Math.round(results.p95Ms);
  return {
    figures: {
      deliveries: results.requests,
      'p95 ms': p95,
      'p95 ms without the dead and slow': Math.round(alone.p95Ms),
      missing: missing.reduce((sum, [, count]) => sum + count, 0),
      'dead asked': inboxes.asked.dead,
      'slow asked': inboxes.asked.slow,
      'peak RSS MB': peakMb,
    },
    violations: [
      ...missing.map(([what, count]) => `${count} ${what}`),
      ...when(p95 > MOST_P95_MS, `p95 was ${p95} ms`),
      ...when(peakMb > MOST_RSS_MB, `${peakMb} MB of memory`),
      ...when(inboxes.asked.dead === 0, 'no dead server was asked: the run proves nothing'),
      ...when(inboxes.asked.slow === 0, 'no slow server was asked: the run proves nothing'),
      ...when(results.requests === 0, 'nothing was delivered: the run proves nothing'),
    ],
  };
}
