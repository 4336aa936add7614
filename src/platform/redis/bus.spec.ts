import { Logger } from '@nestjs/common';
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

  it('reaches every listener of the channel in order, and no others', () => {
    const bus = new Bus();
    const received: unknown[] = [];
    bus.subscribe('a', (message) => void received.push(['first', message]));
    bus.subscribe('a', (message) => void received.push(['second', message]));
    bus.subscribe('b', (message) => void received.push(['other', message]));
    bus.publish('a', 1);
    bus.publish('a', { id: '2' });
    bus.publish('unused', 3);
    expect(received).toEqual([
      ['first', 1],
      ['second', 1],
      ['first', { id: '2' }],
      ['second', { id: '2' }],
    ]);
  });

  it('no longer reaches a listener that has left, even during the delivery of a message', () => {
    const bus = new Bus();
    const received: unknown[] = [];
    const leave = bus.subscribe('a', (message) => {
      received.push(message);
      leave();
    });
    bus.subscribe('a', (message) => void received.push(message));
    bus.publish('a', 1);
    bus.publish('a', 2);
    leave();
    expect(received).toEqual([1, 1, 2]);
  });

  it('separates two subscriptions of one function', () => {
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
    const received: unknown[] = [];
    bus.subscribe('a', () => {
      throw new Error('thrown');
    });
    bus.subscribe('a', () => Promise.reject(new Error('rejected')));
    bus.subscribe('a', (message) => void received.push(message));
    expect(() => bus.publish('a', 1)).not.toThrow();
    await Promise.resolve();
    expect(received).toEqual([1]);
    expect(logged).toMatchObject([
      { channel: 'a', err: { message: 'thrown' } },
      { channel: 'a', err: { message: 'rejected' } },
    ]);
  });

  it('shares nothing with another bus', () => {
    const received: unknown[] = [];
    new Bus().subscribe('a', (message) => void received.push(message));
    new Bus().publish('a', 1);
    expect(received).toEqual([]);
  });
});
