import { type SettingPath, Settings } from '../../../src/config/index.js';
import { CONFIG, type ConfigAnswer, resetConfiguration, svc, tuple } from '../../support/fixtures/configuration.js';
import { useApp } from '../../support/servers/app.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

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

describe('the configuration in the forms of Pleroma and Akkoma (spec §4.1.9)', () => {
  const mrf = (name: string) => `Svc.Web.ActivityPub.MRF.${name}`;
  const actors = ['https://far.example/users/zoe', 'https://far.example/users/yan'];
  const BY_ACTOR = { '~r/^https:..far/': [mrf('DropPolicy'), mrf('NoOpPolicy')] };

  it.each<
    [what: string, key: string, entry: string, sent: unknown, path: SettingPath, value: unknown, shown?: unknown]
  >([
    [
      'an atom in a list of words',
      ':mrf_object_age',
      ':actions',
      [':delist'],
      'mrf_object_age.actions',
      ['delist'],
      ['delist'],
    ],
    [
      'the name of a module of another brand',
      ':mrf',
      ':policies',
      ['Acme.Web.ActivityPub.MRF.DropPolicy'],
      'mrf.policies',
      ['DropPolicy'],
      [mrf('DropPolicy')],
    ],
    [
      'one module where a list stands',
      ':mrf',
      ':policies',
      mrf('NoOpPolicy'),
      'mrf.policies',
      ['NoOpPolicy'],
      [mrf('NoOpPolicy')],
    ],
    [
      'nothing where a text stands',
      ':mrf_follow_bot',
      ':follower_nickname',
      null,
      'mrf_follow_bot.follower_nickname',
      '',
      undefined,
    ],
    [
      'a word for private servers',
      ':restrict_unauthenticated',
      ':timelines',
      { ':local': ':if_instance_is_private', ':federated': true },
      'restrict_unauthenticated.timelines',
      { local: false, federated: true },
      { ':local': false, ':federated': true },
    ],
    [
      'policies by actors',
      ':mrf_subchain',
      ':match_actor',
      BY_ACTOR,
      'mrf.subchains',
      [['~r/^https:..far/', ['DropPolicy', 'NoOpPolicy']]],
      BY_ACTOR,
    ],
    [
      'policies by actors in tuples',
      ':mrf_subchain',
      ':match_actor',
      [tuple('far.example', mrf('DropPolicy'))],
      'mrf.subchains',
      [['far.example', ['DropPolicy']]],
      { 'far.example': [mrf('DropPolicy')] },
    ],
    [
      'accounts by hosts',
      ':mrf_user_allowlist',
      ':hosts',
      { 'far.example': actors },
      'mrf_user_allowlist.actors',
      actors,
      { 'far.example': actors },
    ],
    [
      'the picture of the server',
      ':instance',
      ':instance_thumbnail',
      '/static/tea.png',
      'instance.thumbnail',
      '/static/tea.png',
      '/static/tea.png',
    ],
    ['the limit of the shoutbox', ':shout', ':limit', 70, 'instance.shout_limit', 70, 70],
    ['names of accounts', 'Svc.User', ':restricted_nicknames', ['tea'], 'user.restricted_nicknames', ['tea'], ['tea']],
  ])('accepts %s (%s %s)', async (_, key, entry, sent, path, value, shown) => {
    const { configs } = await change(svc(key, [entry, sent]));
    expect(app.get(Settings).get(path)).toEqual(value);
    expect(configs).toMatchObject([{ key, ...(shown !== undefined && { db: [entry] }) }]);
    if (shown !== undefined) expect(configs[0]!.value).toContainEqual(tuple(entry, shown));
    expect(configs[0]).not.toHaveProperty('unknown');
    await change(...configs);
    expect(app.get(Settings).get(path)).toEqual(value);
    await change({ group: ':svc', key, delete: true, subkeys: [entry] });
    expect(await stored()).toEqual([]);
  });

  it.each<[key: string, entry: string, value: unknown, path: SettingPath]>([
    [':instance', ':thumbnail', '/static/tea.png', 'instance.thumbnail'],
    [':instance', ':shout_limit', 70, 'instance.shout_limit'],
    [':user', ':restricted_nicknames', ['tea'], 'user.restricted_nicknames'],
    [':mrf', ':subchains', [tuple('far.example', ['DropPolicy'])], 'mrf.subchains'],
    [':mrf_user_allowlist', ':actors', actors, 'mrf_user_allowlist.actors'],
  ])(
    'accepts our own name of a setting that has another name in Pleroma and Akkoma: %s %s',
    async (key, entry, value, path) => {
      const { configs } = await change(svc(key, [entry, value]));
      expect(configs.flatMap(({ unknown }) => unknown ?? [])).toEqual([]);
      expect(app.get(Settings).isStored(path)).toBe(true);
      await change({ group: ':svc', key, delete: true, subkeys: [entry] });
      expect(app.get(Settings).isStored(path)).toBe(false);
    },
  );

  it('replaces the policies by actors as a whole, and the accounts of one host alone', async () => {
    const settings = app.get(Settings);
    for (const actor of ['a', 'b'])
      await change(svc(':mrf_subchain', [':match_actor', { [actor]: [mrf('NoOpPolicy')] }]));
    expect(settings.get('mrf.subchains')).toEqual([['b', ['NoOpPolicy']]]);
    const near = 'https://near.example/users/ann';
    for (const value of [{ 'near.example': [near] }, [tuple(':far.example', actors)]])
      await change({ group: ':svc', key: ':mrf_user_allowlist', value });
    expect(settings.get('mrf_user_allowlist.actors')).toEqual([near, ...actors]);
    await change({ group: ':svc', key: ':mrf_user_allowlist', value: { 'far.example': [] } });
    expect(settings.get('mrf_user_allowlist.actors')).toEqual([near]);
    await change({ group: ':svc', key: ':mrf_user_allowlist', value: { 'far.example': actors } });
    await change({ group: ':svc', key: ':mrf_user_allowlist', delete: true, subkeys: [':near.example'] });
    expect(settings.get('mrf_user_allowlist.actors')).toEqual(actors);
    await change({ group: ':svc', key: ':mrf_user_allowlist', delete: true });
    expect(settings.get('mrf_user_allowlist.actors')).toEqual([]);
  });

  it('shows a pattern that is listed twice with the policies of both', async () => {
    const twice = [tuple('a', mrf('NoOpPolicy')), tuple('b', mrf('DropPolicy')), tuple('a', mrf('DropPolicy'))];
    const { configs } = await change(svc(':mrf_subchain', [':match_actor', twice]));
    expect(
      app
        .get(Settings)
        .get('mrf.subchains')
        .map(([pattern]) => pattern),
    ).toEqual(['a', 'b', 'a']);
    const shown = { a: [mrf('NoOpPolicy'), mrf('DropPolicy')], b: [mrf('DropPolicy')] };
    expect(configs[0]!.value).toEqual([tuple(':match_actor', shown)]);
  });

  it('replaces the frontends that can be installed as a whole', async () => {
    const fields = { git: 'https://tea.example/', build_url: 'https://tea.example/b', build_dir: 'dist', ref: 'main' };
    const available = Object.fromEntries(['tea', 'mint'].map((name) => [name, { name, ...fields }]));
    const { tea, mint } = available;
    await change(svc(':frontends', [':available', available]));
    expect(app.get(Settings).get('frontends.available')).toEqual({ tea, mint });
    const { configs } = await change(svc(':frontends', [':available', { ':tea': tea }]));
    expect(app.get(Settings).get('frontends.available')).toEqual({ tea });
    await change(...configs);
    expect(app.get(Settings).get('frontends.available')).toEqual({ tea });
  });

  it.each([
    ['an account under the name of another host', ':mrf_user_allowlist', [':hosts', { 'near.example': actors }]],
    ['an account under the name of another host', ':mrf_user_allowlist', [':near.example', actors]],
    ['an unknown policy', ':mrf_subchain', [':match_actor', { a: ['TeaPolicy'] }]],
    ['a text where policies by actors stand', ':mrf_subchain', [':match_actor', 'a']],
    ['another word', ':restrict_unauthenticated', [':timelines', { ':local': ':if_it_rains' }]],
    ['another atom', ':mrf_object_age', [':actions', [':brew']]],
    ['an unknown field', ':welcome', [':email', [tuple(':tea', true)]]],
  ] as const)('refuses %s (%s) with an error that names the setting', async (_, key, entry) => {
    const { body } = await root.post(CONFIG, { configs: [svc(key, entry as [string, unknown])] }).expect(400);
    expect((body as { error: string }).error).toContain(/^:mrf_sub/.test(key) ? 'mrf.subchains' : key.slice(1));
    expect(await stored()).toEqual([]);
  });

  it('stores unknown settings without effect, and reports them', async () => {
    const whole = { group: ':other', key: ':one', value: 1 };
    const { configs } = await change(
      svc(':instance', [':limit', 700], [':remote_limit', 5]),
      svc(':pools', [':federation', 5]),
      svc(':frontend_configurations', [':tea_fe', { ':theme': 'dark' }]),
      whole,
    );
    expect(new Map(configs.map(({ key, unknown }) => [key, unknown]))).toEqual(
      new Map([
        [':instance', [':remote_limit']],
        [':pools', [':federation']],
        [':frontend_configurations', undefined],
        [':one', [':one']],
      ]),
    );
    expect(await stored()).toEqual(expect.arrayContaining([expect.objectContaining({ ...whole, unknown: [':one'] })]));
  });

  it('reports every entry that is no setting as unknown', async () => {
    interface Described {
      readonly key: string;
      readonly children: readonly { readonly key: string }[];
    }
    const descriptions = await ok<Described[]>(root.get(`${CONFIG}/descriptions`));
    const isSetting = (key: string, entry: string) =>
      descriptions.some((group) => group.key === key && group.children.some((child) => child.key === entry));
    const others = [':email_blacklist', ':cleanup_attachments', ':method', ':rewrite_policy', ':proxy_opts', ':tea'];
    const keys = [...descriptions.map(({ key }) => key), 'Svc.Upload', 'Svc.Emails.Mailer', ':assets', ':database'];
    const byHost = ':mrf_user_allowlist'; // takes hosts for entries, and refuses what is none
    const sent = keys.filter((key) => key !== byHost);
    const entries = others.map((name): [string, unknown] => [name, ['x']]);
    const { configs } = await change(...sent.map((key) => svc(key, ...entries)));
    expect(configs.map(({ key }) => key).sort()).toEqual(sent.sort());
    for (const { key, value, unknown = [] } of configs) {
      const shown = (value as { tuple: [string, unknown] }[]).map(({ tuple: [name] }) => name);
      expect(shown.filter((name) => !isSetting(key, name))).toEqual(others);
      expect(unknown).toEqual(others);
    }
    const refused = { configs: [svc(byHost, [':tea', ['x']])] };
    await root.post(CONFIG, refused).expect(400, /mrf_user_allowlist/);
  });
});
