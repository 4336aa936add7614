// Runs spec files in processes of their own, for the other scripts.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** The arguments with which `npm test` starts Node. */
export const JEST = scripts.test.replace(/^exec node /, '').split(' ');
/** How many runs go on at the same time: one more than cores, since each waits for PostgreSQL. */
export const LANES = Math.min(3, availableParallelism() + 1);

const children = new Set();

/** Stops all runs. The guard of each test database notices the death of its run. */
export function stopRuns() {
  for (const child of children) {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it has ended
    }
  }
}

/** Calls `cleanUp` before a signal ends this process. */
export function onSignal(cleanUp) {
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]) {
    process.once(signal, () => {
      cleanUp();
      process.exit(128 + number);
    });
  }
}

/**
 * Runs tests in the tree `cwd`, with further variables of the environment. Returns the results of jest by spec file: none
 * for a run that broke off.
 */
export async function runJest(cwd, args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-jest-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const outputFile = join(folder, 'results.json');
  const child = spawn(process.execPath, [...JEST, '--json', `--outputFile=${outputFile}`, '--forceExit', ...args], {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  children.add(child);
  await new Promise((resolve) => child.once('close', resolve));
  children.delete(child);
  const { testResults } = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')) : { testResults: [] };
  removeFolder();
  process.off('exit', removeFolder);
  return new Map(testResults.map((suite) => [relative(cwd, suite.name), suite]));
}

/** The results of the tests of a spec file. */
export function testsOf(suite) {
  return suite?.assertionResults ?? [];
}

export function fullNameOf({ ancestorTitles, title }) {
  return [...ancestorTitles, title].join(' ');
}

/** Calls `work` for each item, with the number of its lane and a function that adds an item, as many at a time as there are lanes. */
export async function inLanes(items, work) {
  const waiting = [...items];
  const lane = async (number) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item, number, (again) => waiting.push(again));
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
}
