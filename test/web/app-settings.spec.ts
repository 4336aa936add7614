import { type CredentialAccountJson, UsersService } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { picture } from '../support/fixtures/media-files.js';
import { ok } from '../support/fixtures/statuses.js';
import { wordsOf } from '../support/pages.js';
import { useApp } from '../support/servers/app.js';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let visit: BrowserVisit;

beforeEach(async () => {
  visit = await new BrowserVisit(app).signIn('alice');
});

const SETTINGS = '/auth/account';
const own = async () =>
  ok<CredentialAccountJson>((await app.world.as('alice')).get('/api/v1/accounts/verify_credentials'));

/** Opens a page and sends its form; boxes without a value are sent empty. */
async function fill(path: string, fields: Record<string, string>) {
  await visit.get(`${SETTINGS}/${path}`);
  return visit.submit(fields);
}

const dataUri = async () => `data:image/png;base64,${(await picture('png')).toString('base64')}`;

describe('the profile', () => {
  it('is shown as it was typed, and changed', async () => {
    const answer = await fill('profile', {
      display_name: 'Alice <3',
      note: 'I *like* tea.\n\n#tea',
      'fields_attributes[0][name]': 'Site',
      'fields_attributes[0][value]': 'https://alice.example',
      'fields_attributes[1][name]': '',
      'fields_attributes[1][value]': '',
      birthday: '1990-02-03',
      locked: '1',
      hide_followers: '1',
      attribution: 'news.example\nhttps://blog.example/',
    });
    expect(wordsOf(answer)).toContain('Done.');
    expect(await own()).toMatchObject({
      display_name: 'Alice <3',
      locked: true,
      bot: false,
      source: {
        note: 'I *like* tea.\n\n#tea',
        fields: [{ name: 'Site', value: 'https://alice.example' }],
        attribution_domains: ['news.example', 'blog.example'],
      },
      svc: { hide_followers: true, hide_follows: false, accepts_chat_messages: false, birthday: '1990-02-03' },
    });
    const { text } = await visit.get(`${SETTINGS}/profile`);
    expect(text).toContain('I *like* tea.\n\n#tea</textarea>');
    expect(text).toMatch(/name="locked" value="1"\s+checked/);
    expect(text).toMatch(/name="bot" value="1"\s*\/>/);
  });

  it('keeps the typed text when it is refused, and changes nothing', async () => {
    const refused = await fill('profile', { display_name: 'x'.repeat(1_000), note: 'still here', bot: '1' });
    expect(refused.status).toBe(422);
    expect(wordsOf(refused)).toContain('display name is too long');
    expect(refused.text).toContain('still here</textarea>');
    expect(refused.text).toMatch(/name="bot" value="1"\s+checked/);
    expect(await own()).toMatchObject({ bot: false, source: { note: '' } });
  });

  it.each([
    ['101 domains', Array.from({ length: 101 }, (_, at) => `n${at}.example`).join('\n')],
    ['a domain of 301 characters', `${'n.'.repeat(147)}example`],
  ])('names at most as many domains, and as long ones, as the API: %s', async (_case, attribution) => {
    expect((await fill('profile', { attribution })).status).toBe(422);
    expect(await own()).toMatchObject({ source: { attribution_domains: [] } });
  });

  it('gets pictures with descriptions, keeps them, and loses them', async () => {
    await fill('profile', { avatar: await dataUri(), avatar_description: 'a cup of tea' });
    const { avatar, svc } = await own();
    expect([avatar.includes('/images/avi.png'), svc.avatar_description]).toEqual([false, 'a cup of tea']);
    await fill('profile', { avatar_description: 'a cup of green tea' });
    expect((await own()).avatar).toBe(avatar);
    await fill('profile', { avatar_description: 'a cup of green tea', remove_avatar: '1' });
    expect(await own()).toMatchObject({
      avatar: expect.stringContaining('/images/avi.png'),
      svc: { avatar_description: '' },
    });
  });
});

