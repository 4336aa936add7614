import { once } from 'node:events';
import { WebSocket } from 'ws';
import { BegunRequest } from '../../test/process/begun-request.ts';
import { LoadBalancer } from '../../test/process/load-balancer.ts';
import { until } from '../../test/process/scratch.ts';
import { Acts } from './acts.ts';
import { checkAll } from './check.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { type Server, System, untilReady } from './system.ts';
import { Traffic } from './traffic.ts';

const APPS = 4;
/** What an app waits between two requests, so that the machine has time to start processes. */
const PAUSE_MS = 100;
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
  const replace = async (server: Server, meanwhile = () => Promise.resolve()) => {
    const start = performance.now();
    const ended = system.end(server, 'SIGTERM');
    await meanwhile();
    const code = await ended;
    slowestEndMs = Math.max(slowestEndMs, performance.now() - start);
    if (code !== 0) wrong.push(`${server.role} ended with ${code}`);
    await system.startEnded();
  };
  traffic.start(APPS, PAUSE_MS);
  await traffic.untilEach();
  for (let round = 0; round < run.rounds && !run.signal.aborted; round += 1) {
    const web = [one, other][round % 2]!;
    await traffic.untilMore(20 + run.chance.below(20));
    const socket = new WebSocket(`ws://127.0.0.1:${web.port}/api/v1/streaming?stream=public`);
    await once(socket, 'open');
    const closed = once(socket, 'close') as Promise<[code: number]>;
    const begun = await BegunRequest.post(web.port, '/api/v1/statuses', system.data.writer, { status: 'Begun' });
    await replace(web, async () => {
      wrong.push(...(await complaintsWhileEnding(web.port)));
      const [answer = ''] = (await begun.finish()).split('\r\n');
      if (!answer.includes(' 200 ')) wrong.push(`a request that began before the end was answered with "${answer}"`);
    });
    const [code] = await closed;
    if (code !== GOING_AWAY) wrong.push(`a WebSocket was closed with ${code}`);
    await replace(worker);
    await untilReady(web.port);
    await until('the load balancer', () => balancer.uses(web.port));
    await traffic.untilMore(10); // the new process answers every second one
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

/**
 * Asks a process that has to end for its health until it says so, as load balancers do. Returns what is wrong when it does
 * not say so, or refuses a request of one that has not noticed yet.
 */
async function complaintsWhileEnding(port: number): Promise<string[]> {
  const direct = new LoadBalancer([port], false);
  const ask = (path: string) => direct.send('GET', path, '').then(({ status }) => status, String);
  const health = await until('an end', async () => {
    const status = await ask('/health/ready');
    return status === 200 ? undefined : status;
  });
  const late = await ask('/api/v1/timelines/public');
  direct.close();
  return [
    ...when(health !== 503, `the health of a process that ends was ${health}`),
    ...when(late !== 200, `a request to a process that has just said that it ends was answered with ${late}`),
  ];
}
