import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';
import { ReloadCoordinator } from './reload-coordinator.js';

describe('ReloadCoordinator', () => {
  const outcomes: Promise<never>[] = [];
  const read = vi.fn<() => Promise<void>>();
  let reloads: ReloadCoordinator;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    read.mockReset().mockImplementation(() => outcomes.shift() ?? Promise.resolve());
    reloads = new ReloadCoordinator('A thing', read);
  });
  afterEach(() => {
    expect(outcomes).toEqual([]);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const willFail = (times: number) => {
    for (let i = 0; i < times; i += 1) {
      const failure = Promise.reject(new Error('away'));
      failure.catch(() => undefined);
      outcomes.push(failure);
    }
  };

  it('make up for what failed, less and less often, until it succeeds', async () => {
    await reloads.now();
    willFail(3);
    await expect(reloads.now()).rejects.toThrow('away');
    for (const waitMs of [500, 1_000, 2_000]) {
      const before = read.mock.calls.length;
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      expect(read.mock.calls.length).toBe(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(read.mock.calls.length).toBe(before + 1);
    }
    await reloads.settled();
    expect(vi.getTimerCount()).toBe(0);
    willFail(1);
    await expect(reloads.now()).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(500);
    expect([read.mock.calls.length, vi.getTimerCount()]).toEqual([7, 0]);
  });

  it('try again at least twice a minute', async () => {
    await reloads.now();
    willFail(50);
    await expect(reloads.now()).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    const calls = read.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read.mock.calls.length - calls).toBe(2);
    outcomes.length = 0;
  });

  it('make up for nothing that was read meanwhile', async () => {
    await reloads.now();
    willFail(1);
    await expect(reloads.now()).rejects.toThrow('away');
    await reloads.now();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leave a start that fails to whoever starts', async () => {
    willFail(1);
    await expect(reloads.now()).rejects.toThrow('away');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('end with the server', async () => {
    await reloads.now();
    willFail(1);
    await expect(reloads.now()).rejects.toThrow('away');
    reloads.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('read nothing once the server ends, also of what was asked for before', async () => {
    await reloads.now();
    const calls = read.mock.calls.length;
    const last = [reloads.now(), reloads.now()];
    reloads.stop();
    await Promise.all([...last, reloads.now(), reloads.settled()]);
    expect([read.mock.calls.length, vi.getTimerCount()]).toEqual([calls, 0]);
  });
});