describe('the preferences', () => {
  it('are those that apps read', async () => {
    const answer = await fill('preferences', {
      default_scope: 'private',
      'source[quote_policy]': 'nobody',
      'source[language]': 'de',
      'source[sensitive]': '1',
      no_rich_text: '1',
      skip_thread_containment: '1',
      language: 'fr',
      'policy[for_not_following]': 'drop',
      'policy[for_new_accounts]': 'filter',
      hide_notification_contents: '1',
    });
    expect(wordsOf(answer)).toContain('Done.');
    expect(await own()).toMatchObject({
      source: {
        privacy: 'private',
        quote_policy: 'nobody',
        language: 'de',
        sensitive: true,
        svc: { no_rich_text: true },
      },
      svc: {
        allow_following_move: false,
        skip_thread_containment: true,
        notification_settings: { block_from_strangers: true, hide_notification_contents: true },
      },
    });
    expect(await ok((await app.world.as('alice')).get('/api/v2/notifications/policy'))).toMatchObject({
      for_not_following: 'drop',
      for_new_accounts: 'filter',
      for_not_followers: 'accept',
    });
    const { text } = await visit.get(`${SETTINGS}/preferences`);
    for (const value of ['private', 'nobody', 'fr', 'drop'])
      expect(text).toMatch(new RegExp(`value="${value}"\\s+selected`));
  });

  it('leave the language of mails as an app set it, also where the page does not offer it', async () => {
    const locale = async () => (await app.get(UsersService).facts(app.world.id('alice'))).locale;
    for (const tag of ['de-DE', 'pt-BR']) {
      await app.sql('update users set locale = $1 where account_id = $2', [tag, app.world.id('alice')]);
      const { text } = await visit.get(`${SETTINGS}/preferences`);
      const shown = /<select id="language"(?:(?!<\/select)[^])*<option value="([^"]*)" selected/.exec(text)?.[1];
      await visit.submit({ language: shown ?? '' });
      expect([shown, await locale()]).toEqual([tag, tag]);
    }
    await fill('preferences', { language: '' });
    expect(await locale()).toBeNull();
  });

  it('lead to the chosen page after a sign-in, and to the home page once the chosen list is gone', async () => {
    const alice = await app.world.as('alice');
    const { id } = await ok<{ id: string }>(alice.post('/api/v1/lists', { title: 'Friends' }));
    const start = async () => {
      const [first, afterSignIn] = [await visit.get('/'), await visit.get('/app')];
      expect(afterSignIn.headers['location']).toBe(first.headers['location']);
      return first.headers['location'];
    };
    expect(await start()).toBe('/app/home');
    await fill('preferences', { 'pages[start]': 'local' });
    expect(await start()).toBe('/app/local');
    await fill('preferences', { 'pages[start]': `list:${id}` });
    expect(await start()).toBe(`/app/lists/${id}`);
    await ok(alice.delete(`/api/v1/lists/${id}`));
    expect(await start()).toBe('/app/home');
  });

  it('give new posts a format that the server allows, in the large form and in the small one', async () => {
    await fill('preferences', { 'pages[format]': 'text/markdown', 'pages[start]': 'home' });
    expect(await ok((await app.world.as('alice')).get('/api/v1/svc/settings/pages'))).toEqual({
      format: 'text/markdown',
      start: 'home',
    });
    expect((await visit.get('/app/compose')).text).toMatch(/value="text\/markdown" selected/);
    await visit.get('/app/home');
    const { headers } = await visit.submit({ text: '**tea**', visibility: 'public', action: 'post' });
    expect((await visit.get(headers['location']!)).text).toContain('<strong>tea</strong>');
    await app.get(SettingsService).update([{ path: 'instance.allowed_post_formats', value: ['text/plain'] }]);
    expect((await visit.get('/app/compose')).text).toMatch(/value="text\/plain" selected/);
    await app.get(SettingsService).reset('instance.allowed_post_formats');
  });

  it.each([{ 'pages[start]': 'list:of-others' }, { 'pages[start]': 'toString' }, { 'pages[format]': 'text/evil' }])(
    'change nothing with %j',
    async (pages) => {
      const refused = await fill('preferences', { default_scope: 'direct', ...pages });
      expect(refused.status).toBe(400);
      expect(refused.text).toMatch(/value="direct"\s+selected/);
      expect(await own()).toMatchObject({ source: { privacy: 'public' } });
      expect((await visit.get('/')).headers['location']).toBe('/app/home');
    },
  );

  it('change nothing when one part cannot be stored', async () => {
    const full = { app: { text: 'x'.repeat(1_048_540) } };
    await app.sql('update users set settings_store = $1', [JSON.stringify(full)]);
    const refused = await fill('preferences', { default_scope: 'direct', 'pages[start]': 'local' });
    expect([refused.status, wordsOf(refused)]).toEqual([422, expect.stringContaining('The settings store is full')]);
    expect(await own()).toMatchObject({ source: { privacy: 'public' } });
  });

  it('keep the typed values when the language is invalid', async () => {
    const refused = await fill('preferences', { default_scope: 'direct', 'source[language]': 'not a language' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('value="not a language"');
    expect(refused.text).toMatch(/value="direct"\s+selected/);
    expect(await own()).toMatchObject({ source: { privacy: 'public', language: null } });
  });
});

