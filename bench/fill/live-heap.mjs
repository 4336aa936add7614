/* Loaded into the server by the benchmark, with --expose-gc: SIGUSR2 collects all garbage and prints what is left. */
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** Collects twice: what finalizers let go of is only garbage for the second collection. */
async function liveMb() {
  for (let round = 0; round < 2; round += 1) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return `live heap ${((heapUsed + external) / 2 ** 20).toFixed(1)}`;
}

if (isMainThread) process.on('SIGUSR2', () => void liveMb().then((line) => console.log(line)));
