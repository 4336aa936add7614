import type { AccountJson } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { fingerprint } from '../../support/bad-input.js';
import { ok, post } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

/**
 * Texts of users, on every route (threats U2, U3, U5): invisible texts count as empty, limits are in code points and so
 * in bytes as well, and the host of a handle is the same in every spelling.
 */

const INVISIBLE = [
  ' \t\n',
  '\u200b\u200c\u200d',
  '\u2060\ufeff',
  '\u3164',
  '\u2800',
  '\u{e0020}\u{e007f}',
  '\u202e\u200f',
];
const CONTEXT = { context: ['home'] };
type Call = readonly [what: string, method: 'post' | 'put' | 'patch', path: string, body: (text: string) => object];

const STATUSES = '/api/v1/statuses';
/** The status of a refused text. */
const refusalOf = ([, , path]: Call) =>
  path.endsWith('/update_credentials') ? 403 : path.endsWith('/scrobble') ? 400 : 422;

/** Texts that must be visible. */
const SHOWN: readonly Call[] = [
  ['a post', 'post', STATUSES, (status) => ({ status })],
  ['a post for later', 'post', STATUSES, (status) => ({ status, scheduled_at: '2090-01-01T00:00:00Z' })],
  ['an edit', 'put', `${STATUSES}/:status`, (status) => ({ status })],
  [
    'an option of a poll',
    'post',
    STATUSES,
    (text) => ({ status: 'x', poll: { options: ['a', text], expires_in: 600 } }),
  ],
  ['the title of a list', 'post', '/api/v1/lists', (title) => ({ title })],
  ['another title of a list', 'put', '/api/v1/lists/:list', (title) => ({ title })],
  ['the title of a filter', 'post', '/api/v2/filters', (title) => ({ title, ...CONTEXT })],
  ['another title of a filter', 'put', '/api/v2/filters/:filter', (title) => ({ title })],
  ['a word of a filter', 'post', '/api/v2/filters/:filter/keywords', (keyword) => ({ keyword })],
  ['a phrase of an older filter', 'post', '/api/v1/filters', (phrase) => ({ phrase, ...CONTEXT })],
  ['the name of a folder', 'post', '/api/v1/svc/bookmark_folders', (name) => ({ name })],
  ['another name of a folder', 'patch', '/api/v1/svc/bookmark_folders/:folder', (name) => ({ name })],
  ['the title of a scrobble', 'post', '/api/v1/svc/scrobble', (title) => ({ title })],
];
/** The limits of settings. */
const BY_SETTINGS: readonly (readonly [number, ...Call])[] = [
  [5_000, 'a post', 'post', STATUSES, (status) => ({ status })],
  [
    5_000,
    'a warning',
    'post',
    STATUSES,
    (spoiler_text) => ({ status: '', spoiler_text, poll: { options: ['a', 'b'], expires_in: 600 } }),
  ],
  [5_000, 'an edit', 'put', `${STATUSES}/:status`, (status) => ({ status })],
  [100, 'a name', 'patch', '/api/v1/accounts/update_credentials', (display_name) => ({ display_name })],
  [5_000, 'a note', 'patch', '/api/v1/accounts/update_credentials', (note) => ({ note })],
];
/** The limits of requests. */
const BY_REQUESTS: typeof BY_SETTINGS = [
  [2_000, 'a note about somebody', 'post', '/api/v1/accounts/:bob/note', (comment) => ({ comment })],
  [255, 'the title of a list', 'post', '/api/v1/lists', (title) => ({ title })],
  [256, 'the title of a filter', 'post', '/api/v2/filters', (title) => ({ title, ...CONTEXT })],
  [512, 'a word of a filter', 'post', '/api/v2/filters/:filter/keywords', (keyword) => ({ keyword })],
  [1_000, 'the title of a scrobble', 'post', '/api/v1/svc/scrobble', (title) => ({ title })],
];

const app = useApp({ once: ['alice', 'bob'] });
let alice: Client;
const ids = new Map<string, string>();

beforeAll(async () => {
  alice = await app.world.as('alice');
  const made = async (path: string, values: object) => (await ok<{ id: string }>(alice.post(path, { ...values }))).id;
  ids.set('status', (await post(app, 'alice', 'here')).id);
  ids.set('list', await made('/api/v1/lists', { title: 'people' }));
  ids.set('filter', await made('/api/v2/filters', { title: 'tea', ...CONTEXT }));
  ids.set('folder', await made('/api/v1/svc/bookmark_folders', { name: 'recipes' }));
  ids.set('bob', app.world.id('bob'));
  await alice.get('/api/v1/accounts/relationships'); // stores the activity of alice
});

