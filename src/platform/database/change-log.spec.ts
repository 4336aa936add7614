import { ChangeLog } from './change-log.js';

describe('ChangeLog', () => {
  it('invalidates values whose subject changed after they were read', () => {
    const log = new ChangeLog();
    const before = log.now;
    log.note(['a', 'b']);
    expect(log.isCurrent(['a'], before)).toBe(false);
    expect(log.isCurrent(['c', 'b'], before)).toBe(false);
    expect(log.isCurrent(['c'], before)).toBe(true);
    expect(log.isCurrent(['a', 'b'], log.now)).toBe(true);
  });

  it.each([
    ['everything', (log: ChangeLog) => log.noteAll()],
    ['a subject that stands for everything', (log: ChangeLog) => log.note(['a', '*', 'b'])],
  ])('invalidates all values after a change of %s', (_, change) => {
    const log = new ChangeLog();
    const before = log.now;
    change(log);
    expect(log.isCurrent([], before)).toBe(false);
    expect(log.isCurrent(['a', 'c'], log.now)).toBe(true);
  });

  it('forgets subjects that changed long ago, with all values read before', () => {
    const log = new ChangeLog();
    log.note(['first']);
    const since = log.now - 1;
    const lostAfter: number[] = [];
    for (let at = 0; at < 30_000; at += 1) {
      log.note([`subject ${at}`]);
      if (log.isCurrent(['first'], since)) lostAfter.push(at);
    }
    expect(lostAfter).toEqual([]);
    expect(log.isCurrent(['other'], since)).toBe(false);
    expect(log.isCurrent(['first', 'other'], log.now)).toBe(true);
  });
});
