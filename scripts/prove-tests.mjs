// Proves the tests: plants known faults (test/faults), one at a time in a scratch copy of the tree, and requires that each
// spec file of the fault fails by an expectation; a crash proves nothing. Unchanged they must pass.
// Arguments choose faults by parts of their names; `--ci` chooses every second one of the core (access, visibility, durability, trust) and some
// whose sources or specs differ from the upstream branch, or from the commit in CHANGED_SINCE; it skips the unchanged tests,
// since `npm test` has just passed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import setUpDatabase, { teardown as tearDownDatabase } from '../test/support/global-setup.mjs';
import { CORE, MOST, plant, readFaults, sourcesOf } from '../test/support/faults.ts';
import { fullNameOf, inLanes, LANES, onSignal, runJest, stopRuns, testsOf } from './jest.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Not copied; the first two are linked, since they do not change. */
const LINKED = ['node_modules', 'dist'];
const LEFT_OUT = new Set([...LINKED, '.git', 'data', 'coverage']);
/** The tries for a missed fault: races do not show in every run. */
const TRIES = 3;

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'svc-faults-')));

/** Stops all runs and removes the copies. */
function cleanUp() {
  stopRuns();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10 });
}
onSignal(cleanUp);

/** A copy of the tree for planted faults; each lane has its own. */
function makeCopy(lane) {
  const copy = join(scratch, `copy-${lane}`);
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(ROOT, path)) });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name));
  return copy;
}

/** Runs the tests of spec files whose names match. */
function runTests(copy, specs, tests, workers) {
  const args = [`--maxWorkers=${workers}`, `--testNamePattern=${tests}`, ...specs];
  return runJest(copy, args, { STOP_AT_FIRST_FAILURE: '1' });
}

/**
 * The failures of the unchanged tests: the tests of each fault must pass in each of its spec files. A spec file
 * with a failure is run once more, and a second failure is printed: `npm test` finds unstable tests.
 */
async function failuresUnchanged(copy, faults) {
  const specs = [...new Set(faults.flatMap((fault) => fault.specs))];
  const pattern = faults.map(({ tests }) => tests).join('|');
  const results = await runTests(copy, specs, pattern, LANES);
  const doubtful = specs.filter((spec) => testsOf(results.get(spec)).some(isRed));
  if (doubtful.length > 0) {
    for (const spec of doubtful)
      testsOf(results.get(spec))
        .filter(isRed)
        .forEach((test) => console.log(`red at try 1: ${told(test)}`));
    for (const [spec, suite] of await runTests(copy, doubtful, pattern, LANES)) results.set(spec, suite);
  }
  const all = [...results.values()].flatMap(testsOf);
  const red = all.filter(isRed);
  const idle = faults.flatMap(({ name, specs, tests }) =>
    specs
      .filter((spec) => !testsOf(results.get(spec)).some((test) => isGreen(test, tests)))
      .map((spec) => `${name}: no green test like /${tests}/ in ${spec}`),
  );
  console.log(
    `unchanged: ${all.filter(({ status }) => status === 'passed').length} tests are green, ${red.length} red`,
  );
  return [...red.map(told), ...idle];
}

function isRed({ status }) {
  return status === 'failed';
}

function told(test) {
  return `${fullNameOf(test)}: ${firstLines(test.failureMessages[0])}`;
}

function isGreen(test, tests) {
  return test.status === 'passed' && new RegExp(tests, 'i').test(fullNameOf(test));
}

function firstLines(message = '') {
  return message.split('\n').slice(0, 3).join(' ').trim();
}

/** Plants a fault, runs its tests and removes it. Returns why the tests missed it, nothing if they found it. */
async function whyMissed(copy, { specs, files, tests }) {
  const write = (root, paths) => paths.forEach(([path, text]) => writeFileSync(join(root, path), text));
  const originals = [...files.keys()].map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]);
  write(copy, [...files]);
  try {
    const results = await runTests(copy, specs, tests, 1);
    return specs.map((spec) => whyGreen(spec, results.get(spec))).filter(Boolean);
  } finally {
    write(copy, originals);
  }
}

