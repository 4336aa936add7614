import { ChangeLog } from '../database/change-log.js';
import type { ReadingRequest } from '../tracing/work.js';
import { ReadCache, type Reading } from './read-cache.js';

/* ADR 25: requests that want what another one reads at present wait for it, unless it may be too old for them. */

type Value = { readonly at: number };

let changes: ChangeLog;
let cache: ReadCache<Value>;
let current: ReadingRequest | undefined;
let isAllowed: boolean;
/** How each read that was begun is answered, and fails. */
let reads: { answer: (...subjects: string[]) => void; fail: () => void }[];

beforeEach(() => {
  changes = new ChangeLog();
  [current, isAllowed, reads] = [undefined, true, []];
  const use = {
    changes,
    get isAllowed() {
      return isAllowed;
    },
    get request() {
      return current;
    },
  };
  cache = new ReadCache(use, 1_000_000, () => 10);
});

/** Runs the first turn of work in a request that begins now. */
function request<T>(work: () => Promise<T>): Promise<T> {
  current = { start: changes.now, leads: 0 };
  return work();
}

function read(): Promise<Reading<Value>> {
  return new Promise((resolve, reject) => {
    const at = changes.now;
    reads.push({
      answer: (...subjects) => resolve({ value: { at }, subjects }),
      fail: () => reject(new Error('connection lost')),
    });
  });
}

const asked = (key = 'page') => request(() => cache.find(key, read));
/** Lets everything run that can. */
const settled = () => new Promise(setImmediate);

describe('reads of several requests (ADR 25)', () => {
  it('are one while nothing changes', async () => {
    const answers = Array.from({ length: 10 }, () => asked());
    expect(reads).toHaveLength(1);
    changes.note(['other']);
    answers.push(asked());
    await settled();
    reads[0]!.answer('a');
    expect(await Promise.all(answers)).toEqual(answers.map(() => ({ at: 0 })));
    expect(reads).toHaveLength(1);
  });

  it('are not used by a request that began after a change', async () => {
    const before = asked();
    changes.note(['a']);
    const late = [asked(), asked(), asked()];
    reads[0]!.answer('a');
    await settled();
    expect(reads).toHaveLength(2); // one of the late ones reads, for all
    reads[1]!.answer('a');
    expect(await before).toEqual({ at: 0 });
    expect(await Promise.all(late)).toEqual(late.map(() => ({ at: 1 })));
  });

  it('are not used by a request that has changed something since it began', async () => {
    const before = asked();
    const writer = request(async () => {
      const own = current;
      await settled();
      changes.note(['a']);
      current = own;
      return cache.find('page', read);
    });
    await settled();
    await settled();
    reads[0]!.answer('a');
    expect(await before).toEqual({ at: 0 });
    await settled();
    expect(reads).toHaveLength(2);
    reads[1]!.answer('a');
    expect(await writer).toEqual({ at: 1 });
  });

  it('are used by what began before a change, and not stored', async () => {
    const answers = [asked(), asked()];
    changes.note(['a']);
    reads[0]!.answer('a');
    await Promise.all(answers);
    expect(cache.get('page')).toBeUndefined();
  });

  it('are as many as the changes, however many requests there are, while it changes more often than it can be read', async () => {
    const first = asked();
    reads[0]!.answer('a');
    await first; // what the page depends on is known from here on
    const answers: Promise<Value>[] = [];
    for (let change = 0; change < 5; change += 1) {
      changes.note(['a']);
      for (let caller = 0; caller < 20; caller += 1) answers.push(asked());
    }
    await settled();
    expect(reads).toHaveLength(1 + 5);
    for (const { answer } of reads) answer('a');
    const times = (await Promise.all(answers)).map(({ at }) => at);
    expect(times).toEqual([1, 2, 3, 4, 5].flatMap((at) => Array.from({ length: 20 }, () => at)));
  });

  it('fail for the one that reads only', async () => {
    const [failing, ...others] = [asked(), asked(), asked()];
    reads[0]!.fail();
    await expect(failing).rejects.toThrow('connection lost');
    await settled();
    expect(reads).toHaveLength(2);
    reads[1]!.answer('a');
    expect(await Promise.all(others)).toEqual([{ at: 0 }, { at: 0 }]);
  });

  it('never wait for each other in a circle', async () => {
    const nested = (outer: string, inner: string) =>
      request(() => {
        const own = current;
        return cache.find(outer, async () => {
          await settled();
          current = own;
          return {
            value: await cache.find(inner, () => Promise.resolve({ value: { at: 9 }, subjects: [] })),
            subjects: [],
          };
        });
      });
    expect(await Promise.all([nested('a', 'b'), nested('b', 'a')])).toEqual([{ at: 9 }, { at: 9 }]);
  });

  it('are not shared in a unit of work, or outside of requests', async () => {
    const answers = [asked()];
    isAllowed = false;
    answers.push(asked());
    isAllowed = true;
    current = undefined;
    answers.push(cache.find('page', read));
    expect(reads).toHaveLength(3);
    for (const { answer } of reads) answer('a');
    await Promise.all(answers);
  });

  it('are shared one by one of those that several want', async () => {
    const many = (...ids: string[]) =>
      request(() =>
        cache.findMany(
          ids,
          (id) => `key ${id}`,
          async (missing) => new Map(await Promise.all(missing.map(async (id) => [id, await read()] as const))),
        ),
      );
    const first = many('1', '2');
    const second = many('2', '3');
    expect(reads).toHaveLength(3);
    for (const { answer } of reads) answer('a');
    expect([...(await first).keys()]).toEqual(['1', '2']);
    expect([...(await second).keys()].sort()).toEqual(['2', '3']);
  });
});
