import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from '../../test/process/scratch.ts';
import { Acts } from './acts.ts';
import { checkAll } from './check.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { type Server, System, untilReady } from './system.ts';
import { Traffic } from './traffic.ts';

const APPS = 4;
const MOST_END_MS = 30_000;
/** What a WebSocket is told by a server that leaves (RFC 6455 §7.4.1). */
const GOING_AWAY = 1_001;

/** Two web processes and a worker: in each round one web process and the worker are replaced under load. */
export const rolling: Kind = {
  rounds: 50,
  short: 2,
  async *run(run) {
    yield await replacements(run);
  },
};

async function replacements(run: Run): Promise<Outcome> {
  await using system = await System.build(run, { roles: ['web', 'web', 'worker'] });
  const [one, other, worker] = system.servers as [Server, Server, Server];
  const acts = await Acts.prepare(system);
  const balancer = system.balancer();
  const traffic = new Traffic(system, balancer, acts, run.chance);
  const wrong: string[] = [];
  let slowestEndMs = 0;
  const replace = async (server: Server) => {
    const start = performance.now();
    const code = await system.end(server, 'SIGTERM');
    slowestEndMs = Math.max(slowestEndMs, performance.now() - start);
    if (code !== 0) wrong.push(`${server.role} ended with ${code}`);
    await system.startEnded();
  };
  traffic.start(APPS);
  for (let round = 0; round < run.rounds && !run.signal.aborted; round += 1) {
    const web = [one, other][round % 2]!;
    await traffic.untilMore(20 + run.chance.below(20));
    const socket = new WebSocket(`ws://127.0.0.1:${web.port}/api/v1/streaming?stream=public`);
    await once(socket, 'open');
    const closed = once(socket, 'close') as Promise<[code: number]>;
    await replace(web);
    const [code] = await closed;
    if (code !== GOING_AWAY) wrong.push(`a WebSocket was closed with ${code}`);
    await replace(worker);
    await untilReady(web.port);
    await until('the load balancer', () => balancer.uses(web.port));
  }
  await traffic.stop();
  balancer.close();
  const { figures, violations } = await checkAll(system, acts.done);
  return {
    figures: {
      ...traffic.figures,
      ...figures,
      'slowest end ms': Math.round(slowestEndMs),
    },
    violations: [
      ...traffic.complaints(),
      ...wrong,
      ...when(slowestEndMs > MOST_END_MS, `an end took ${Math.round(slowestEndMs)} ms`),
      ...system.ended(),
      ...violations,
    ],
  };
}
