// The runner has no time limit for tests: this ends the process of a test that hangs, and names it.
const LONGEST_MS = 240_000;
const LOOK_MS = 5_000;

let last;
let since = Date.now();

setInterval(() => {
  const { testPath, currentTestName } = globalThis.expect.getState();
  const now = `${testPath}: ${currentTestName ?? ''}`;
  if (now !== last) [last, since] = [now, Date.now()];
  if (Date.now() - since < LONGEST_MS) return;
  process.stderr.write(`Hangs for ${LONGEST_MS / 1_000} s, in or after ${now}\n`);
  process.exit(1);
}, LOOK_MS).unref();