const send = ([, method, path, body]: Call, text: string) =>
  alice[method](
    path.replace(/:(\w+)/, (_, name: string) => ids.get(name)!),
    { ...body(text) },
  );

describe('U3 an invisible text', () => {
  it.each(SHOWN)('counts as empty: %s', async (...call) => {
    const before = await fingerprint(app);
    for (const text of INVISIBLE) {
      const { status } = await send(call, text);
      expect({ text: JSON.stringify(text), status }).toEqual({ text: JSON.stringify(text), status: refusalOf(call) });
    }
    expect(await fingerprint(app)).toEqual(before);
    const shown = `\u202eaet \u200d\u0301 ${call[0]}`; // marks of direction and accents are kept
    await send(call, shown).expect(200);
  });

  it('is ignored as a display name', async () => {
    for (const text of INVISIBLE) {
      const { display_name: name } = await ok<AccountJson>(
        alice.patch('/api/v1/accounts/update_credentials', { display_name: text }),
      );
      expect(name).toBe('alice'); // as without a display name
    }
  });

  it('is ignored as a content warning', async () => {
    for (const text of INVISIBLE) {
      expect(await post(app, 'alice', 'tea', { spoiler_text: text })).toMatchObject({ spoiler_text: '' });
    }
  });
});

describe('U5 limits', () => {
  it.each([...BY_SETTINGS, ...BY_REQUESTS])(
    'are %d characters, however many bytes they take: %s',
    async (most, ...call) => {
      const widest = '\u{1f375}'; // four bytes, two UTF-16 units
      await send(call, widest.repeat(most)).expect(200);
      const before = await fingerprint(app);
      await send(call, widest.repeat(most + 1)).expect(refusalOf(call));
      expect(await fingerprint(app)).toEqual(before);
    },
  );

  it.each(BY_SETTINGS)('are %d characters as people see them, within 16 units each: %s', async (most, ...call) => {
    await send(call, 'e\u0301'.repeat(most)).expect(200);
    const before = await fingerprint(app);
    for (const text of ['e\u0301'.repeat(most + 1), `e${'\u0301'.repeat(most)}`]) {
      await send(call, text).expect(refusalOf(call));
    }
    expect(await fingerprint(app)).toEqual(before);
  });

  it('match the published limits', async () => {
    await app.get(SettingsService).update([{ path: 'instance.limit', value: 10 }]);
    expect(await ok<object>(alice.get('/api/v2/instance'))).toMatchObject({
      configuration: { statuses: { max_characters: 10 } },
    });
    await alice.post(STATUSES, { status: '\u{1f375}'.repeat(10) }).expect(200);
    await alice.post(STATUSES, { status: '\u{1f375}'.repeat(11) }).expect(422);
    await app.get(SettingsService).reset('instance.limit');
  });
});

describe('U2 the host of a handle', () => {
  const ASCII = 'xn--bcher-kva.example';
  const SPELLINGS = ['bücher.example', 'BÜCHER.Example', 'bu\u0308cher.example', ASCII, ASCII.toUpperCase()];

  it('is the same in every spelling', async () => {
    const { id } = await app.world.remote('zoe', ASCII);
    for (const host of SPELLINGS) {
      expect(await ok<AccountJson>(alice.get('/api/v1/accounts/lookup', { acct: `zoe@${host}` }))).toMatchObject({
        id,
      });
      const { mentions } = await post(app, 'alice', `@zoe@${host} hello`);
      expect(mentions.map((mention) => mention.id)).toEqual([id]);
      expect(await ok<{ id: string }>(alice.post('/api/v1/follows', { uri: `zoe@${host}` }))).toMatchObject({ id });
    }
    expect(await app.sql('select count(*)::int as n from follows')).toEqual([{ n: 1 }]);
  });

  it('is blocked in every spelling', async () => {
    for (const domain of SPELLINGS) await alice.post('/api/v1/domain_blocks', { domain }).expect(200);
    expect(await ok<string[]>(alice.get('/api/v1/domain_blocks'))).toEqual([ASCII]);
    await alice.delete('/api/v1/domain_blocks', { domain: SPELLINGS[0]! }).expect(200);
    expect(await ok<string[]>(alice.get('/api/v1/domain_blocks'))).toEqual([]);
  });

  it('differs from a host that only looks similar', async () => {
    await app.world.remote('eve', 'paypal.example');
    await alice.get('/api/v1/accounts/lookup', { acct: 'eve@p\u0430ypal.example' }).expect(404);
  });
});