function whyGreen(spec, suite) {
  const messages = testsOf(suite).flatMap(({ failureMessages }) => failureMessages ?? []);
  if (messages.some(isFailedExpectation)) return undefined;
  if (suite?.status !== 'failed') return `${spec} stayed green`;
  return `${spec} crashed, which proves nothing: ${firstLines(messages[0] ?? suite.message)}`;
}

/** The messages of `expect`, of supertest and of `assert`. */
function isFailedExpectation(message) {
  return /^ *(Error: expect\(|Error: expected \d{3} |AssertionError)/m.test(message);
}

async function prove(faults) {
  const misfits = faults.flatMap(({ name, misfits }) => misfits.map((why) => `${name}: ${why}`));
  if (misfits.length > 0) {
    console.error(misfits.join('\n'));
    return false;
  }
  const copies = Array.from({ length: LANES }, (_, lane) => makeCopy(lane));
  const broken = isCi ? [] : await failuresUnchanged(copies[0], faults);
  if (broken.length > 0) {
    console.error(broken.join('\n'));
    return false;
  }
  const missed = [];
  const first = faults.map((fault) => ({ fault, tries: 1 }));
  await inLanes(first, async ({ fault, tries }, lane, again) => {
    const started = Date.now();
    const reasons = await whyMissed(copies[lane], fault);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const lines = [`${fault.name} (${seconds} s, try ${tries})`, ...reasons].join('\n       ');
    console.log(`${reasons.length === 0 ? 'found ' : 'MISSED'} ${lines}`);
    if (reasons.length === 0) return;
    if (tries < TRIES) again({ fault, tries: tries + 1 });
    else missed.push(lines);
  });
  for (const lines of missed) console.log(`MISSED ${lines}`);
  console.log(`${faults.length - missed.length} of ${faults.length} planted faults found`);
  return missed.length === 0;
}

/**
 * The files that differ from the target of this change: the commit in CHANGED_SINCE, or where the
 * branch left the remote branch. Without such a history, none.
 */
function changedFiles() {
  const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? '';
  const upstream = ['@{upstream}', 'origin/HEAD', 'origin/main'].find((ref) => git('rev-parse', '--verify', '-q', ref));
  const since = process.env.CHANGED_SINCE || upstream;
  const base = since && git('merge-base', 'HEAD', since);
  return base ? git('diff', '--name-only', base, '--').split('\n') : [];
}

/** Every second fault of the core, for CI has 20 minutes, and as many faults with changed sources or specs as time allows, spread evenly. */
function chosenForCi(faults) {
  const planted = readFaults(ROOT, CORE).filter((_, at) => at % 2 === 0);
  const core = new Set(planted.map(({ name }) => name));
  const changed = new Set(changedFiles());
  const isTouched = ({ name, specs, files }) =>
    !core.has(name) && [...specs, ...files.keys()].some((path) => changed.has(path));
  const touched = faults.filter(isTouched);
  const step = Math.max(1, touched.length / MOST.touched);
  const some = touched.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  console.log(`${core.size} faults of the core, and ${some.length} of ${touched.length} whose files changed`);
  return faults.filter((fault) => core.has(fault.name) || some.includes(fault));
}

const paths = sourcesOf(ROOT);
const all = readFaults(ROOT).map((fault) => ({ ...fault, ...plant(ROOT, paths, fault) }));
const isCi = process.argv.includes('--ci');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--ci');
const faults = (isCi ? chosenForCi(all) : all).filter(({ name }) => wanted.every((part) => name.includes(part)));
try {
  if (faults.length === 0) throw new Error(`No planted fault is called ${wanted.join(' ')}`);
  await setUpDatabase();
  process.exitCode = (await prove(faults)) ? 0 : 1;
} finally {
  cleanUp();
  await tearDownDatabase();
}
