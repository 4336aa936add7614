import { type SettingPath, SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { countQueries } from '../../support/queries.js';
import { RulesService } from '../../../src/instance/index.js';
import { TotalsService } from '../../../src/instance/figures/totals.service.js';

describe('GET /', () => {
  const app = useApp({ once: [] });
  const stored: SettingPath[] = [];

  const set = async (values: Partial<Record<SettingPath, unknown>>) => {
    const changes = Object.entries(values).map(([path, value]) => ({ path, value }));
    stored.push(...(Object.keys(values) as SettingPath[]));
    await app.get(SettingsService).update(changes);
  };
  const landing = async (language = 'en') => {
    const { text, ...answer } = await app.http.get('/').set('Accept-Language', language).expect(200);
    return { text, headers: answer.headers as Record<string, string | undefined> };
  };
  /** The text of a page, without markup. */
  const words = (markup: string) =>
    markup
      .slice(markup.indexOf('<main'))
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');

  beforeAll(async () => {
    await app.world.person('admin', { admin: true });
    await app.world.persons('bob');
    await app.world.remote('zoe', 'far.test');
    await app.sql('update account_stats set statuses_count = 1234 where account_id = $1', [app.world.id('bob')]);
    await app.get(TotalsService).refresh();
  });
  afterEach(async () => {
    for (const path of stored.splice(0)) await app.get(SettingsService).reset(path);
  });

  it('describes the server, its size, its registration and its contact', async () => {
    await set({
      'instance.name': 'Harbour',
      'instance.description': '<p>A <b>small</b> place</p><script>alert(1)</script>',
      'instance.email': 'hello@harbour.test',
      'instance.source_url': 'https://code.test/svc',
    });
    const { text } = await landing();
    expect(text).toContain('<title>Harbour</title>');
    expect(text).toContain('<meta name="description" content="A small place" />');
    expect(text).toContain('<h1><bdi>Harbour</bdi></h1>');
    expect(text).toContain('<p>A <b>small</b> place</p></div>');
    expect(words(text)).toContain('2 people 1,234 posts 1 known server');
    expect(text).toContain('<code class="copy">svc.test</code>');
    expect(words(text)).toContain('Anybody may sign up.');
    expect(words(text)).toContain('@you@svc.test');
    expect(words(text)).toContain('@admin@svc.test looks after this server.');
    expect(text).toContain('<a href="mailto:hello@harbour.test">hello@harbour.test</a>');
    expect(text).toContain('<a href="https://code.test/svc">Source code</a>');
    expect(words(text)).toContain(`svc ${app.env.version} is free software`);
  });

  it('shows figures of the last minute, with many users of the last ten minutes', async () => {
    const totals = app.get(TotalsService);
    const count = async (posts: number) => {
      await app.sql('update account_stats set statuses_count = $2 where account_id = $1', [app.world.id('bob'), posts]);
      await totals.refreshWhenDue();
      return /([\d,]+) posts/.exec(words((await landing()).text))?.[1];
    };
    expect(await count(7)).toBe('7');
    await app.sql('update instance_totals set users = 5001');
    expect(await count(8)).toBe('7');
    await app.sql(`update instance_totals set refreshed_at = now() - interval '10 minutes'`);
    expect(await count(1234)).toBe('1,234');
  });

  it('shows the rules in order and as text', async () => {
    expect((await landing()).text).not.toContain('The rules here');
    const rules = app.get(RulesService);
    const last = await rules.create({ text: 'No <b>advertising</b>', priority: 2 });
    const first = await rules.create({ text: 'Be kind', hint: 'and assume that others are', priority: 1 });
    expect(words((await landing()).text)).toContain(
      'The rules here Be kind and assume that others are No &lt;b&gt;advertising&lt;/b&gt;',
    );
    expect(words((await landing('de')).text)).toContain('Die Regeln hier Be kind');
    for (const { id } of [first, last]) await rules.delete(id);
    expect((await landing()).text).not.toContain('Be kind');
  });

  it('links to existing pages only', async () => {
    const { text } = await landing();
    const links = Array.from(text.matchAll(/(?:href|src)="([^"]*)"/g), ([, url = '']) => url);
    const ours = links.map((link) => new URL(link, app.env.baseUrl)).filter(({ origin }) => origin === app.env.baseUrl);
    expect(ours.length).toBeGreaterThan(4);
    for (const { pathname } of ours) await app.http.get(pathname).expect(200);
    expect(text).toContain('href="#content"');
    expect(text).toContain('id="content"');
  });

  it.each<[string, Partial<Record<SettingPath, unknown>>, string]>([
    ['open', {}, 'Anybody may sign up.'],
    ['open after a look', { 'instance.account_approval_required': true }, 'Anybody may ask for an account'],
    ['closed', { 'instance.registrations_open': false }, 'No new accounts are given out'],
  ])('shows that registration is %s', async (_case, values, sentence) => {
    await set(values);
    const { text } = await landing();
    expect(words(text)).toContain(sentence);
    expect(text.includes('@you@svc.test')).toBe(!('instance.registrations_open' in values));
  });

  it('shows no contact if there is none', async () => {
    await app.sql('update accounts set show_role = false where id = $1', [app.world.id('admin')]);
    await app.get(TotalsService).refresh();
    try {
      const { text } = await landing();
      expect(text).not.toContain('Contact');
      expect(text).not.toContain('mailto:');
    } finally {
      await app.sql('update accounts set show_role = true where id = $1', [app.world.id('admin')]);
      await app.get(TotalsService).refresh();
    }
  });

  it('shows only the name and sign-in of a server that is not public', async () => {
    await set({
      'instance.public': false,
      'instance.name': 'Harbour',
      'instance.description': 'A secret place',
      'instance.email': 'hello@harbour.test',
    });
    const { text } = await landing();
    expect(text).toContain('<h1><bdi>Harbour</bdi></h1>');
    expect(text).toContain('<code class="copy">svc.test</code>');
    expect(text).toContain('<meta name="robots" content="noindex" />');
    expect(text).not.toMatch(/secret|hello@|@admin|people|posts|sign up|og:/);
  });

  it('H14 U3 escapes hostile texts', async () => {
    const evil = `"><script>alert('1')</script>\u202E & <b>`;
    await set({
      'instance.name': evil,
      'instance.description': `<img src="x" onerror="x()"><a href="javascript:x()" style="color:red">y</a><p class="foot" onclick="x()">z`,
      'instance.short_description': evil,
      'instance.email': `"><i>@x.test`,
    });
    const { text } = await app.http.get('/').set({ Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' }).expect(200);
    expect(text).not.toMatch(/<script|<i>|\son\w+=|javascript:|style=|evil\.test/);
    expect(text).toContain(
      '<h1><bdi>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;\u202E &amp; &lt;b&gt;</bdi></h1>',
    );
    expect(text).toContain('<a>y</a><p>z</p></div>');
  });

  it('uses the language of the visitor, else that of the server', async () => {
    const heard = async (language: string) => {
      const { text, headers } = await landing(language);
      expect(text).toContain(`<html lang="${headers['content-language']}">`);
      return headers['content-language'];
    };
    const asked = ['en', 'de', 'fr', 'de-AT', 'fr-CA;q=0.5, de;q=0.4', 'it, fr;q=0.1', 'ja', '*', 'x'.repeat(5_000)];
    const answers = ['en', 'de', 'fr', 'de', 'fr', 'fr', 'en', 'en', 'en'];
    expect(await Promise.all(asked.map(heard))).toEqual(answers);
    await set({ 'instance.languages': ['fr-CH', 'en'] });
    expect([await heard('ja'), await heard('*'), await heard('de')]).toEqual(['fr', 'fr', 'de']);
    expect((await landing('de')).text).toContain('Mit einer App nutzen');
    expect((await landing('fr')).text).toContain('lang="fr-CH"');
  });

  it('contains and allows no scripts or styles', async () => {
    const { text, headers } = await landing();
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      vary: 'Accept, Cookie, Accept-Language',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('weighs less than 80 kB with its files, and costs no query', async () => {
    const { text } = await landing();
    const files = new Set(Array.from(text.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g), ([, path = '']) => path));
    const bodies = await Promise.all([...files].map((path) => app.http.get(path).buffer(true)));
    const sizes = bodies.map(({ headers }) => Number((headers as Record<string, string>)['content-length']));
    expect(sizes).toHaveLength(2);
    expect(Buffer.byteLength(text) + sizes.reduce((sum, size) => sum + size)).toBeLessThan(80_000);
    expect((await countQueries(() => landing())).statements).toEqual([]);
  });

  it('answers HEAD without the page', async () => {
    const { headers } = await landing();
    const head = await app.http.head('/').expect(200);
    expect(head.text).toBeFalsy();
    expect((head.headers as Record<string, string>)['content-length']).toBe(headers['content-length']);
  });

  describe('its files', () => {
    it('are cached for good under names with their digest', async () => {
      const { text } = await landing();
      const [, path = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
      const { headers } = await app.http.get(path).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      await app.http.head(path).expect(200);
      const missing = await app.http.get('/pages/style-000000000000.css').expect(404);
      expect(missing.headers['cache-control']).toBe('private, no-store');
    });

    it('H20 do not include others', async () => {
      for (const path of ['..%2f..%2fpackage.json', '%2e%2e', 'style.css', 'constructor', '__proto__']) {
        await app.http.get(`/pages/${path}`).expect(404);
      }
    });

    it.each([
      ['/favicon.ico', 'image/x-icon', '00000100'],
      ['/favicon.png', 'image/png', '89504e47'],
    ])('include %s', async (path, type, start) => {
      const answer = await app.http.get(path).responseType('blob').expect(200);
      expect(answer.headers).toMatchObject({ 'content-type': type, 'cache-control': 'public, max-age=86400' });
      expect((answer.body as Buffer).subarray(0, 4).toString('hex')).toBe(start);
      await app.http.head(path).expect(200);
    });
  });
});
