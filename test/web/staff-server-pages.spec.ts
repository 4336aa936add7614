import { Settings, SettingsService } from '../../src/config/index.js';
import { HostBlocksService } from '../../src/federation/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { picture } from '../support/fixtures/media-files.js';
import { ok } from '../support/fixtures/statuses.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice'] });
let visit: BrowserVisit;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  visit = await new BrowserVisit(app).signIn('root');
});

const log = async () =>
  (await app.sql<{ message: string }>('select message from moderation_log order by id')).map(({ message }) => message);

describe('the server blocks', () => {
  const blocks = '/app/staff/blocks';
  const listed = () => app.get(HostBlocksService).list();

  it('are previewed, added, shown and lifted', async () => {
    const query = { host: 'Loud.example', severity: 'silence', media: 'true', reason: '<b>noise</b>' };
    const preview = await visit.get(`${blocks}/preview`, query);
    expect(wordsOf(preview)).toContain('This server knows no account there.');
    expect(listed()).toEqual([]);
    expect((await visit.submit()).headers['location']).toBe(blocks);
    const block = {
      host: 'loud.example',
      lists: ['federated_timeline_removal', 'media_removal'],
      reason: '<b>noise</b>',
    };
    expect(listed()).toEqual([block]);
    expect((await visit.get(blocks)).text).toContain('&lt;b&gt;noise&lt;/b&gt;');
    await visit.press(`${blocks}/remove`, { host: 'loud.example' });
    expect(listed()).toEqual([]);
    expect(await log()).toEqual([
      '@root blocked or limited servers: loud.example',
      '@root lifted the blocks of servers: loud.example',
    ]);
  });

  it('name servers in Punycode, also those of a list', async () => {
    await visit.get(`${blocks}/preview`, { host: '*.Bücher.example', severity: 'suspend' });
    await visit.submit();
    await app.get(HostBlocksService).import('münchen.example');
    expect(listed().map(({ host }) => host)).toEqual(['*.xn--bcher-kva.example', 'xn--mnchen-3ya.example']);
  });

  it.each([
    ['another host', 'loud.example'],
    ['a host that is listed', 'old.example'],
  ])('have no effect without SimplePolicy, which the block of %s adds', async (_which, host) => {
    const settings = app.get(SettingsService);
    await settings.update([
      { path: 'mrf.policies', value: ['HashtagPolicy'] },
      { path: 'mrf_simple.reject', value: ['old.example'] },
    ]);
    const note = 'The server blocks have no effect: SimplePolicy is not in mrf.policies.';
    expect(wordsOf(await visit.get(blocks))).toContain(note);
    await visit.get(`${blocks}/preview`, { host, severity: 'suspend' });
    await visit.submit();
    expect(app.get(Settings).get('mrf.policies')).toEqual(['SimplePolicy', 'HashtagPolicy']);
    const { body } = await app.http.get('/api/v1/instance/domain_blocks').expect(200);
    expect(body).toContainEqual(expect.objectContaining({ domain: host, severity: 'suspend' }));
    expect(wordsOf(await visit.get(blocks))).not.toContain('no effect');
    await visit.press(`${blocks}/remove`, { host });
    expect(app.get(Settings).get('mrf.policies')).toEqual(['SimplePolicy', 'HashtagPolicy']);
    for (const path of ['mrf.policies', 'mrf_simple.reject']) await settings.reset(path);
  });

  it('keep the typed text when the host is invalid', async () => {
    await visit.get(blocks);
    const answer = await visit.post(blocks, { _csrf: visit.field('_csrf')!, host: 'no host', reason: 'my reason' });
    expect([answer.status, answer.text.includes('value="no host"'), answer.text.includes('value="my reason"')]).toEqual(
      [400, true, true],
    );
  });

  it.each([
    ['loud.example', ['loud.example']],
    ['*.loud.example', ['a.loud.example', 'b.loud.example:8443']],
    ['loud.example', ['loud.example:8443']],
    ['Bücher.example', ['xn--bcher-kva.example']],
  ])('of %s are previewed with the accounts on %p, which a button deletes', async (host, servers) => {
    for (const server of [...servers, 'other.example']) await app.world.remote('zoe', server);
    const query = { host };
    const words = async () => wordsOf(await visit.get(`${blocks}/preview`, query));
    const found = async () => wordsOf(await visit.get('/app/staff/accounts', { q: servers[0]! }));
    const left = () => app.sql('select domain from accounts where domain is not null and deleted_at is null');
    expect(await found()).toContain('Found: 1');
    expect(await words()).toContain(`Known accounts there ${servers.length}`);
    await visit.press(`${blocks}/delete_accounts`, query);
    await app.drain();
    expect(await found()).toContain('Found: 0');
    expect(await left()).toEqual([{ domain: 'other.example' }]);
    expect(await words()).toContain('Known accounts there 0');
    expect(() => visit.press(`${blocks}/delete_accounts`, query)).toThrow('no button');
    const { _csrf = '' } = visit.fields;
    expect((await visit.post(`${blocks}/delete_accounts`, { _csrf, host })).status).toBe(404);
    expect(await log()).toEqual([`@root deleted all accounts of servers: ${servers.join(', ')}`]);
  });

  it('are imported after a preview that changes nothing', async () => {
    await visit.get(`${blocks}/import`);
    const list = '#domain,#severity\nloud.example,suspend\n*.calm.example,silence\n';
    const preview = await visit.post(`${blocks}/import`, { _csrf: visit.field('_csrf')!, list });
    expect(wordsOf(preview)).toContain('adds or limits further: 2');
    expect(listed()).toEqual([]);
    await visit.submit();
    expect(listed().map(({ host }) => host)).toEqual(['*.calm.example', 'loud.example']);
    expect((await visit.get(`${blocks}/export`)).text).toContain('loud.example,suspend');
    await visit.get(`${blocks}/import`);
    const refused = await visit.post(`${blocks}/import`, { _csrf: visit.field('_csrf')!, list: 'l*d.example' });
    expect([refused.status, refused.text.includes('>l*d.example</textarea>')]).toEqual([400, true]);
  });
});

