import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RedisConnections } from './redis.js';

/** A connection that does nothing by itself. */
class Silent extends EventEmitter {
  readonly status = 'connecting';
}

describe('the connections to Redis', () => {
  afterEach(() => void Logger.overrideLogger(['error']));

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
});
