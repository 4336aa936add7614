import { setTimeout as delay } from 'node:timers/promises';
import { type DataSize, Seeder } from '../data.ts';
import { runLoad } from '../load.ts';
import { memoryOf } from '../processes.ts';
import { Stage } from '../stage.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { mixOf, OpenLoad } from './open-load.ts';

const SIZE: DataSize = { statuses: 20_000, accounts: 500, followees: 100 };
const SHARE = 0.7;
const MEASURED_SECONDS = 5;
/** Samples of the memory in a minute. */
const SAMPLES = 8;
const MOST_RSS_MB = 350;
/** How much more memory the last quarter of the time may take than the one before it. */
const MOST_GROWTH = 1.05;

/** Minutes at 70 % of what the server can answer: no errors, and memory that does not grow. A round is a minute. */
export const load: Kind = {
  rounds: 15,
  short: 1,
  async *run(run) {
    yield await steady(run);
  },
};

async function steady({ root, rounds, signal }: Run): Promise<Outcome> {
  await using stage = await Stage.build(signal, { root });
  const data = await new Seeder(stage.sql, SIZE).seed(signal);
  const { pid, port } = await stage.startServer();
  await stage.settled(signal);
  const next = mixOf(data);
  const most = { port, connections: 16, next, complaint: () => undefined, varies: true, signal };
  await runLoad({ ...most, seconds: 2 });
  const { rate } = await runLoad({ ...most, seconds: MEASURED_SECONDS });
  const open = new OpenLoad(port, next);
  const running = open.run(rate * SHARE, rounds * 60, signal);
  const samples: number[] = [];
  while (samples.length < rounds * SAMPLES) {
    await delay(60_000 / SAMPLES, undefined, { signal });
    samples.push(memoryOf(pid).nowMb);
  }
  const offered = await running;
  const { peakMb } = memoryOf(pid);
  const errors = Object.entries(open.statuses).filter(([status]) => status !== '200');
  const [third, last] = [2, 3].map((quarter) =>
    mean(samples.slice((quarter * samples.length) / 4, ((quarter + 1) * samples.length) / 4)),
  ) as [number, number];
  const lost = await stage.sql.query<{ lost: number }>(
    'select count(*)::int as lost from unnest($1::text[]) given where not exists (select from statuses s where s.id = given)',
    [open.acknowledged],
  );
  return {
    figures: {
      'per second': Math.round(offered),
      answers: open.statuses['200'] ?? 0,
      errors: errors.reduce((sum, [, count]) => sum + count, 0),
      'posts acknowledged': open.acknowledged.length,
      lost: lost.rows[0]!.lost,
      'RSS MB in the third quarter': third,
      'in the last': last,
      peak: peakMb,
    },
    violations: [
      ...errors.map(([what, count]) => `${count} times ${what}`),
      ...when(open.acknowledged.length === 0, 'no post was acknowledged: the run proves nothing'),
      ...when(lost.rows[0]!.lost > 0, 'acknowledged posts are lost'),
      ...when(last > third * MOST_GROWTH, `memory grew from ${third} to ${last} MB`),
      ...when(peakMb > MOST_RSS_MB, `${peakMb} MB of memory`),
    ],
  };
}

function mean(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((sum, each) => sum + each, 0) / numbers.length);
}