describe('invites', () => {
  const invites = '/app/staff/invites';

  it('are made, shown with their link, and revoked', async () => {
    await visit.get(invites);
    expect((await visit.submit({ max_use: '3', expires_at: '' })).headers['location']).toBe(invites);
    const { text } = await visit.get(invites);
    expect(text).toMatch(/https:\/\/svc\.test\/registration\//);
    expect(text).toContain('at most: 3');
    const token = /name="token" value="([^"]+)"/.exec(text)![1]!;
    await visit.press(`${invites}/revoke`, { token });
    expect((await visit.get(invites)).text).not.toContain('name="token"');
    const refused = await visit.submit({ max_use: '', expires_at: '2001-01-01' });
    expect([refused.status, refused.text.includes('value="2001-01-01"')]).toEqual([400, true]);
    expect(await log()).toEqual([
      expect.stringMatching(/^@root made invite /),
      expect.stringMatching(/^@root revoked invite /),
    ]);
  });

  it('come with a notice where the settings make them useless', async () => {
    const notice = async (open: boolean, invited: boolean) => {
      await app.get(SettingsService).update([
        { path: 'instance.registrations_open', value: open },
        { path: 'instance.invites_enabled', value: invited },
      ]);
      return /Nobody (?:can|needs)[^:]*/.exec((await visit.get(invites)).text)?.[0];
    };
    expect(await notice(false, false)).toBe('Nobody can sign up with an invite');
    expect(await notice(true, true)).toBe('Nobody needs an invite');
    expect(await notice(false, true)).toBeUndefined();
  });

  it('are shown to moderators with one privilege, and changed only with another one', async () => {
    await app.sql('update users set is_moderator = true where account_id = $1', [app.world.id('alice')]);
    await app.get(SettingsService).update([{ path: 'instance.moderator_privileges', value: ['admin:read:invites'] }]);
    const alice = await new BrowserVisit(app).signIn('alice');
    expect((await alice.get(invites)).text).not.toContain('name="max_use"');
    expect((await alice.get('/app/staff/settings')).status).toBe(403);
  });
});

