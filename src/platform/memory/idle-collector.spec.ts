import FakeTimers from '@sinonjs/fake-timers';
import { IdleCollector } from './idle-collector.js';

const MB = 1024 * 1024;

describe('IdleCollector', () => {
  let clock: FakeTimers.Clock;
  beforeEach(() => (clock = FakeTimers.install()));
  afterEach(() => clock.uninstall());

  it('collects after the start and after each load, when the process is idle again and it is worth it', () => {
    const process = { cpuMs: 2_000, residentMb: 180, collections: 0 };
    const collector = new IdleCollector({
      cpuMs: () => process.cpuMs,
      residentBytes: () => process.residentMb * MB,
      collect: () => {
        process.collections += 1;
        process.cpuMs += 500; // its own work is no load
        process.residentMb = 150;
      },
    });
    const after10s = (cpuMs: number, residentMb = process.residentMb) => {
      Object.assign(process, { cpuMs: process.cpuMs + cpuMs, residentMb });
      clock.tick(10_000);
      return process.collections;
    };
    collector.start();
    expect([after10s(1_000), after10s(300), after10s(100)]).toEqual([0, 0, 1]);
    expect([after10s(10), after10s(10, 165)]).toEqual([1, 1]);
    expect([after10s(9_000, 340), after10s(9_000, 345), after10s(200)]).toEqual([1, 1, 2]);
    expect(process.residentMb).toBe(150);
  });

  it('gives memory of this process back', () => {
    let garbage: unknown[] | undefined = Array.from({ length: 400_000 }, (_, n) => ({ n, text: `text ${n}` }));
    expect(garbage).toHaveLength(400_000);
    const before = process.memoryUsage().heapUsed;
    garbage = undefined;
    jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    new IdleCollector().start();
    clock.tick(10_000);
    jest.restoreAllMocks();
    expect(process.memoryUsage().heapUsed).toBeLessThan(before - 20 * MB);
  });
});
