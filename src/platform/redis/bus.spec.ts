import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bus } from './bus.js';

describe('Bus', () => {
  const logged: unknown[] = [];

  beforeEach(() => {
    const record = (line: unknown) => void logged.push(line);
    Logger.overrideLogger({ log: record, warn: record, error: record });
  });
  afterEach(() => {
    Logger.overrideLogger(['error']);
    logged.length = 0;
  });

  it('reaches every listener of the channel, in order, and of no other', () => {
    const bus = new Bus();
    const heard: unknown[] = [];
    bus.subscribe('a', (message) => void heard.push(['first', message]));
    bus.subscribe('a', (message) => void heard.push(['second', message]));
    bus.subscribe('b', (message) => void heard.push(['other', message]));
    bus.publish('a', 1);
    bus.publish('a', { id: '2' });
    bus.publish('nobody', 3);
    expect(heard).toEqual([
      ['first', 1],
      ['second', 1],
      ['first', { id: '2' }],
      ['second', { id: '2' }],
    ]);
  });

  it('stops reaching a listener that has left, also while a message is being handed out', () => {
    const bus = new Bus();
    const heard: unknown[] = [];
    const leave = bus.subscribe('a', (message) => {
      heard.push(message);
      leave();
    });
    bus.subscribe('a', (message) => void heard.push(message));
    bus.publish('a', 1);
    bus.publish('a', 2);
    leave();
    expect(heard).toEqual([1, 1, 2]);
  });

  it('keeps apart two subscriptions of one function', () => {
    const bus = new Bus();
    let calls = 0;
    const count = () => void (calls += 1);
    const leave = bus.subscribe('a', count);
    bus.subscribe('a', count);
    leave();
    leave();
    bus.publish('a', null);
    expect(calls).toBe(1);
  });

  it('survives listeners that throw or reject, and logs them', async () => {
    const bus = new Bus();
    const heard: unknown[] = [];
    bus.subscribe('a', () => {
      throw new Error('thrown');
    });
    bus.subscribe('a', () => Promise.reject(new Error('rejected')));
    bus.subscribe('a', (message) => void heard.push(message));
    expect(() => bus.publish('a', 1)).not.toThrow();
    await Promise.resolve();
    expect(heard).toEqual([1]);
    expect(logged).toMatchObject([
      { channel: 'a', err: { message: 'thrown' } },
      { channel: 'a', err: { message: 'rejected' } },
    ]);
  });

  it('belongs to its server: two buses share nothing', () => {
    const heard: unknown[] = [];
    new Bus().subscribe('a', (message) => void heard.push(message));
    new Bus().publish('a', 1);
    expect(heard).toEqual([]);
  });
});
