import { Invalid, RateLimits } from '../../../src/common/index.js';
import { definitions, Settings, SettingsService } from '../../../src/config/index.js';
import { Bus, Database, type DatabaseAddress, type Env, UnitOfWork } from '../../../src/platform/index.js';
import { SETTINGS_CHANGED } from '../../../src/config/store/config.events.js';
import { SettingsLoader } from '../../../src/config/store/settings-loader.js';
import { createApp } from '../../../src/server.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { makeDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';

describe('live settings', () => {
  const app = useApp();
  let settings: Settings;
  let service: SettingsService;

  beforeAll(() => {
    settings = app.get(Settings);
    service = app.get(SettingsService);
  });

  const storedItems = () =>
    app.sql<{ path: string; value: unknown }>(
      `select group_name || '.' || key as path, value from config_items order by 1`,
    );

  it('are stored and apply at once', async () => {
    await service.update([
      { path: 'instance.limit', value: 700 },
      { path: 'instance.languages', value: ['de', 'fr'] },
    ]);
    expect(settings.get('instance.limit')).toBe(700);
    expect(settings.get('instance.languages')).toEqual(['de', 'fr']);
    expect(await storedItems()).toEqual([
      { path: 'instance.languages', value: ['de', 'fr'] },
      { path: 'instance.limit', value: 700 },
    ]);
  });

  it('take the last of two values for one path', async () => {
    await service.update([
      { path: 'instance.limit', value: 700 },
      { path: 'instance.limit', value: 800 },
    ]);
    expect(settings.get('instance.limit')).toBe(800);
  });

  it('change all or none, and explain each error', async () => {
    const refused = service.update([
      { path: 'instance.limit', value: 700 },
      { path: 'instance.public', value: 'yes' },
      { path: 'instance.colour', value: 'green' },
    ]);
    await expect(refused).rejects.toBeInstanceOf(Invalid);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      body: {
        error: 'instance.public must be true or false, instance.colour is not a setting',
        errors: { 'instance.public': 'must be true or false', 'instance.colour': 'is not a setting' },
      },
    });
    expect(settings.get('instance.limit')).toBe(5000);
    expect(await storedItems()).toEqual([]);
  });

  it('change when the surrounding unit of work commits, not before and not after a rollback', async () => {
    const uow = app.get(UnitOfWork);
    const update = () => service.update([{ path: 'instance.limit', value: 700 }]);
    const abandoned = uow.run(async () => {
      await update();
      throw new Error('the caller changed its mind');
    });
    await expect(abandoned).rejects.toThrow('the caller changed its mind');
    expect([settings.get('instance.limit'), await storedItems()]).toEqual([5000, []]);

    const changed = new Promise<void>((resolve) => settings.onChange(['instance.limit'], resolve));
    await uow.run(async () => {
      await update();
      expect(settings.get('instance.limit')).toBe(5000);
    });
    await changed;
    expect(settings.get('instance.limit')).toBe(700);
  });

  it('can be reset to their defaults', async () => {
    await service.update([{ path: 'instance.limit', value: 700 }]);
    await service.reset('instance.limit');
    expect(settings.get('instance.limit')).toBe(5000);
    expect(await storedItems()).toEqual([]);
    await expect(service.reset('instance.colour')).rejects.toMatchObject({
      status: 400,
      message: 'instance.colour is not a setting',
    });
  });

  it('are reloaded after a change by another process, through a job', async () => {
    await service.update([{ path: 'instance.limit', value: 700 }]);
    await app.sql(`update config_items set value = '900'`); // as `ctl` does in its own process; the job is that of the update
    const changed = new Promise<void>((resolve) => settings.onChange(['instance.limit'], resolve));
    await app.drain();
    await changed;
    expect(settings.get('instance.limit')).toBe(900);
  });

  it('are reloaded after a failed read', async () => {
    await service.update([{ path: 'instance.limit', value: 700 }]);
    await app.sql(`update config_items set value = '900'`);
    await app.sql('alter table config_items rename to config_items_away');
    try {
      app.get(Bus).publish(SETTINGS_CHANGED, {});
      await expect(app.get(SettingsLoader).settled()).rejects.toThrow('config_items');
    } finally {
      await app.sql('alter table config_items_away rename to config_items');
    }
    await eventually(() => expect(settings.get('instance.limit')).toBe(900));
  });

  it('are listed completely, with secrets masked', async () => {
    await service.update([
      { path: 'metrics.token', value: 'open-sesame' },
      { path: 'instance.name', value: 'Here' },
    ]);
    const shown = new Map(service.dump().map(({ path, ...rest }) => [path as string, rest]));
    expect([...shown.keys()]).toEqual(Object.keys(definitions));
    expect(shown.get('instance.name')).toEqual({ value: 'Here', default: 'svc', stored: true });
    expect(shown.get('instance.limit')).toEqual({ value: 5000, default: 5000, stored: false });
    expect(shown.get('metrics.token')).toEqual({ value: '********', default: '', stored: true });
    expect(JSON.stringify(service.dump())).not.toContain('sesame');
    await service.update([{ path: 'metrics.token', value: shown.get('metrics.token')!.value }]);
    expect(settings.get('metrics.token')).toBe('open-sesame');
  });

  it('set the request limits', async () => {
    const limits = app.get(RateLimits);
    await service.update([
      { path: 'rate_limit.search', value: [2_000, 7] },
      {
        path: 'rate_limit.timeline',
        value: [
          [1_000, 1],
          [3_000, 9],
        ],
      },
    ]);
    expect(limits.of('search', 'user')).toEqual({ windowMs: 2_000, points: 7 });
    expect(limits.of('timeline', 'anonymous')).toEqual({ windowMs: 1_000, points: 1 });
    expect(limits.of('timeline', 'user')).toEqual({ windowMs: 3_000, points: 9 });

    await service.reset('rate_limit.search');
    expect(limits.of('search', 'user')).toEqual({ windowMs: 1_000, points: 30 });
  });
});

