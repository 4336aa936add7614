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

describe('ChangeLog.onChange', () => {
  it.each<[string, (log: ChangeLog) => void, number]>([
    ['its subject', (log) => log.note(['b', 'a']), 1],
    ['its subject and everything', (log) => log.note(['a', '*']), 1],
    ['another subject', (log) => log.note(['b']), 0],
    ['everything that is known', (log) => log.note(['*']), 0],
    ['what is not known', (log) => log.noteUnknown(), 1],
    ['a doubt about what was read', (log) => log.noteAll(), 0],
    ['what is not known on another server', (log) => log.note(['**']), 1],
  ])('calls or not after a change of %s', (_, change, calls) => {
    const log = new ChangeLog();
    const listener = jest.fn();
    log.onChange('a', listener);
    change(log);
    expect(listener).toHaveBeenCalledTimes(calls);
  });
});

describe('ChangeLog.wasCurrent', () => {
  it('tells what had changed up to a time, whatever changed later', () => {
    const log = new ChangeLog();
    const since = log.now;
    log.note(['a']);
    const between = log.now;
    log.note(['b']);
    expect(log.wasCurrent(['b'], since, between)).toBe(true);
    expect(log.wasCurrent(['a'], since, between)).toBe(false);
    expect(log.wasCurrent(['b'], since, log.now)).toBe(false);
    expect(log.wasCurrent(['a', 'b'], between, between)).toBe(true);
  });

  it('says no of what it does not remember', () => {
    const log = new ChangeLog();
    const since = log.now;
    log.note(['other']);
    const until = log.now;
    for (let change = 0; change < 1_000; change += 1) log.note(['a']);
    expect(log.wasCurrent(['a'], since, until)).toBe(false);
    expect(log.wasCurrent(['c'], since, until)).toBe(true);
    log.noteAll();
    expect(log.wasCurrent(['c'], since, until)).toBe(false);
  });
});
