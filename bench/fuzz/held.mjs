// Loaded into the server (`--import`): writes each time that the event loop was held to HELD_FILE, one a line, as the CPU
// time of its thread in milliseconds. So a busy machine makes no difference.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 5;
const NOTABLE_MS = 10;
const file = process.env['HELD_FILE'];

if (file !== undefined && isMainThread) {
  let last = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    const ms = (user + system) / 1_000;
    if (ms > NOTABLE_MS) appendFileSync(file, `${Math.round(ms)}\n`);
  }, TICK_MS).unref();
}
