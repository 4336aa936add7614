import { setTimeout as delay } from 'node:timers/promises';
import { Chance } from '../chance.ts';
import { Acts } from './acts.ts';
import { checkAll } from './check.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { type Role, System } from './system.ts';
import { Traffic } from './traffic.ts';

const APPS = 4;
/** A kill comes after so many successes, at most, and so many milliseconds more. */
const MOST_ACTS = 60;
const LONGEST_MS = 50;
const MOST_START_MS = 10_000;
/** What a kill may do to a request: 503, and a connection that breaks. */
const ALLOWED = /^503$|^\D/;

/**
 * Processes that are killed again and again under load, with jobs in the process and on Bull. Work of a dead process goes
 * on by itself: nothing but a start happens between the kills, and at the end.
 */
export const kill: Kind = {
  rounds: 100,
  short: 2,
  async *run(run) {
    const inProcess = () => killRounds(run, 'in process', ['all']);
    const onBull = () => killRounds(run, 'on Bull', ['web', 'worker']);
    if (run.isTogether) return yield* await Promise.all([inProcess(), onBull()]);
    yield await inProcess();
    yield await onBull();
  },
};

async function killRounds(run: Run, part: string, roles: readonly Role[]): Promise<Outcome> {
  const { rounds, signal } = run;
  const chance = new Chance(run.chance.below(2 ** 31));
  await using system = await System.build(run, { roles });
  const acts = await Acts.prepare(system);
  const balancer = system.balancer();
  const traffic = new Traffic(system, balancer, acts, chance);
  for (let round = 0; round < rounds && !signal.aborted; round += 1) {
    await system.startEnded();
    traffic.start(APPS);
    if (round === 0) await traffic.untilEach();
    await traffic.untilMore(1 + chance.below(MOST_ACTS));
    await delay(chance.below(LONGEST_MS), undefined, { signal });
    const victims =
      roles.length === 1 ? system.servers : chance.pick([...system.servers.map((one) => [one]), system.servers]);
    await Promise.all(victims.map((server) => system.end(server, 'SIGKILL')));
    await traffic.stop();
  }
  await system.startEnded();
  await traffic.answerDrafts();
  balancer.close();
  const { figures, violations } = await checkAll(system, acts.done);
  const startMs = Math.round(system.slowestStartMs);
  return {
    part,
    figures: { ...figures, 'slowest start ms': startMs },
    violations: [
      ...system.ended(),
      ...violations,
      ...traffic.complaints(ALLOWED),
      ...when(startMs > MOST_START_MS, `a start took ${startMs} ms without the time that it waited for a core`),
    ],
  };
}