describe('filters', () => {
  interface Stored {
    readonly id: string;
    readonly expires_at: string | null;
    readonly keywords: readonly { readonly id: string; readonly keyword: string }[];
  }
  const filters = async () => ok<Stored[]>((await app.world.as('alice')).get('/api/v2/filters'));
  const form = (title: string, more: Record<string, string> = {}) => ({ title, context: 'home', ...more });

  it('are made, changed and deleted', async () => {
    const made = await fill('filters/new', {
      ...form('Films'),
      filter_action: 'hide',
      term: '3600',
      'keywords_attributes[0][keyword]': 'spoiler',
      'keywords_attributes[1][keyword]': 'the end',
      'keywords_attributes[1][whole_word]': '1',
    });
    expect([made.status, made.headers['location']]).toEqual([303, `${SETTINGS}/filters`]);
    const [filter] = await filters();
    expect(filter).toMatchObject({
      title: 'Films',
      context: ['home'],
      filter_action: 'hide',
      keywords: [
        { keyword: 'spoiler', whole_word: false },
        { keyword: 'the end', whole_word: true },
      ],
    });
    await fill(`filters/${filter!.id}`, {
      ...form('Series', { context: 'thread' }),
      filter_action: 'warn',
      term: 'keep',
      'keywords_attributes[0][keyword]': '',
      'keywords_attributes[1][keyword]': 'the very end',
      'keywords_attributes[2][keyword]': 'finale',
    });
    const [changed] = await filters();
    expect(changed).toMatchObject({ title: 'Series', context: ['thread'], expires_at: filter!.expires_at });
    expect(changed!.keywords.map(({ keyword }) => keyword).sort()).toEqual(['finale', 'the very end']);
    await visit.get(`${SETTINGS}/filters`);
    await visit.press(`${SETTINGS}/filters/${filter!.id}/delete`);
    expect(await filters()).toEqual([]);
  });

  it('keep the typed text when they are refused', async () => {
    for (const fields of [form(' '), form('Films', { context: 'nowhere' })]) {
      const refused = await fill('filters/new', {
        ...fields,
        term: '86400',
        'keywords_attributes[0][keyword]': 'spoiler',
      });
      expect([refused.status, refused.text.includes('value="spoiler"')]).toEqual([422, true]);
      expect(refused.text).toMatch(/value="86400"\s+selected/);
    }
    expect(await filters()).toEqual([]);
  });

  it('V8 of other accounts return 404', async () => {
    const bob = await app.world.as('bob');
    const { id } = await ok<{ id: string }>(bob.post('/api/v2/filters', { title: 'Tea', context: ['home'] }));
    expect((await visit.get(`${SETTINGS}/filters/${id}`)).status).toBe(404);
    for (const path of ['', '/delete']) {
      await visit.get(`${SETTINGS}/filters`);
      const { status } = await visit.post(`${SETTINGS}/filters/${id}${path}`, {
        _csrf: visit.field('_csrf')!,
        ...form('Mine'),
      });
      expect([path, status]).toEqual([path, 404]);
    }
    expect(await ok(bob.get(`/api/v2/filters/${id}`))).toMatchObject({ title: 'Tea' });
  });
});

describe('mutes and blocks', () => {
  it('are listed, each with a button that undoes it', async () => {
    const alice = await app.world.as('alice');
    await ok(alice.post(`/api/v1/accounts/${app.world.id('bob')}/mute`, { duration: 3600 }));
    await ok(alice.post(`/api/v1/accounts/${app.world.id('carol')}/block`));
    const muted = await visit.get(`${SETTINGS}/follows`);
    expect(wordsOf(muted)).toMatch(/@bob@svc\.test · until/);
    expect(wordsOf(muted)).not.toContain('@carol');
    const pressed = await visit.press(`/app/people/${app.world.id('bob')}/actions/unmute`);
    expect(pressed.headers['location']).toBe(`${SETTINGS}/follows`);
    await visit.get(`${SETTINGS}/follows?of=blocks`);
    await visit.press(`/app/people/${app.world.id('carol')}/actions/unblock`);
    for (const list of ['mutes', 'blocks']) expect(await ok(alice.get(`/api/v1/${list}`))).toEqual([]);
  });

  it('of servers are made and undone', async () => {
    const alice = await app.world.as('alice');
    const path = 'follows?of=servers';
    const refused = await fill(path, { op: 'block', domain: 'no server' });
    expect([refused.status, refused.text.includes('value="no server"')]).toEqual([400, true]);
    await fill(path, { op: 'block', domain: 'Bad.Example' });
    expect(await ok(alice.get('/api/v1/domain_blocks'))).toEqual(['bad.example']);
    expect(wordsOf(await visit.get(`${SETTINGS}/${path}`))).toContain('bad.example');
    await visit.submit({ op: 'unblock', domain: 'bad.example' });
    expect(await ok(alice.get('/api/v1/domain_blocks'))).toEqual([]);
  });
});
