import { ServerRestart, Settings } from '../../../src/config/index.js';
import { CONFIG, type ConfigAnswer, resetConfiguration, svc, tuple } from '../../support/fixtures/configuration.js';
import { startApp, useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const ADMIN = '/api/v1/svc/admin';

const app = useApp();
let root: Client;

beforeEach(async () => {
  await resetConfiguration(app);
  await app.world.person('root', { admin: true });
  root = await app.world.as('root', 'admin:read', 'admin:write');
});

const change = (...configs: object[]) => ok<ConfigAnswer>(root.post(CONFIG, { configs }));
const all = (query = '') => ok<ConfigAnswer>(root.get(CONFIG + query));
const stored = async () => (await all('?only_db=true')).configs;
const itemOf = ({ configs }: ConfigAnswer, key: string) => configs.find((item) => item.key === key);

describe('the configuration (spec §4.1.9)', () => {
  it('names policies as modules, and hosts with their reasons as tuples', async () => {
    const policies = ['Svc.Web.ActivityPub.MRF.SimplePolicy', 'Svc.Web.ActivityPub.MRF.NoOpPolicy'];
    const hosts = [tuple('*.rude.example', 'rude'), 'spam.example'];
    await change(svc(':mrf', [':policies', policies]), svc(':mrf_simple', [':reject', hosts]));
    expect(app.get(Settings).get('mrf.policies')).toEqual(['SimplePolicy', 'NoOpPolicy']);
    expect(await stored()).toMatchObject([
      { key: ':mrf', value: [tuple(':policies', policies)] },
      { key: ':mrf_simple', value: [tuple(':reject', [tuple('*.rude.example', 'rude'), tuple('spam.example', '')])] },
    ]);
  });

  it('replaces the texts of KeywordPolicy as a whole, and refuses an invalid expression', async () => {
    for (const value of [[tuple('a', 'b')], [tuple('~r/c/i', 'd')]])
      await change(svc(':mrf_keyword', [':replace', value]));
    expect(await stored()).toMatchObject([{ value: [tuple(':replace', [tuple('~r/c/i', 'd')])] }]);
    await root.post(CONFIG, { configs: [svc(':mrf_keyword', [':reject', ['~r/(/']])] }).expect(400);
    for (const body of [{}, { configs: null }, { configs: {} }]) await root.post(CONFIG, body).expect(400);
  });

  it('refuses a change without a value', async () => {
    const other = { group: ':other', key: ':x' };
    await root.post(CONFIG, { configs: [other] }).expect(400);
    await change({ ...other, value: 1 });
    await root.post(CONFIG, { configs: [other] }).expect(400);
    expect(await stored()).toMatchObject([{ ...other, value: 1 }]);
  });

  it('shows every setting with its default, and whether it is stored', async () => {
    const answer = await all();
    expect(itemOf(answer, ':instance')).toMatchObject({ group: ':svc' });
    expect(itemOf(answer, ':instance')?.value).toContainEqual(tuple(':limit', 5_000));
    expect(itemOf(answer, ':instance')?.value).toContainEqual(
      tuple(':poll_limits', expect.objectContaining({ ':max_options': 20 })),
    );
    expect(itemOf(answer, ':rate_limit')?.value).toContainEqual(tuple(':authentication', tuple(60_000, 15)));
    expect(itemOf(answer, 'Svc.Captcha')?.value).toContainEqual(tuple(':enabled', true));
    expect(answer.configs.filter(({ db }) => db)).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('applies settings at once, in each of their forms', async () => {
    const { configs } = await change(
      svc(':instance', [':name', 'Tea'], [':limit', 700], [':poll_limits', [tuple(':max_options', 3)]]),
      svc(':rate_limit', [':search', [tuple(1_000, 1), tuple(1_000, 2)]], [':timeline', tuple(500, 9)]),
      svc(':restrict_unauthenticated', [':timelines', { ':local': true }]),
    );
    const settings = app.get(Settings);
    expect(settings.get('instance.limit')).toBe(700);
    expect(settings.get('instance.poll_limits')).toMatchObject({ max_options: 3, max_option_chars: 200 });
    expect(settings.get('rate_limit.search')).toEqual([
      [1_000, 1],
      [1_000, 2],
    ]);
    expect(settings.get('rate_limit.timeline')).toEqual([500, 9]);
    expect(settings.get('restrict_unauthenticated.timelines')).toEqual({ local: true, federated: false });
    expect(configs.map(({ key, db }) => [key, db])).toEqual([
      [':instance', [':name', ':limit', ':poll_limits']],
      [':restrict_unauthenticated', [':timelines']],
      [':rate_limit', [':timeline', ':search']],
    ]);
    expect(await ok(app.http.get('/api/v1/instance'))).toMatchObject({ title: 'Tea', max_toot_chars: 700 });
  });

  it('changes nothing when all settings are sent back as they were read', async () => {
    await change(
      svc(':instance', [':limit', 700]),
      svc(':metrics', [':token', 'a-secret']),
      svc(':mrf_nsfw_api', [':threshold', 0.25]),
    );
    await change({ group: ':swoosh', key: 'Swoosh.Mailer', value: [tuple(':password', 'hidden'), tuple(':port', 25)] });
    await change({
      group: ':other',
      key: ':maps',
      value: { ':password': 'hidden', hosts: [{ api_key: 'hidden', ':port': 1 }] },
    });
    await change({
      group: ':other',
      key: ':list',
      value: ['x', tuple(':y', { ':secret': 'hidden' }), tuple(':token', 'hidden')],
    });
    const [before, items] = [await all(), await app.sql('select * from config_items order by 1, 2')];
    expect(JSON.stringify(before)).not.toMatch(/a-secret|hidden/);
    await change(...before.configs);
    expect(await all()).toEqual(before);
    expect(await app.sql('select * from config_items order by 1, 2')).toEqual(items);
    expect(app.get(Settings).get('metrics.token')).toBe('a-secret');
    expect(app.get(Settings).get('mrf_nsfw_api.threshold')).toBe(0.25);
  });

  it('leaves each item of a list its secret when another one goes', async () => {
    const at = { group: ':other', key: ':hosts' };
    const [one, two] = [
      { ':host': 'one', ':password': 'first' },
      { ':host': 'two', ':password': 'second' },
    ];
    await change({ ...at, value: [one, two] });
    const [shown] = await stored();
    expect(shown?.value).toEqual([one, two].map((item) => ({ ...item, ':password': '********' })));
    await change({ ...at, value: (shown?.value as unknown[]).slice(1) });
    expect(await app.sql('select value from config_items')).toEqual([{ value: [two] }]);
  });

  it.each([
    ['an atom', ':warn'],
    ['a module', 'Svc.Web.Endpoint'],
    ['a regular expression', '~r/(a+)+$/iu'],
    ['a tuple', tuple(':a', 'b', tuple(1, 2.5))],
    ['a list of tuples', [tuple(':a', [tuple(':b', true)]), tuple(':c', {})]],
    ['a map', { a: [1, null], ':b': 'c' }],
    ['a text', 'text'],
    ['a list', ['a', ':b', tuple('c')]],
  ])('stores %s of an unknown group unchanged', async (_, value) => {
    await change({ group: ':other', key: ':one', value });
    expect(await stored()).toMatchObject([{ group: ':other', key: ':one', value }]);
  });

  it('merges lists of tuples with the stored ones, and replaces all other values', async () => {
    const at = { group: ':other', key: ':one' };
    await change({ ...at, value: [tuple(':a', [tuple(':x', 1), tuple(':y', [1, 2])]), tuple(':b', 2)] });
    await change({ ...at, value: [tuple(':a', [tuple(':y', [3])]), tuple(':c', 4)] });
    const merged = [tuple(':a', [tuple(':x', 1), tuple(':y', [3])]), tuple(':b', 2), tuple(':c', 4)];
    expect(await stored()).toMatchObject([{ value: merged, db: [':a', ':b', ':c'] }]);
    await change({ ...at, value: [1] });
    expect(await stored()).toMatchObject([{ value: [1] }]);
  });

  it.each([
    [':mime', ':types'],
    [':logger', ':backends'],
    [':quack', ':meta'],
  ])('replaces %s %s as a whole', async (group, key) => {
    for (const value of [[tuple(':a', 1)], [tuple(':b', 2)]]) await change({ group, key, value });
    expect(await stored()).toMatchObject([{ value: [tuple(':b', 2)] }]);
  });

  it.each([
    [':assets', ':mascots'],
    [':emoji', ':groups'],
    [':workers', ':retries'],
  ])('replaces the entry %s %s as a whole', async (key, entry) => {
    await change(svc(key, [entry, [tuple(':a', 1)]], [':kept', 1]));
    await change(svc(key, [entry, [tuple(':b', 2)]]));
    expect(await stored()).toMatchObject([{ key, value: [tuple(entry, [tuple(':b', 2)]), tuple(':kept', 1)] }]);
  });

  it('deletes entries or a whole key', async () => {
    await change(svc(':instance', [':name', 'Tea'], [':limit', 700], [':future', 1]));
    await change({ group: ':svc', key: ':instance', delete: true, subkeys: [':limit', ':future'] });
    expect(await stored()).toMatchObject([{ key: ':instance', value: [tuple(':name', 'Tea')], db: [':name'] }]);
    expect(app.get(Settings).get('instance.limit')).toBe(5_000);
    await change({ group: ':svc', key: ':instance', delete: true });
    expect(await stored()).toEqual([]);
    expect(app.get(Settings).get('instance.name')).toBe('svc');
  });

  it('stores what is set again after its deletion, objects over the defaults', async () => {
    const gone = (...subkeys: string[]) => ({ group: ':svc', key: ':instance', delete: true, subkeys });
    const limits = (name: string, value: number) => svc(':instance', [':poll_limits', [tuple(name, value)]]);
    await change(svc(':instance', [':name', 'Tea']), limits(':max_option_chars', 50));
    const named = svc(':instance', [':name', 'Tea']);
    await change(gone(':name'), named, gone(':poll_limits'), limits(':max_options', 3));
    const settings = app.get(Settings);
    expect(settings.get('instance.name')).toBe('Tea');
    expect(settings.get('instance.poll_limits')).toMatchObject({ max_options: 3, max_option_chars: 200 });
    await app.sql('delete from config_items'); // by another process, which this one does not follow yet
    await change(named, limits(':max_options', 3));
    expect(await stored()).toMatchObject([{ key: ':instance', db: [':name', ':poll_limits'] }]);
  });

  it.each([
    ['an entry of a map', { ':a': 1, ':b': 2 }, [{ value: { ':b': 2 } }]],
    ['the last entry of a map', { ':a': 1 }, []],
    ['the last entry of a list of tuples', [tuple(':a', 1)], []],
    ['nothing of a list', ['x'], [{ value: ['x'] }]],
    ['nothing of a tuple', tuple(':a', 1), [{ value: tuple(':a', 1) }]],
  ])('deletes by its subkeys %s', async (_, value, left) => {
    const at = { group: ':other', key: ':one' };
    await change({ ...at, value });
    await change({ ...at, delete: true, subkeys: [':a'] });
    expect(await stored()).toMatchObject(left);
  });

  it.each([
    ['a wrong value', svc(':instance', [':limit', 'many']), 'instance.limit must be'],
    ['a number out of bounds', svc(':mrf_nsfw_api', [':threshold', 1.5]), 'mrf_nsfw_api.threshold must be'],
    ['a value that is no list of tuples', { group: ':svc', key: ':instance', value: 'x' }, 'The value of :instance'],
    ['a wrong group', { group: 'svc', key: ':instance', value: [] }, 'group must be'],
    ['a wrong key', { group: ':svc', key: 'a key', value: [] }, 'key must be'],
  ])('refuses %s, and stores nothing', async (_, wrong, error) => {
    const answer = await root.post(CONFIG, { configs: [svc(':instance', [':name', 'Tea']), wrong] }).expect(400);
    expect((answer.body as { error: string }).error).toContain(error);
    expect(await stored()).toEqual([]);
  });

  it('reports that a restart is needed after changes that apply only then', async () => {
    const needed = async () => (await ok<{ need_reboot: boolean }>(root.get(`${ADMIN}/need_reboot`))).need_reboot;
    expect(await needed()).toBe(false);
    expect((await change(svc(':instance', [':limit', 700]))).need_reboot).toBe(false);
    expect((await change(svc(':instance', [':upload_limit', 1_000_000]))).need_reboot).toBe(true);
    expect(await needed()).toBe(true);
    await change({ group: ':svc', key: ':instance', delete: true });
    expect(await needed()).toBe(false);
    expect((await change(svc('Svc.Upload', [':filters', []]))).need_reboot).toBe(false);
    expect((await change(svc('Svc.Upload', [':proxy_remote', true]))).need_reboot).toBe(true);
    await change({ group: ':svc', key: 'Svc.Upload', delete: true });
    expect(await needed()).toBe(false);
    expect((await change(svc(':pools', [':federation', 5]))).need_reboot).toBe(true);
  });

  it('describes every setting', async () => {
    interface Described {
      readonly group: string;
      readonly key: string;
      readonly children: readonly { key: string; type: unknown; suggestions: unknown; children?: unknown[] }[];
    }
    const descriptions = await ok<Described[]>(root.get(`${CONFIG}/descriptions`));
    const shown = (await all()).configs.map(({ group, key, value }) => [
      group,
      key,
      (value as { tuple: [string] }[]).map(({ tuple: [name] }) => name),
    ]);
    expect(descriptions.map(({ group, key, children }) => [group, key, children.map((child) => child.key)])).toEqual(
      shown,
    );
    const instance = descriptions.find(({ key }) => key === ':instance')!.children;
    expect(instance).toContainEqual(expect.objectContaining({ key: ':limit', type: 'integer', suggestions: ['5000'] }));
    expect(instance).toContainEqual(expect.objectContaining({ key: ':languages', type: ['list', 'string'] }));
    const polls = instance.find(({ key }) => key === ':poll_limits')!;
    expect(polls.children).toContainEqual(expect.objectContaining({ key: ':max_options', type: 'integer' }));
    const simple = descriptions.find(({ key }) => key === ':mrf_simple')!;
    expect(simple).toMatchObject({ tab: 'mrf', related_policy: 'Svc.Web.ActivityPub.MRF.SimplePolicy' });
    expect(simple.children[0]).toMatchObject({ type: ['list', 'tuple'] });
    const { children: scores } = descriptions.find(({ key }) => key === ':mrf_nsfw_api')!;
    expect(scores).toContainEqual(expect.objectContaining({ key: ':threshold', type: 'float', suggestions: ['0.7'] }));
    const { children: limits } = descriptions.find(({ key }) => key === ':rate_limit')!;
    expect(limits[0]).toMatchObject({ type: ['tuple', ['list', 'tuple']] });
  });

  it('asks the process to restart', async () => {
    expect(app.get(ServerRestart).requested.aborted).toBe(false);
    expect(await ok(root.get(`${ADMIN}/restart`))).toEqual({});
    expect(app.get(ServerRestart).requested.aborted).toBe(true);
  });
});

it('the configuration API is refused when settings come from the environment only', async () => {
  const other = await startApp({ CONFIG_FROM_DATABASE: 'false' });
  await other.world.person('root', { admin: true });
  const client = await other.world.as('root', 'admin:read', 'admin:write');
  const error = 'To use this endpoint you need to enable configuration from database.';
  for (const path of ['config', 'config/descriptions', 'need_reboot', 'restart']) {
    expect((await client.get(`${ADMIN}/${path}`).expect(400)).body).toEqual({ error });
  }
  expect((await client.post(CONFIG, { configs: [] }).expect(400)).body).toEqual({ error });
  await other.close();
});

it('the configuration API uses the configured brand', async () => {
  const other = await startApp({ COMPAT_BRAND: 'acme' });
  await other.world.person('root', { admin: true });
  const client = await other.world.as('root', 'admin:read', 'admin:write');
  const configs = [{ group: ':acme', key: 'Acme.Captcha', value: [tuple(':seconds_valid', 60)] }];
  expect(await ok(client.post('/api/v1/acme/admin/config', { configs }))).toMatchObject({
    configs: [{ group: ':acme', key: 'Acme.Captcha', db: [':seconds_valid'] }],
    need_reboot: true,
  });
  expect(other.get(Settings).get('captcha.seconds_valid')).toBe(60);
  await other.close();
});
