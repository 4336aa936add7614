import { inSlices, restMsAfter, walkSlices } from './slices.js';

describe('inSlices', () => {
  afterEach(() => jest.restoreAllMocks());

  /** A clock that is so many milliseconds later at each look. */
  const clockOf = (stepMs: number) => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
  };
  /** How many items are done when another request gets a turn. */
  const doneAtTheTurnOfOthers = async (count: number) => {
    let done = 0;
    const turn = new Promise<number>((resolve) => setImmediate(() => resolve(done)));
    await inSlices(Array(count).keys(), () => (done += 1));
    return turn;
  };

  it('returns the results in order, also of promises', async () => {
    const results = await inSlices([3, 1, 2], (item) => (item === 1 ? Promise.resolve(item * 2) : item * 2));
    expect(results).toEqual([6, 2, 4]);
  });

  it('yields to other work after twenty milliseconds', async () => {
    clockOf(9);
    expect(await doneAtTheTurnOfOthers(10)).toBe(3);
  });

  it('does not yield during short work', async () => {
    clockOf(1);
    expect(await doneAtTheTurnOfOthers(10)).toBe(10);
  });

  it('stops at the first item that fails, and asks for no further one', async () => {
    const asked: number[] = [];
    function* items() {
      for (let at = 0; ; at += 1) {
        asked.push(at);
        yield at;
      }
    }
    const work = (item: number) => {
      if (item === 2) throw new Error('enough');
    };
    await expect(inSlices(items(), work)).rejects.toThrow('enough');
    expect(asked).toEqual([0, 1, 2]);
  });
});

describe('walkSlices', () => {
  const toTheThird = (at: number) => Promise.resolve(at < 3 ? at + 1 : undefined);

  it('walks from cursor to cursor, and returns where it ended early', async () => {
    expect(await walkSlices(1, toTheThird)).toBeUndefined();
    expect(await walkSlices(1, toTheThird, { atMost: 1 })).toBe(2);
  });

  it('rests after a slice, until it is told to stop', async () => {
    const stopping = new AbortController();
    const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(10_000);
    setImmediate(() => stopping.abort());
    expect(await walkSlices(1, toTheThird, { signal: stopping.signal })).toBe(2);
    expect(clock).toHaveBeenCalledTimes(2); // one slice
    clock.mockRestore();
  });

  it.each([
    [10, 30],
    [200, 600],
    [60_000, 1_000],
  ])('rests for three times as long, at most a second: %i ms', (workedMs, restMs) => {
    expect(restMsAfter(workedMs)).toBe(restMs);
  });
});