describe('a starting server', () => {
  let env: Env;
  let database: { address: DatabaseAddress; drop(): Promise<void> };

  /** Starts on this block's database, returns what `look` reads, and stops. */
  async function started<T>(
    overrides: Partial<Env>,
    look: (nest: Awaited<ReturnType<typeof createApp>>) => T | Promise<T>,
  ) {
    const nest = await createApp({ ...env, ...overrides }, database.address);
    try {
      return await look(nest);
    } finally {
      await nest.close();
    }
  }

  beforeAll(async () => {
    const app = await startApp();
    env = app.env;
    await app.close();
    database = await makeDatabase();
    await started({}, (nest) =>
      nest.get(Database).query(`insert into config_items (group_name, key, value) values
        ('instance', 'limit', '"plenty"'), ('instance', 'name', '"Here"'), ('nobody', 'knows', 'null')`),
    );
  });
  afterAll(() => database.drop());

  const names = (nest: { get(type: typeof Settings): Settings }) => {
    const settings = nest.get(Settings);
    return { name: settings.get('instance.name'), limit: settings.get('instance.limit') };
  };

  it('reads stored settings, and skips invalid ones', async () => {
    expect(await started({}, names)).toEqual({ name: 'Here', limit: 5000 });
  });

  it('reads and changes nothing without configuration from the database', async () => {
    await started({ configFromDatabase: false }, async (nest) => {
      expect(names(nest)).toEqual({ name: 'svc', limit: 5000 });
      const refused = {
        status: 400,
        message: 'To use this endpoint you need to enable configuration from database.',
      };
      const service = nest.get(SettingsService);
      await expect(service.update([{ path: 'instance.name', value: 'There' }])).rejects.toMatchObject(refused);
      await expect(service.reset('instance.name')).rejects.toMatchObject(refused);
    });
    expect(await started({}, names)).toEqual({ name: 'Here', limit: 5000 });
  });
});
