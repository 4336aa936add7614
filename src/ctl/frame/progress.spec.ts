import { Progress } from './progress.js';

const linesOf = (expected: number, steps: readonly number[]) => {
  const lines: string[] = [];
  const progress = new Progress('counters', expected, (line) => lines.push(line));
  for (const done of steps) progress.reach(done);
  return lines;
};

describe('Progress', () => {
  it('tells the begin and each tenth of many rows once, however small the steps are', () => {
    const steps = Array.from({ length: 100 }, (_, at) => (at + 1) * 2_000);
    const lines = linesOf(200_000, steps);
    expect(lines).toHaveLength(11);
    expect(lines.slice(0, 2)).toEqual([
      '...    counters: 0 of about 200000 rows',
      '...    counters: 20000 of about 200000 rows',
    ]);
  });

  it('tells one line for a step over several tenths, and goes on beyond a wrong estimate', () => {
    expect(linesOf(100_000, [35_000, 36_000, 200_000])).toHaveLength(3);
  });

  it('says nothing about few rows', () => {
    expect(linesOf(99_999, [50_000, 99_999])).toEqual([]);
  });
});
