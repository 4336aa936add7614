import { FIRST_ID, firstFlakeAt, FlakeIds, flakeTime, isFlakeId, LAST_ID } from './flake-id.js';

describe('Flake ids', () => {
  it('are 18 base62 characters that sort by creation', () => {
    const flakes = new FlakeIds();
    const ids = Array.from({ length: 100_000 }, () => flakes.next());
    expect(ids.every(isFlakeId)).toBe(true);
    expect(ids.every((id, at) => at === 0 || (ids[at - 1] ?? '') < id)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('carry their time', () => {
    const before = Date.now();
    const id = new FlakeIds().next();
    expect(flakeTime(id)).toBeGreaterThanOrEqual(before);
    expect(flakeTime(id)).toBeLessThanOrEqual(Date.now());
  });

  it('keep increasing after a stored id from the future (a clock that stepped back)', () => {
    const flakes = new FlakeIds();
    const future = firstFlakeAt(Date.now() + 3_600_000);
    flakes.continueAfter(future);
    expect(flakes.next() > future).toBe(true);
  });

  it('keep increasing after the stored id of another process in the same millisecond', () => {
    const other = new FlakeIds();
    other.continueAfter(firstFlakeAt(Date.now() + 3_600_000));
    const stored = other.next();
    const processes = Array.from({ length: 100 }, () => new FlakeIds());
    for (const flakes of processes) flakes.continueAfter(stored);
    expect(processes.filter((flakes) => flakes.next() <= stored)).toEqual([]);
  });

  it('of remote objects follow the published time, from 2000 to now', () => {
    const flakes = new FlakeIds();
    expect(flakeTime(flakes.at(Date.UTC(2020, 1, 2)))).toBe(Date.UTC(2020, 1, 2));
    expect(flakeTime(flakes.at(Date.UTC(9999, 1, 1)))).toBeLessThanOrEqual(Date.now());
    expect(flakeTime(flakes.at(-5))).toBe(Date.UTC(2000, 0, 1));
    expect(flakes.at(1e12)).not.toBe(flakes.at(1e12));
  });

  it('are between the open bounds', () => {
    const id = new FlakeIds().next();
    expect(FIRST_ID < id && id < LAST_ID).toBe(true);
    expect(firstFlakeAt(flakeTime(id)) <= id).toBe(true);
  });

  it('are recognised by their form', () => {
    for (const text of ['', 'undefined', '../etc', '0'.repeat(17), '0'.repeat(19), 'A'.repeat(17) + '-']) {
      expect(isFlakeId(text)).toBe(false);
    }
  });
});