describe('rules and announcements', () => {
  it('are written, changed and deleted, and keep the typed text after a refusal', async () => {
    const rules = '/app/staff/rules';
    await visit.get(rules);
    const refused = await visit.post(rules, { _csrf: visit.field('_csrf')!, text: ' ', hint: 'my hint' });
    expect([refused.status, refused.text.includes('>my hint</textarea>')]).toEqual([422, true]);
    await visit.post(rules, { _csrf: visit.field('_csrf')!, text: 'Be kind', hint: '', priority: '2' });
    const shown = async () =>
      ok<{ id: string; text: string; hint: string }[]>(app.world.anonymous.get('/api/v1/instance/rules'));
    const [rule] = await shown();
    expect(rule).toMatchObject({ text: 'Be kind' });
    await visit.get(rules);
    await visit.post(`${rules}/${rule!.id}`, { _csrf: visit.field('_csrf')!, text: 'Be very kind', hint: 'please' });
    expect(await shown()).toMatchObject([{ text: 'Be very kind', hint: 'please' }]);
    await visit.get(rules);
    await visit.press(`${rules}/${rule!.id}/delete`);
    expect(await shown()).toEqual([]);
  });

  it('start at the time of the form, read as UTC', async () => {
    const path = '/app/staff/announcements';
    await visit.get(path);
    await visit.post(path, {
      _csrf: visit.field('_csrf')!,
      content: 'Tea at ten',
      starts_at: '2020-01-01T10:00',
      ends_at: '',
    });
    const alice = await app.world.as('alice');
    const [shown] = await ok<{ id: string; starts_at: string }[]>(alice.get('/api/v1/announcements'));
    expect(shown).toMatchObject({ content: '<p>Tea at ten</p>', starts_at: '2020-01-01T10:00:00.000Z' });
    expect((await visit.get(path)).text).toContain('value="2020-01-01T10:00"');
    const wrong = await visit.post(`${path}/${shown!.id}`, {
      _csrf: visit.field('_csrf')!,
      content: 'x',
      starts_at: 'soon',
    });
    expect([wrong.status, wrong.text.includes('value="soon"')]).toEqual([400, true]);
    await visit.post(`${path}/${shown!.id}`, { _csrf: visit.field('_csrf')!, content: 'Tea at noon' });
    expect(await ok(alice.get('/api/v1/announcements'))).toMatchObject([{ content: '<p>Tea at noon</p>' }]);
    await visit.get(path);
    await visit.press(`${path}/${shown!.id}/delete`);
    expect(await ok(alice.get('/api/v1/announcements'))).toEqual([]);
    expect(await log()).toHaveLength(3);
  });

  it.each(['10:20:30.000', '10:20:00.500', '10:20:00.000'])('keep their time of %s in the form', async (time) => {
    const path = '/app/staff/announcements';
    const moment = `2020-01-01T${time}Z`;
    const root = await app.world.as('root', 'admin');
    const alice = await app.world.as('alice');
    const announcement = { content: 'Tea', starts_at: moment };
    await root.post('/api/v1/svc/admin/announcements', announcement).expect(200);
    const shown = async () => (await ok<{ id: string; starts_at: string }[]>(alice.get('/api/v1/announcements')))[0]!;
    const { id } = await shown();
    const page = await visit.get(path);
    const field = /<input[^>]*id="starts-(?!new)[^>]*>/.exec(page.text)?.[0] ?? '';
    const startsAt = /value="([^"]*)"/.exec(field)?.[1] ?? '';
    expect(field.includes('step="any"')).toBe(startsAt.length > 16);
    await visit.post(`${path}/${id}`, { _csrf: visit.field('_csrf')!, content: 'Tea', starts_at: startsAt });
    expect(await shown()).toMatchObject({ starts_at: moment });
    await root.delete(`/api/v1/svc/admin/announcements/${id}`).expect(200);
  });
});

describe('the settings', () => {
  const path = '/app/staff/settings';
  const instance = () => ok<{ title: string; registrations: object }>(app.world.anonymous.get('/api/v2/instance'));
  const FORM = {
    name: 'Tea house',
    description: 'All about tea',
    languages: 'de, en',
    registrations: 'invite',
    public: 'true',
    federating: 'true',
    limit: '500',
    chat_limit: '5000',
    upload_limit: '16',
    max_media_attachments: '4',
  };

  it('change with one entry in the log, and only those that differ', async () => {
    await visit.get(path);
    const saved = await visit.submit({ ...FORM, privileges: 'admin:read:reports' });
    expect(saved.text).toContain('Saved.');
    expect(await instance()).toMatchObject({
      title: 'Tea house',
      languages: ['de', 'en'],
      registrations: { enabled: false },
    });
    expect((await visit.get(path)).text).toMatch(/value="admin:read:reports" +checked/);
    expect(await log()).toEqual(['@root changed the configuration: :svc :instance']);
    await visit.submit({ ...FORM, privileges: 'admin:read:reports' });
    expect(await log()).toHaveLength(1);
  });

  it('say that no address can be confirmed while the server sends no mail', async () => {
    expect(wordsOf(await visit.get(path))).toContain('since SMTP_URL is not set');
  });

  it('stay as another member of the staff set them since the form was opened', async () => {
    const change = (name: string, limit: number) =>
      app.get(SettingsService).update([
        { path: 'instance.name', value: name },
        { path: 'instance.limit', value: limit },
        { path: 'instance.registrations_open', value: true },
      ]);
    const now = () =>
      (['name', 'limit', 'description'] as const).map((key) => app.get(Settings).get(`instance.${key}`));
    await change('Tea house', 500);
    await visit.get(path);
    const opened = { ...FORM, registrations: 'open' };
    await change('Milk bar', 700);
    await app.get(SettingsService).update([{ path: 'instance.registrations_open', value: false }]);
    await visit.submit({ ...opened, description: 'Mine', chat_limit: '0' }); // refused: the form is shown again
    expect(now()).toEqual(['Milk bar', 700, expect.not.stringContaining('Mine')]);
    await visit.submit({ ...opened, description: 'Mine' });
    expect(now()).toEqual(['Milk bar', 700, 'Mine']);
    expect(app.get(Settings).get('instance.registrations_open')).toBe(false);
    const { shown, ...others } = visit.fields;
    await visit.post(path, { ...others, ...opened, shown: `${shown!}{`, name: 'Tea house' });
    expect(now()[0]).toBe('Tea house');
  });

  it('stay unchanged when one is refused, and the form keeps the typed values', async () => {
    await visit.get(path);
    const refused = await visit.submit({ ...FORM, limit: '0' });
    expect([refused.status, refused.text.includes('value="Tea house"')]).toEqual([400, true]);
    expect(wordsOf(refused)).toContain('instance.limit');
    expect(await instance()).not.toMatchObject({ title: 'Tea house' });
    expect(await log()).toEqual([]);
  });
});

