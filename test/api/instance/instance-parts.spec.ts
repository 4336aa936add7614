import { createHash } from 'node:crypto';
import { SettingsService } from '../../../src/config/index.js';
import { InstanceDocumentsService } from '../../../src/instance/index.js';
import { TotalsService } from '../../../src/instance/figures/totals.service.js';
import { useApp } from '../../support/servers/app.js';

const app = useApp();

const get = async (path: string) => (await app.http.get(`/api/v1/${path}`).expect(200)).body as unknown;
const missing = (path: string) => app.http.get(`/api/v1/${path}`).expect(404, { error: 'Record not found' });

describe('a part of the instance document', () => {
  it('is the panel of the staff', async () => {
    expect(await get('instance/extended_description')).toEqual({ updated_at: null, content: '' });
    await app.get(InstanceDocumentsService).replace('instance-panel', '<p>Hello</p><script>1</script>');
    expect(await get('instance/extended_description')).toEqual({
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      content: '<p>Hello</p>',
    });
  });

  it('is the terms of service, when there are any', async () => {
    await missing('instance/terms_of_service');
    await app.get(InstanceDocumentsService).replace('terms-of-service', '<p>Be kind</p>');
    expect(await get('instance/terms_of_service')).toEqual({
      effective_date: new Date().toISOString().slice(0, 10),
      effective: true,
      content: '<p>Be kind</p>',
      succeeded_by: null,
    });
  });

  it('is the terms of service by date, of which only the current ones are stored', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await missing(`instance/terms_of_service/${today}`);
    await app.get(InstanceDocumentsService).replace('terms-of-service', '<p>Be kind</p>');
    const { effective_date: day } = (await get('instance/terms_of_service')) as { effective_date: string };
    expect(await get(`instance/terms_of_service/${day}`)).toMatchObject({ content: '<p>Be kind</p>' });
    for (const other of ['1999-01-01', 'today', `${day}x`]) await missing(`instance/terms_of_service/${other}`);
  });

  it('is the privacy policy, when there is one', async () => {
    await missing('instance/privacy_policy');
    await app.get(InstanceDocumentsService).replace('privacy-policy', '<p>We keep little</p><script>1</script>');
    expect(await get('instance/privacy_policy')).toEqual({
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      content: '<p>We keep little</p>',
    });
    await app.get(InstanceDocumentsService).delete('privacy-policy');
    await missing('instance/privacy_policy');
  });

  it('is the languages of the server', async () => {
    expect(await get('instance/languages')).toEqual([{ code: 'en', name: 'English' }]);
    expect(await get('instance/translation_languages')).toEqual({});
  });

  it.each([
    ['sr-RS-Latn', [{ code: 'en', name: 'English' }]],
    ['de-12', [{ code: 'en', name: 'English' }]],
    ['sr-Latn-RS', [{ code: 'sr-Latn-RS', name: 'Serbian (Latin, Serbia)' }]],
  ])('is the languages that have a name, when %s is stored', async (tag, shown) => {
    const languages = [{ path: 'instance.languages', value: [tag] }];
    await app
      .get(SettingsService)
      .update(languages)
      .catch(() => undefined);
    expect(await get('instance/languages')).toEqual(shown);
    await app.get(SettingsService).reset('instance.languages');
  });
});

describe('the blocked servers', () => {
  const set = (values: Record<string, unknown>) =>
    app.get(SettingsService).update(Object.entries(values).map(([path, value]) => ({ path, value })));
  const block = (domain: string, severity: string, comment = '') => ({
    domain,
    digest: createHash('sha256').update(domain).digest('hex'),
    severity,
    comment,
  });

  afterEach(async () => {
    const settings = app.get(SettingsService);
    for (const { path, stored } of settings.dump()) if (stored) await settings.reset(path);
  });

  it('are listed with their reasons, unless they are secret', async () => {
    expect(await get('instance/domain_blocks')).toEqual([]);
    await set({
      'mrf_simple.reject': [['Bad.example', 'spam'], '*.worse.example', 'secret.example'],
      'mrf_simple.federated_timeline_removal': ['loud.example', 'bad.example'],
      'mrf.transparency_exclusions': ['secret.example'],
    });
    expect(await get('instance/domain_blocks')).toEqual([
      block('bad.example', 'suspend', 'spam'),
      block('worse.example', 'suspend'),
      block('loud.example', 'silence'),
    ]);
    await set({ 'mrf.policies': [] });
    expect(await get('instance/domain_blocks')).toEqual([]);
    await set({ 'mrf.transparency': false });
    await missing('instance/domain_blocks');
  });

  it('limit the federation to accepted servers only while SimplePolicy runs', async () => {
    const isLimited = async () => {
      const { body } = await app.http.get('/api/v2/instance').expect(200);
      return (body as { configuration: { limited_federation: boolean } }).configuration.limited_federation;
    };
    await set({ 'mrf_simple.accept': ['good.example'] });
    expect(await isLimited()).toBe(true);
    await set({ 'mrf.policies': ['HashtagPolicy'] });
    expect(await isLimited()).toBe(false);
  });

  it('are secret in every document with all hosts of an excluded domain, and with every port', async () => {
    const secret = [
      'secret.example',
      '*.secret.example',
      'a.secret.example',
      '*.b.secret.example',
      'port.example:8080',
    ];
    await set({
      'mrf.policies': ['SimplePolicy', 'UserAllowListPolicy'],
      'mrf_simple.reject': [...secret, 'bad.example'],
      'instance.quarantined_instances': secret,
      'mrf_user_allowlist.actors': ['https://a.secret.example/1', 'https://port.example:8080/1'],
      'mrf.transparency_exclusions': ['*.secret.example', 'Port.example'],
    });
    const federation = (document: unknown, ...path: string[]) =>
      path.reduce((part, key) => (part as Record<string, unknown>)[key], document);
    const { body: nodeInfo } = await app.http.get('/nodeinfo/2.1').expect(200);
    for (const shown of [
      federation(nodeInfo, 'metadata', 'federation'),
      federation(await get('instance'), 'svc', 'metadata', 'federation'),
      federation((await app.http.get('/api/v2/instance').expect(200)).body, 'svc', 'metadata', 'federation'),
    ])
      expect(shown).toMatchObject({
        exclusions: true,
        mrf_simple: { reject: ['bad.example'] },
        mrf_user_allowlist: {},
        quarantined_instances: [],
      });
    expect(await get('instance/domain_blocks')).toEqual([block('bad.example', 'suspend')]);
    await set({ 'mrf.transparency_exclusions': ['secret.example', 'port.example:8080'] });
    expect(await get('instance/domain_blocks')).toEqual([
      block('a.secret.example', 'suspend'),
      block('b.secret.example', 'suspend'),
      block('bad.example', 'suspend'),
    ]);
  });
});

it.each([
  ['b.', ['b.example']],
  ['B.EXA', ['b.example']],
  ['  b', ['b.example', 'bb.example']],
  ['b\u00fccher.example', ['xn--bcher-kva.example']],
  ['example', []],
  ['%', []],
  ['', []],
])('finds known servers by the beginning of their domains: %j', async (q, found) => {
  for (const host of ['b.example', 'bb.example', 'c.example', 'xn--bcher-kva.example'])
    await app.world.remote('zoe', host);
  await app.get(TotalsService).refresh();
  expect((await app.http.get('/api/v1/peers/search').query({ q }).expect(200)).body).toEqual(found);
});
