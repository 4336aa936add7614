// Runs spec files alone, each in a process of its own: none may need what another one has set up. Arguments choose files by
// parts of their paths, `--ci` chooses ten by the hash of the commit; without arguments all run.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import setUpDatabase, { teardown as tearDownDatabase } from '../test/support/global-setup.mjs';
import { sourcesOf } from '../test/support/faults.ts';
import { fullNameOf, inLanes, onSignal, runJest, stopRuns, testsOf } from './jest.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CI = 10;

const all = sourcesOf(ROOT)
  .filter((path) => path.endsWith('.spec.ts'))
  .toSorted();

function chosenByCommit() {
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).stdout;
  const weight = (path) => createHash('sha1').update(`${commit} ${path}`).digest('hex');
  return all.toSorted((one, other) => (weight(one) < weight(other) ? -1 : 1)).slice(0, CI);
}

const parts = process.argv.slice(2);
const files = parts.includes('--ci')
  ? chosenByCommit()
  : all.filter((path) => parts.every((part) => path.includes(part)));

/** Why a file does not pass alone; nothing if it does. */
async function problemsOf(file) {
  const suite = (await runJest(ROOT, ['--maxWorkers=1', '--runTestsByPath', file])).get(file);
  const red = testsOf(suite).filter(({ status }) => status === 'failed');
  if (red.length > 0) return red.map((test) => `${fullNameOf(test)}\n${test.failureMessages[0]}`);
  const isDone = suite && suite.status !== 'failed'; // "focused" where a test was skipped
  return isDone ? [] : [suite?.message || 'The run broke off'];
}

onSignal(stopRuns);
const broken = [];
try {
  await setUpDatabase();
  await inLanes(files, async (file) => {
    const problems = await problemsOf(file);
    console.log(`${problems.length === 0 ? 'passed' : 'FAILED'} ${file}`);
    if (problems.length > 0) broken.push([file, ...problems].join('\n  '));
  });
} finally {
  stopRuns();
  await tearDownDatabase();
}
for (const text of broken) console.log(text);
console.log(`${files.length - broken.length} of ${files.length} spec files pass alone`);
process.exit(broken.length === 0 ? 0 : 1);
