import { inSlices } from './slices.js';

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
