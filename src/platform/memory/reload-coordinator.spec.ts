import FakeTimers from '@sinonjs/fake-timers';
import { Logger } from '@nestjs/common';
import { ReloadCoordinator } from './reload-coordinator.js';

describe('ReloadCoordinator', () => {
  const outcomes: Promise<never>[] = [];
  const read = jest.fn<Promise<void>, []>();
  let coordinator: ReloadCoordinator;
  let clock: FakeTimers.Clock;

  beforeEach(() => {
    clock = FakeTimers.install({ now: Date.now() });
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    read.mockReset().mockImplementation(() => outcomes.shift() ?? Promise.resolve());
    coordinator = new ReloadCoordinator('A thing', read);
  });
  afterEach(() => {
    expect(outcomes).toEqual([]);
    clock.uninstall();
    jest.restoreAllMocks();
  });

  const willFail = (times: number) => {
    for (let i = 0; i < times; i += 1) {
      const failure = Promise.reject(new Error('away'));
      failure.catch(() => undefined);
      outcomes.push(failure);
    }
  };

  it('retries a failed read after growing pauses until it succeeds', async () => {
    await coordinator.now();
    willFail(3);
    await expect(coordinator.now()).rejects.toThrow('away');
    for (const waitMs of [500, 1_000, 2_000]) {
      const before = read.mock.calls.length;
      await clock.tickAsync(waitMs - 1);
      expect(read.mock.calls.length).toBe(before);
      await clock.tickAsync(1);
      expect(read.mock.calls.length).toBe(before + 1);
    }
    await coordinator.settled();
    expect(clock.countTimers()).toBe(0);
    willFail(1);
    await expect(coordinator.now()).rejects.toThrow('away');
    await clock.tickAsync(500);
    expect([read.mock.calls.length, clock.countTimers()]).toEqual([7, 0]);
  });

  it('retries at least twice a minute', async () => {
    await coordinator.now();
    willFail(50);
    await expect(coordinator.now()).rejects.toThrow('away');
    await clock.tickAsync(5 * 60_000);
    const calls = read.mock.calls.length;
    await clock.tickAsync(60_000);
    expect(read.mock.calls.length - calls).toBe(2);
    outcomes.length = 0;
  });

  it('does not retry after a later read succeeded', async () => {
    await coordinator.now();
    willFail(1);
    await expect(coordinator.now()).rejects.toThrow('away');
    await coordinator.now();
    expect(clock.countTimers()).toBe(0);
  });

  it('does not retry the first read, whose caller gets the error', async () => {
    willFail(1);
    await expect(coordinator.now()).rejects.toThrow('away');
    expect(clock.countTimers()).toBe(0);
  });

  it('stops with the server', async () => {
    await coordinator.now();
    willFail(1);
    await expect(coordinator.now()).rejects.toThrow('away');
    coordinator.stop();
    expect(clock.countTimers()).toBe(0);
  });

  it('reads nothing after the stop, even for earlier requests', async () => {
    await coordinator.now();
    const calls = read.mock.calls.length;
    const last = [coordinator.now(), coordinator.now()];
    coordinator.stop();
    await Promise.all([...last, coordinator.now(), coordinator.settled()]);
    expect([read.mock.calls.length, clock.countTimers()]).toEqual([calls, 0]);
  });
});
