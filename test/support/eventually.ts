import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 30_000;

/** Repeats the assertions until they hold; fails with their error after a timeout. */
export async function eventually<T>(assertions: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(10);
    }
  }
}
