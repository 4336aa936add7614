import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { migrations } from '../../../src/migrations/index.js';
import {
  type DatabaseAddress,
  dataSourceOptions,
  JobRow,
  PlatformModule,
  readEnv,
} from '../../../src/platform/index.js';
import { makeDatabase } from './database.js';

type Variables = Readonly<Record<string, string>>;

export interface Platform {
  /** The address of its database, for other processes. */
  readonly address: DatabaseAddress;
  get<T>(type: Type<T> | string): T;
  /** Starts a second process on the same database, with the same environment except for `changes`. */
  another(providers?: Provider[], changes?: Variables): Promise<Platform>;
  /** Ends this process. */
  stop(): Promise<void>;
  /** Ends all processes and removes the database. */
  close(): Promise<void>;
}

@Module({})
class Guests {}

/**
 * The platform module alone on its own database, with the given providers in place of later modules.
 * `source` are environment variables.
 */
export async function startPlatform(providers: Provider[] = [], source: Variables = {}): Promise<Platform> {
  const database = await makeDatabase();
  const { address } = database;
  const opened = new Set<TestingModule>();

  const open = async (guests: Provider[], variables: Variables): Promise<Platform> => {
    const env = readEnv({
      SECRET_KEY: 'ab'.repeat(32),
      LOG_LEVEL: 'silent',
      DATABASE_URL: 'postgres://svc@given.elsewhere/svc',
      ...variables,
    });
    const options = dataSourceOptions(address, { entities: [JobRow], migrations });
    const above: DynamicModule = { module: Guests, providers: guests };
    const module = await Test.createTestingModule({
      imports: [PlatformModule.register(env, options), above],
    }).compile();
    await module.init();
    opened.add(module);
    const stop = async (each: TestingModule) => {
      if (opened.delete(each)) await each.close();
    };
    return {
      address,
      get: (type) => module.get(type, { strict: false }),
      another: (others = [], changes = {}) => open(others, { ...variables, ...changes }),
      stop: () => stop(module),
      close: async () => {
        await Promise.all([...opened].map(stop));
        await database.drop();
      },
    };
  };
  return open(providers, source);
}
