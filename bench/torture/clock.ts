import { existsSync, writeFileSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';
import { Acts } from './acts.ts';
import { checkAll } from './check.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { System } from './system.ts';
import { Traffic } from './traffic.ts';

const APPS = 3;
const LIBRARY = `/usr/lib/${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`;
/** What the clock of the server is off by, in seconds, one after the other. */
const STEPS = [3_600, 0, -3_600, 0, 40 * 86_400, 0];

/** A clock that goes an hour forth and back, and leaps by 40 days and back, under load; the clock of the database stays right. */
export const clock: Kind = {
  rounds: 30,
  short: STEPS.length,
  async *run(run) {
    yield await steps(run);
  },
};

/** @throws Error without libfaketime, the Debian package of that name */
async function steps(run: Run): Promise<Outcome> {
  if (!existsSync(LIBRARY)) throw new Error(`${LIBRARY} is missing: install the package libfaketime`);
  await using system = await System.build(run, { roles: [] });
  const file = join(system.stage.folder, 'clock');
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`);
  set(0);
  const faked = { FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  await system.add('all', { LD_PRELOAD: LIBRARY, ...faked });
  const acts = await Acts.prepare(system);
  const balancer = system.balancer(false);
  const traffic = new Traffic(system, balancer, acts, run.chance);
  const tokens = new Tokens(system);
  const far = await serverClock(system);
  traffic.start(APPS);
  await traffic.untilEach();
  let widest = 0;
  let older = 0;
  for (let round = 0; round < run.rounds && !run.signal.aborted; round += 1) {
    await tokens.issue();
    await traffic.untilMore(10 + run.chance.below(20));
    const step = STEPS[round % STEPS.length]!;
    const newest = acts.done.newestPost;
    set(step);
    if (step < 0) await restart(system, traffic);
    const reply = await traffic.once((all, send) => all.post(send));
    const { id = '' } = (reply?.body ?? {}) as { id?: string };
    if (id <= newest) older += 1;
    widest = Math.max(widest, Math.abs((await serverClock(system)) - far));
    await tokens.askAll();
    await traffic.untilMore(20);
    await tokens.askAll();
  }
  set(0);
  await traffic.stop();
  await tokens.askAll();
  balancer.close();
  const { figures, violations } = await checkAll(system, acts.done);
  const ids = acts.done.posts.map(({ id }) => id);
  const twice = ids.length - new Set(ids).size;
  return {
    figures: {
      ...traffic.figures,
      'ids twice': twice,
      'ids out of order': older,
      'tokens dead': tokens.dead,
      'alive again': tokens.alive.length,
      ...figures,
    },
    violations: [
      ...when(twice > 0, `${twice} ids twice`),
      ...when(older > 0, `${older} posts have ids below those of older ones`),
      ...tokens.alive,
      ...traffic.complaints(),
      ...when(widest < 3_000_000, 'the clock did not move: the run proves nothing'),
      ...when(tokens.dead < run.rounds, `${run.rounds - tokens.dead} revoked tokens were never refused`),
      ...system.ended(),
      ...violations,
    ],
  };
}

/** A start with a clock that is behind the newest posts. */
async function restart(system: System, traffic: Traffic): Promise<void> {
  await traffic.stop();
  for (const server of system.servers) await system.end(server, 'SIGTERM');
  await system.startEnded();
  traffic.start(APPS);
}

/** The time of the server in milliseconds, as it says in its answers. */
async function serverClock({ servers }: System): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${servers[0]!.port}/health/live`);
  return Date.parse(answer.headers.get('date') ?? '');
}

/** Tokens that are revoked: one that was refused once must never be accepted again. */
class Tokens {
  readonly alive: string[] = [];
  private readonly living = new Set<string>();
  private readonly refused = new Set<string>();

  constructor(private readonly system: System) {}

  get dead(): number {
    return this.refused.size;
  }

  async issue(): Promise<void> {
    const [token] = (await this.system.issueTokens([await this.system.accountId('reader')])) as [string];
    this.living.add(token);
    await this.askAll();
    await this.system.revoke(token, this.system.servers[0]!);
  }

  /** Asks with every token. */
  async askAll(): Promise<void> {
    for (const token of [...this.living, ...this.refused]) {
      const { status } = await fetch(
        `http://127.0.0.1:${this.system.servers[0]!.port}/api/v1/accounts/verify_credentials`,
        {
          headers: { authorization: `Bearer ${token}` },
        },
      );
      if (status === 200 && this.refused.has(token)) this.alive.push(`a token that was refused is accepted again`);
      if (status !== 401) continue;
      this.living.delete(token);
      this.refused.add(token);
    }
  }
}
