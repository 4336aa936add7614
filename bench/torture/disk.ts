import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Scratch, until } from '../../test/process/scratch.ts';
import { Acts } from './acts.ts';
import { checkAll } from './check.ts';
import { type Kind, type Outcome, type Run, when } from './kind.ts';
import { System } from './system.ts';
import { type Act, Traffic } from './traffic.ts';

const APPS = 3;
const MEDIA_MB = 200;
const DATABASE_MB = 400;
/** So many writes fail before there is room again. */
const FAILURES = 20;
const BLOCK = Buffer.alloc(1024 * 1024);
const MOST_BACK_MS = 30_000;

const POSTS: readonly Act[] = [(acts, send) => acts.post(send), (acts, send) => acts.favourite(send)];
const UPLOADS: readonly Act[] = [(acts, send) => acts.upload(send)];

const OTHERS: readonly Act[] = [
  (acts, send) => acts.follow(send),
  (acts, send) => acts.chatMessage(send),
  (acts, send) => acts.importFollows(send),
  (acts, send) => acts.orderArchive(send),
];

/** A disk for media that is full, then a disk for the database; needs the right to mount file systems in memory. */
export const disk: Kind = {
  rounds: 5,
  short: 1,
  async *run(run) {
    yield await fullMedia(run);
    yield await fullDatabase(run);
  },
};

/** Uploads are refused while the disk is full, posts go on, and what was acknowledged is whole. */
async function fullMedia(run: Run): Promise<Outcome> {
  await using undo = new AsyncDisposableStack();
  const system = undo.use(await System.build(run, { roles: [] }));
  const folder = join(system.stage.folder, 'small');
  undo.defer(mount(folder, MEDIA_MB));
  await system.add('all', { DATA_DIR: folder });
  const acts = await Acts.prepare(system);
  const balancer = system.balancer(false);
  undo.defer(() => balancer.close());
  const posts = new Traffic(system, balancer, acts, run.chance, POSTS);
  const uploads = new Traffic(system, balancer, acts, run.chance, UPLOADS);
  const all = new Traffic(system, balancer, acts, run.chance);
  const back: number[] = [];
  const wrong: string[] = [];
  all.start(APPS);
  await all.untilMore(60);
  await all.stop();
  posts.start(APPS);
  for (let round = 0; round < run.rounds && !run.signal.aborted; round += 1) {
    uploads.start(1);
    await uploads.untilMore(3);
    fill(folder);
    const refused = uploads.failures.length;
    await posts.untilMore(10).catch(() => wrong.push('no posts while the disk was full'));
    await until('an upload that fails', () => uploads.failures.length > refused).catch(() =>
      wrong.push('no upload failed on the full disk: the run proves nothing'),
    );
    rmSync(join(folder, 'filling'));
    const start = performance.now();
    await uploads.untilMore(1);
    back.push(performance.now() - start);
    await uploads.stop();
  }
  await posts.stop();
  const slowest = Math.round(Math.max(...back));
  const { figures, violations } = await checkAll(system, acts.done);
  return {
    part: 'media',
    figures: {
      'uploads refused': uploads.failures.length,
      'others failed': posts.failures.length + all.failures.length,
      'slowest back ms': slowest,
      ...figures,
    },
    violations: [
      ...uploads.complaints(/^50[37]$/),
      ...posts.complaints(),
      ...all.complaints(),
      ...wrong,
      ...when(slowest > MOST_BACK_MS, `an upload succeeded ${slowest} ms after there was room`),
      ...system.ended(),
      ...violations,
    ],
  };
}

/** Writes are answered with 503 while PostgreSQL has no room; it is started again, if it has ended, when there is some. */
async function fullDatabase(run: Run): Promise<Outcome> {
  await using undo = new AsyncDisposableStack();
  const scratch = new Scratch();
  undo.defer(() => scratch.remove());
  const parent = join(scratch.root, 'small');
  undo.defer(mount(parent, DATABASE_MB));
  const settings = { max_wal_size: '64MB', min_wal_size: '32MB' };
  const system = undo.use(await System.build(run, { roles: [], parent, postgres: settings }));
  await system.add('all', { DATA_DIR: scratch.dataDir() });
  const acts = await Acts.prepare(system);
  const balancer = system.balancer(false);
  undo.defer(() => balancer.close());
  const traffic = new Traffic(system, balancer, acts, run.chance, POSTS);
  const back: number[] = [];
  const wrong: string[] = [];
  for (let round = 0; round < run.rounds && !run.signal.aborted; round += 1) {
    traffic.start(APPS);
    await traffic.untilMore(20);
    fill(parent);
    const goal = traffic.failures.length + FAILURES;
    await until('writes that fail', () => traffic.failures.length >= goal).catch(() =>
      wrong.push(`fewer than ${FAILURES} writes failed on the full disk`),
    );
    rmSync(join(parent, 'filling'));
    const start = performance.now();
    await system.stage.startDatabase();
    await traffic.untilMore(1);
    back.push(performance.now() - start);
    await traffic.stop();
  }
  await traffic.answerDrafts();
  const slowest = Math.round(Math.max(...back));
  for (const act of [...UPLOADS, ...OTHERS]) await traffic.once(act);
  const { figures, violations } = await checkAll(system, acts.done);
  return {
    part: 'database',
    figures: { 'writes failed': traffic.failures.length, 'slowest back ms': slowest, ...figures },
    violations: [
      ...traffic.complaints(/^503$/),
      ...wrong,
      ...when(slowest > MOST_BACK_MS, `a write succeeded ${slowest} ms after there was room`),
      ...system.ended(),
      ...violations,
    ],
  };
}

/** Mounts a small file system; returns what removes it. */
function mount(folder: string, megabytes: number): () => void {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]);
  return () => void execFileSync('umount', ['-l', folder]);
}

/** Writes until nothing fits any more. */
function fill(folder: string): void {
  const file = openSync(join(folder, 'filling'), 'w');
  try {
    for (;;) if (writeSync(file, BLOCK) < BLOCK.length) return;
  } catch (error) {
    if (statfsSync(folder).bavail > 1_024) throw error;
  } finally {
    closeSync(file);
  }
}
