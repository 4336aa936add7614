import { scheduledName, surplusBackups, timeOfName } from './retention.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const FIRST = Date.parse('2025-01-01T00:30:00Z');
const timeOf = (day: number) => new Date(FIRST + day * DAY_MS);
const nameOf = (day: number) => scheduledName(timeOf(day), false);
const LATER = timeOf(1_000);

describe('surplusBackups', () => {
  it('leaves the newest of 7 days, 4 weeks and 6 months after a year of daily pruning', () => {
    let names: string[] = [];
    for (let day = 0; day < 365; day += 1) {
      names.push(nameOf(day));
      const surplus = surplusBackups(names, { days: 7, weeks: 4, months: 6 }, timeOf(day));
      names = names.filter((name) => !surplus.includes(name));
    }
    expect(names.map((name) => name.slice(4, 14))).toEqual([
      ...['2025-07-31', '2025-08-31', '2025-09-30', '2025-10-31', '2025-11-30'],
      ...['2025-12-14', '2025-12-21'], // the ends of weeks
      ...['2025-12-25', '2025-12-26', '2025-12-27', '2025-12-28', '2025-12-29', '2025-12-30', '2025-12-31'],
    ]);
  });

  it('counts periods that have a backup, so that a server that was off loses none', () => {
    const names = [nameOf(0), nameOf(100), nameOf(300)];
    expect(surplusBackups(names, { days: 3, weeks: 0, months: 0 }, LATER)).toEqual([]);
    expect(surplusBackups(names, { days: 1, weeks: 0, months: 2 }, LATER)).toEqual([nameOf(0)]);
  });

  it('counts no backup of a day to come, which a clock that was ahead has left, and leaves it', () => {
    const names = [0, 1, 2, 100, 101].map(nameOf);
    expect(surplusBackups(names, { days: 2, weeks: 1, months: 1 }, timeOf(2))).toEqual([nameOf(0)]);
    expect(surplusBackups(names, { days: 2, weeks: 0, months: 0 }, timeOf(101))).toEqual([2, 1, 0].map(nameOf));
  });

  it('never names files that are no scheduled backups', () => {
    const others = ['mine.tar.zst', `${nameOf(1)}.partial`, 'svc-2025-99-99T000000Z.tar.zst', `before-${nameOf(2)}`];
    expect(surplusBackups([...others, nameOf(3)], { days: 1, weeks: 0, months: 0 }, LATER)).toEqual([]);
  });

  it('reads the time of its own names', () => {
    const time = new Date('2026-11-27T03:15:07Z');
    expect(timeOfName(scheduledName(time, true))).toEqual(time);
    expect(scheduledName(time, true)).toBe('svc-2026-11-27T031507Z.tar.zst.enc');
  });
});
