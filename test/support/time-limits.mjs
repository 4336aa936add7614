// Loaded before the spec files of a process (jest.config.js), whose runner has no time limits: a test or hook that hangs
// fails. With STOP_AT_FIRST_FAILURE no test of a spec file runs after a failed expectation (scripts/prove-tests.mjs).
const LONGEST_MS = 90_000;
const { afterAll, afterEach, beforeAll, beforeEach, clearTimeout, expect, it, setTimeout } = globalThis; // tests fake timers

let fileWithFailure;

function inTime(work, ms = LONGEST_MS) {
  return async (...values) => {
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`It takes longer than ${ms / 1_000} s`)), ms);
    });
    try {
      await Promise.race([work(...values), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function untilFailure(work) {
  return async (...values) => {
    const { testPath } = expect.getState();
    if (fileWithFailure === testPath) return;
    try {
      await work(...values);
    } catch (error) {
      if (/expect\(|^expected \d{3} /.test(error?.message)) fileWithFailure = testPath;
      throw error;
    }
  };
}

const stopsEarly = Boolean(process.env.STOP_AT_FIRST_FAILURE);
const hook = (register) => (work, ms) => register(inTime(work, ms));
const test = (register) => (name, work, ms) =>
  register(name, stopsEarly ? untilFailure(inTime(work, ms)) : inTime(work, ms));

Object.assign(globalThis, {
  afterAll: hook(afterAll),
  afterEach: hook(afterEach),
  beforeAll: hook(beforeAll),
  beforeEach: hook(beforeEach),
  it: Object.assign(test(it), it, { each: (table) => test(it.each(table)) }),
});
