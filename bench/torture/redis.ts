import { Acts } from './acts.ts';
import { checkAll } from './check.ts';
import { Gate } from './gate.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { Permissions } from './permissions.ts';
import { type Server, System } from './system.ts';
import { Traffic } from './traffic.ts';

const APPS = 3;

/** Something that happens to Redis, and its end. */
interface Trouble {
  readonly name: string;
  readonly begin: (system: System, gate: Gate) => unknown;
  readonly end: (system: System, gate: Gate) => unknown;
}

const command = ({ redis }: System, ...words: [string, ...string[]]) => redis!.command(...words);

const TROUBLES: readonly Trouble[] = [
  { name: 'killed', begin: ({ redis }) => redis!.kill(), end: ({ redis }) => redis!.startAgain() },
  { name: 'hung', begin: ({ redis }) => redis!.pause(), end: ({ redis }) => redis!.resume() },
  { name: 'flushed', begin: (system) => command(system, 'FLUSHALL'), end: () => undefined },
  {
    name: 'full',
    begin: (system) => command(system, 'CONFIG', 'SET', 'maxmemory', '1'),
    end: (system) => command(system, 'CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    name: 'partitioned',
    begin: (_system, gate) => gate.hold(),
    end: (_system, gate) => gate.release(),
  },
];

/** A Redis that dies, hangs, forgets, is full, or cannot be reached by one web process, between two web processes and a worker. */
export const redis: Kind = {
  rounds: 50,
  short: TROUBLES.length,
  async *run(run) {
    yield await troubleRounds(run);
  },
};

async function troubleRounds(run: Run): Promise<Outcome> {
  await using undo = new AsyncDisposableStack();
  const system = undo.use(await System.build(run, { roles: [], hasRedis: true }));
  const gate = undo.use(await Gate.open({ host: '127.0.0.1', port: Number(new URL(system.redis!.url).port) }));
  const one = await system.add('web');
  const other = await system.add('web', { REDIS_URL: `redis://127.0.0.1:${gate.port}` });
  await system.add('worker');
  const acts = await Acts.prepare(system);
  const permissions = await Permissions.prepare(system);
  const balancer = system.balancer(false);
  undo.defer(() => balancer.close());
  const traffic = new Traffic(system, balancer, acts, run.chance);
  traffic.start(APPS);
  await traffic.untilEach();
  const bothWays = async (moment: string) => {
    const ports = [one, other].map(({ port }: Server) => port) as [number, number];
    await permissions.tryAll(...ports, moment);
    await permissions.tryAll(ports[1], ports[0], moment);
  };
  for (let round = 0; round < run.rounds && !run.signal.aborted; round += 1) {
    const { name, begin, end } = TROUBLES[round % TROUBLES.length]!;
    await traffic.untilMore(5 + run.chance.below(10));
    const began = begin(system, gate);
    await bothWays(`at the beginning of ${name}`); // nobody has noticed it yet
    await began;
    await bothWays(name);
    await traffic.untilMore(5);
    const ended = end(system, gate);
    await bothWays(`at the end of ${name}`);
    await ended;
  }
  await bothWays('afterwards');
  await traffic.stop();
  const { figures, violations } = await checkAll(system, acts.done);
  return {
    figures: {
      ...traffic.figures,
      'permissions taken': permissions.taken,
      stale: permissions.stale.length,
      ...figures,
    },
    violations: [
      ...permissions.stale,
      ...permissions.failed,
      ...traffic.complaints(),
      ...when(
        permissions.seen < permissions.taken,
        `${permissions.taken - permissions.seen} permissions were not there before`,
      ),
      ...system.ended(),
      ...violations,
    ],
  };
}
