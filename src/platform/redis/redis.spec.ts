import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisConnections } from './redis.js';

const disconnect = jest.fn();

/** A connection that does nothing by itself. */
class Silent extends EventEmitter {
  readonly status: string = 'connecting';
  readonly disconnect = disconnect;
}

/** A connection that accepts commands. */
class Ready extends Silent {
  override readonly status = 'ready';
}

describe('the connections to Redis', () => {
  afterEach(() => {
    Logger.overrideLogger(['error']);
    disconnect.mockClear();
  });

  it('P8 log the cause of a failure once, without the command and the password', () => {
    const said: unknown[] = [];
    Logger.overrideLogger({
      log: () => undefined,
      error: () => undefined,
      warn: (...words: unknown[]) => void said.push(words),
    });
    const connections = new RedisConnections('redis://:CANARY@redis.test', {
      Redis: Silent as unknown as typeof Redis,
    });
    const refused = () =>
      Object.assign(new Error('WRONGPASS invalid password'), { command: { name: 'auth', args: ['CANARY'] } });
    connections.commands.emit('error', refused());
    connections.commands.emit('error', refused());
    expect(said).toHaveLength(1);
    const text = inspect(said, { depth: null });
    expect(text).toContain('WRONGPASS');
    expect(text).not.toContain('CANARY');
  });

  it('replace a connection without an answer, once', async () => {
    const connections = new RedisConnections('redis://redis.test', { Redis: Ready as unknown as typeof Redis });
    const { commands } = connections;
    const silence = () => Promise.reject(new Error('Command timed out'));
    expect(await Promise.all([1, 2].map(() => connections.isAnswered(commands, silence)))).toEqual([false, false]);
    expect(await connections.isAnswered(commands, () => Promise.resolve('PONG'))).toBe(false); // it is closing
    expect(disconnect).toHaveBeenCalledTimes(1);
    commands.emit('close');
    expect(await connections.isAnswered(commands, () => Promise.resolve('PONG'))).toBe(true);
  });

  it('replace a connection without an answer in time, but not for one that a busy process reads late', async () => {
    const later: (() => void)[] = [];
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation((end) => {
      later.push(end);
      return undefined as unknown as NodeJS.Timeout;
    });
    const connections = new RedisConnections('redis://redis.test', { Redis: Ready as unknown as typeof Redis });
    const unread = Promise.withResolvers<string>();
    const read = connections.isAnswered(connections.commands, () => unread.promise);
    const silent = connections.isAnswered(connections.commands, () => new Promise(() => undefined));
    timers.mockRestore();
    expect(later).toHaveLength(2);
    for (const end of later) end();
    unread.resolve('PONG'); // sockets are read between timers and what is immediate
    expect(await Promise.all([read, silent])).toEqual([true, false]);
    expect(disconnect).toHaveBeenCalledTimes(1);
  });

  it('stay open when Redis refuses a command, and log it once', async () => {
    const logged: unknown[] = [];
    Logger.overrideLogger({
      log: () => undefined,
      warn: () => undefined,
      error: (line: unknown) => void logged.push(line),
    });
    const connections = new RedisConnections('redis://redis.test', { Redis: Ready as unknown as typeof Redis });
    const refusal = () => Promise.reject(Object.assign(new Error('NOPERM'), { name: 'ReplyError' }));
    for (let times = 0; times < 2; times += 1)
      expect(await connections.isAnswered(connections.commands, refusal)).toBe(false);
    expect(disconnect).not.toHaveBeenCalled();
    expect(logged).toHaveLength(1);
  });
});
