import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitMsOf } from '../processes.ts';
import { Acts } from './acts.ts';
import { checkAll } from './check.ts';
import { Gate } from './gate.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { Replica } from './replica.ts';
import { System } from './system.ts';
import { type Act, Traffic } from './traffic.ts';

const APPS = 4;
const ROLE = 'plain';
const PASSWORD = 'plain';
/** How long something is wrong, in milliseconds. */
const WRONG_MS = 1_000;
const MOST_BACK_MS = 1_000;

/** Everything that writes. */
const WRITES: readonly Act[] = [
  (acts, send) => acts.post(send),
  (acts, send) => acts.favourite(send),
  (acts, send) => acts.follow(send),
  (acts, send) => acts.chatMessage(send),
  (acts, send) => acts.upload(send),
  (acts, send) => acts.importFollows(send),
  (acts, send) => acts.orderArchive(send),
];

/** Something that happens to PostgreSQL, and its end. */
interface Trouble {
  readonly name: string;
  readonly begin: (system: System) => unknown;
  readonly end: (system: System) => unknown;
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'restart',
    begin: ({ stage }) => stage.killDatabase(),
    end: ({ stage }) => stage.startDatabase(),
  },
  { name: 'terminate', begin: endSessions, end: () => undefined },
  {
    name: 'connection limit',
    begin: async (system) => {
      await system.stage.sql.query(`alter role ${ROLE} connection limit 1`);
      await endSessions(system);
    },
    end: ({ stage }) => stage.sql.query(`alter role ${ROLE} connection limit -1`),
  },
  {
    name: 'slow disk',
    begin: ({ stage }) => configure(stage, `commit_delay = 100000`, 'commit_siblings = 0'),
    end: ({ stage }) => configure(stage, 'commit_delay = 0', 'commit_siblings = 5'),
  },
];

/** PostgreSQL that ends, refuses, is slow, can only be read, or is replaced by its copy, under a server with a plain role. */
export const postgres: Kind = {
  rounds: 40,
  short: TROUBLES.length,
  async *run(run) {
    yield await troubleRounds(run);
  },
};

async function troubleRounds(run: Run): Promise<Outcome> {
  const { rounds, chance, signal } = run;
  await using undo = new AsyncDisposableStack();
  const system = undo.use(await System.build(run, { roles: [] }));
  const { stage } = system;
  await makeRole(system);
  const gate = undo.use(await Gate.open({ path: socketOf(stage.address) }));
  const { listener } = await system.add('all', {
    DATABASE_URL: `postgres://${ROLE}:${PASSWORD}@127.0.0.1:${gate.port}/${stage.address.database}`,
  });
  const acts = await Acts.prepare(system);
  const balancer = system.balancer(false);
  undo.defer(() => balancer.close());
  const traffic = new Traffic(system, balancer, acts, chance, WRITES);
  const back: number[] = [];
  const slow: string[] = [];
  /** How long the server had no core. */
  const waitMs = () => waitMsOf(listener.pid);
  const measured = async (name: string, end: () => unknown) => {
    await end();
    const [start, waited] = [performance.now(), waitMs()];
    await traffic.untilMore(1).catch(() => undefined); // what never came is slow
    back.push(performance.now() - start - (waitMs() - waited));
    if (back.at(-1)! > MOST_BACK_MS) slow.push(`${name}: the first success came after ${Math.round(back.at(-1)!)} ms`);
  };
  traffic.start(APPS);
  await traffic.untilEach();
  for (let round = 0; round < rounds && !signal.aborted; round += 1) {
    const { name, begin, end } = TROUBLES[round % TROUBLES.length]!;
    await traffic.untilMore(10 + chance.below(20));
    await begin(system);
    await delay(WRONG_MS);
    await measured(name, () => end(system));
  }
  const replica = await Replica.follow(stage);
  await traffic.untilMore(10);
  stage.killDatabase();
  gate.redirect({ path: socketOf(replica.address) });
  await delay(WRONG_MS / 2);
  const before = traffic.failures.length;
  await delay(WRONG_MS / 2); // it can be read only
  const readOnly = traffic.failures.length - before;
  await measured('failover', async () => {
    const promoted = await replica.promote();
    undo.defer(() => promoted.stop());
    await stage.connectTo(promoted.address);
  });
  await traffic.untilMore(10);
  await traffic.stop();
  await traffic.answerDrafts();
  const { figures, violations } = await checkAll(system, acts.done);
  const refused = traffic.failures.filter((what) => what === '503').length;
  return {
    figures: {
      acknowledged: figures['acknowledged'] ?? 0,
      lost: figures['lost'] ?? 0,
      undelivered: figures['undelivered'] ?? 0,
      'answers 503': refused,
      'other failures': traffic.failures.length - refused,
      'slowest back ms': Math.round(Math.max(...back)),
    },
    violations: [
      ...system.ended(),
      ...traffic.complaints(/^503$/),
      ...when(readOnly === 0, 'nothing failed on the read-only copy: the run proves nothing about it'),
      ...slow,
      ...violations,
    ],
  };
}

function socketOf({ host, port }: { host: string; port: number }): string {
  return join(host, `.s.PGSQL.${port}`);
}

/** The owner of all tables without other rights. */
async function makeRole({ stage }: System): Promise<void> {
  await stage.sql.query(`create role ${ROLE} login password '${PASSWORD}';
    alter database ${stage.address.database} owner to ${ROLE};
    do $$ declare one record; begin
      for one in select tablename from pg_tables where schemaname = 'public' loop
        execute format('alter table %I owner to ${ROLE}', one.tablename);
      end loop;
    end $$`);
}

async function endSessions({ stage }: System): Promise<void> {
  await stage.sql.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`);
}

async function configure(stage: System['stage'], ...settings: string[]): Promise<void> {
  for (const setting of settings) await stage.sql.query(`alter system set ${setting}`);
  await stage.sql.query('select pg_reload_conf()');
}
