import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long the work of one request may hold the event loop before others get a turn. */
const SLICE_MS = 20;

/**
 * Works on items one after the other and returns the results. Lets other requests have a turn whenever
 * {@link SLICE_MS} have passed: what grows with rows or parts of one request must not hold up all others (threat P7).
 */
export async function inSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let end = performance.now() + SLICE_MS;
  for (const item of items) {
    const result = work(item);
    results.push(result instanceof Promise ? await result : result);
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + SLICE_MS;
  }
  return results;
}
