import { Batches } from './batches.js';

describe('batches', () => {
  it('run once for all simultaneous callers, and once for callers during the run', async () => {
    const runs: number[][] = [];
    const first = Promise.withResolvers<undefined>();
    const batches = new Batches<number, number>(async (items) => {
      runs.push([...items]);
      if (runs.length === 1) await first.promise;
      return items.map((item) => 10 * item);
    });
    const early = [batches.add(1), batches.add(2)];
    await new Promise(setImmediate);
    const late = [batches.add(3), batches.add(4)];
    first.resolve(undefined);
    expect(await Promise.all([...early, ...late])).toEqual([10, 20, 30, 40]);
    expect(runs).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await batches.add(5)).toBe(50);
  });

  it('fail for all callers of a failed run, and continue with later callers', async () => {
    let isBroken = true;
    const batches = new Batches<number, number>((items) =>
      isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(items),
    );
    const both = await Promise.allSettled([batches.add(1), batches.add(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await batches.add(3)).toBe(3);
  });
});
