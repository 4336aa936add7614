import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** How long the work of one request may hold the event loop before others get a turn. */
const SLICE_MS = 20;

/** How long upkeep rests after a slice, as a multiple of the time that the slice took: it works a quarter of the time. */
const REST = 3;
/** The longest rest: a slice that waited for a lock has burdened nobody meanwhile. */
const LONGEST_REST_MS = 1_000;

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

/** When a walk ends early. */
export interface WalkBounds {
  /** Ends the walk after a slice. */
  readonly signal?: AbortSignal | undefined;
  /** The number of slices. */
  readonly atMost?: number;
  /** Whether it rests between slices; false for an operator who waits for the end. */
  readonly rests?: boolean;
}

/**
 * Does upkeep that nobody waits for in slices: each step works on the rows after a cursor, and returns the next cursor or
 * undefined at the end. Rests after each slice in proportion to its time, so that readers do not feel it, however busy the
 * machine is (goal G1), unless somebody waits for the end. Returns the cursor at which it ended early.
 */
export async function walkSlices<Cursor>(
  first: Cursor,
  step: (after: Cursor) => Promise<Cursor | undefined>,
  { signal, atMost = Infinity, rests = true }: WalkBounds = {},
): Promise<Cursor | undefined> {
  let after: Cursor | undefined = first;
  for (let left = atMost; after !== undefined && left > 0 && signal?.aborted !== true; left -= 1) {
    const begun = performance.now();
    after = await step(after);
    if (rests && after !== undefined) await rest(performance.now() - begun, signal);
  }
  return after;
}

/** As {@link walkSlices}, without a cursor: repeats a step while it returns that more is to be done. */
export async function repeatSlices(step: () => Promise<boolean>): Promise<void> {
  await walkSlices(true, async () => (await step()) || undefined);
}

/** Maximum number of rows that one statement changes, where strangers or time decide how many there are. */
export const SLICE = 1_000;

/** Where the rows behind a slice begin: at its last id, if it has as many as fit; the ids are the newest first. */
export function remainderOf(ids: readonly string[]): string | undefined {
  return ids.length < SLICE ? undefined : ids.at(-1);
}

/**
 * Changes rows from an id down: each step changes the newest {@link SLICE} rows up to an id, and returns their ids. People wait
 * for the end, so it does not rest.
 * @param from nothing happens without it: there is no {@link remainderOf} a first slice that was not full
 */
export async function walkDown(
  from: string | undefined,
  step: (upTo: string) => Promise<readonly string[]>,
): Promise<void> {
  if (from !== undefined) await walkSlices(from, async (upTo) => remainderOf(await step(upTo)), { rests: false });
}

/** The rest after a slice, in milliseconds. */
export function restMsAfter(workedMs: number): number {
  return Math.min(workedMs * REST, LONGEST_REST_MS);
}

async function rest(workedMs: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(restMsAfter(workedMs), undefined, { signal }).catch(() => undefined); // aborted
}
