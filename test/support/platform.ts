import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { migrations } from '../../src/migrations/index.js';
import { dataSourceOptions, JobRow, PlatformModule, readEnv } from '../../src/platform/index.js';
import { makeDatabase } from './database.js';

export interface Platform {
  get<T>(type: Type<T>): T;
  /** A second process on the same database. */
  another(providers?: Provider[]): Promise<Platform>;
  close(): Promise<void>;
}

@Module({})
class Guests {}

/**
 * The platform module alone on a database of its own, with the given providers in the role of the modules above.
 * `overrides` are environment variables.
 */
export async function startPlatform(
  providers: Provider[] = [],
  overrides: Record<string, string> = {},
): Promise<Platform> {
  const database = await makeDatabase();
  const opened: TestingModule[] = [];

  const open = async (guests: Provider[]): Promise<Platform> => {
    const env = readEnv({ SECRET_KEY: 'ab'.repeat(32), LOG_LEVEL: 'silent', ...overrides });
    const options = dataSourceOptions(database.address, { entities: [JobRow], migrations });
    const above: DynamicModule = { module: Guests, providers: guests };
    const module = await Test.createTestingModule({
      imports: [PlatformModule.register(env, options), above],
    }).compile();
    await module.init();
    opened.push(module);
    return {
      get: (type) => module.get(type, { strict: false }),
      another: (others = []) => open(others),
      close: async () => {
        for (const each of opened.splice(0)) await each.close();
        await database.drop();
      },
    };
  };
  return open(providers);
}