describe('a setting of a list', () => {
  it('is described in the language of the reader where a value does not fit', async () => {
    const german = await new BrowserVisit(app, 'de').signIn('root');
    await german.get('/app/staff/settings');
    const refused = await german.submit({ languages: 'de, !' });
    expect(wordsOf(refused)).toContain(
      'muss sein: eine Liste aus höchstens 50 verschiedenen Einträgen, jeder ein Sprachkürzel wie en oder pt-BR.',
    );
  });
});

describe('the log', () => {
  it('is searched by words, days and the member of the staff', async () => {
    await visit.get('/app/staff/rules');
    await visit.post('/app/staff/rules', { _csrf: visit.field('_csrf')!, text: 'Be kind' });
    const found = async (query: Record<string, string>) =>
      wordsOf(await visit.get('/app/staff/log', query)).includes('@root added rule');
    expect(await found({})).toBe(true);
    expect(await found({ search: 'RULE', actor: app.world.id('root'), from: '2020-01-01', until: '2999-01-01' })).toBe(
      true,
    );
    expect(await found({ from: '2999-01-01' })).toBe(false);
    expect(await found({ until: '2020-01-01' })).toBe(false);
    await app.sql(`update moderation_log set created_at = '2020-01-01T23:59:59.9995Z'`);
    expect(await found({ until: '2020-01-01' })).toBe(true);
    expect(await found({ until: '2019-12-31' })).toBe(false);
    expect(await found({ actor: app.world.id('alice') })).toBe(false);
  });

  it('tells its sentences in the language of the reader, and those of unknown actions as they are stored', async () => {
    await app.world.person('alice');
    const root = await app.world.as('root', 'admin');
    await root.patch('/api/v1/svc/admin/users/deactivate', { nicknames: ['alice'] }).expect(200);
    await app.sql(
      `insert into moderation_log (action, data, message)
       select 'of_old', data || '{"action": "of_old"}', 'did what was done then' from moderation_log`,
    );
    const german = await new BrowserVisit(app, 'de').signIn('root');
    const shown = wordsOf(await german.get('/app/staff/log'));
    expect(shown).toContain('@root hat Konten deaktiviert: @alice');
    expect(shown).toContain('did what was done then');
  });
});

describe('custom emoji', () => {
  const path = '/app/staff/emoji';
  const pack = `${path}/Tea%20time`;
  const shown = async () =>
    (await ok<{ shortcode: string; category: string }[]>(app.world.anonymous.get('/api/v1/custom_emojis'))).map(
      ({ shortcode, category }) => [shortcode, category],
    );

  it('are added to a pack, renamed and deleted, and keep the typed text after a refusal', async () => {
    await visit.get(path);
    expect((await visit.submit({ name: 'Tea time' })).headers['location']).toBe(pack);
    await visit.get(pack);
    const added = await visit.postFiles(
      `${pack}/upload`,
      { ...visit.fields, shortcode: 'tea' },
      { file: await picture() },
    );
    expect(added.headers['location']).toBe(pack);
    expect(await shown()).toEqual([['tea', 'Tea time']]);
    await visit.get(pack);
    const refused = await visit.postFiles(
      `${pack}/upload`,
      { ...visit.fields, shortcode: 'no name' },
      { file: await picture() },
    );
    expect([refused.status, refused.text.includes('value="no name"')]).toEqual([400, true]);
    await visit.post(`${pack}/rename`, { _csrf: visit.field('_csrf')!, shortcode: 'tea', new_shortcode: 'green_tea' });
    expect(await shown()).toEqual([['green_tea', 'Tea time']]);
    const { text } = await visit.get(pack);
    await app.http.get(/<img src="(\/emoji\/[^"]+)"/.exec(text)![1]!).expect(200);
    await visit.press(`${pack}/remove`, { shortcode: 'green_tea' });
    expect(await shown()).toEqual([]);
    await visit.get(pack);
    expect((await visit.press(`${pack}/delete`)).headers['location']).toBe(path);
    expect((await visit.get(pack)).status).toBe(404);
  });
});
