import { readFile, writeFile } from 'node:fs/promises';
import type supertest from 'supertest';
import type { TSchema } from 'typebox';
import { RouteCatalogue } from '../../../src/instance/openapi/route-catalogue.js';
import { type Example, ExampleRecorder } from '../../support/fixtures/api-examples.js';
import { readReference } from '../../support/fixtures/openapi.js';
import { picture } from '../../support/fixtures/media-files.js';
import { PASSWORD } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';

const FILE = new URL('../../../assets/reference/examples.json', import.meta.url).pathname;
/** `API_EXAMPLES=write npm test -- test/api/reference/examples` writes the file anew. */
const WRITES = process.env['API_EXAMPLES'] === 'write';
/** Enough for a post, and for an account within a post within another one. */
const MOST_BYTES = 6_144;

const MOST_BYTES_OF_THE_DOCUMENT = 1_500_000;
const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
interface Named {
  readonly id: string;
}

describe('the examples of the API reference', () => {
  const app = useApp({ once: ['alice', 'bob'], env: { BASE_URL: 'https://social.example' } });
  let recorder: ExampleRecorder;
  let recorded: Record<string, Example>;

  /** A caller whose requests are recorded. */
  const callerOf = (token: string) => {
    const send =
      (method: Method) =>
      <Body = Named>(path: string, values?: object): Promise<Body> => {
        const client = app.world.client(token);
        const request: supertest.Test = client[method](path, values as Record<string, unknown>);
        return recorder.send<Body>(request, method === 'get' ? undefined : values);
      };
    return { get: send('get'), post: send('post'), put: send('put'), patch: send('patch'), delete: send('delete') };
  };
  type Caller = ReturnType<typeof callerOf>;
  const signedIn = async (nickname: string, ...scopes: string[]) =>
    callerOf((await app.world.as(nickname, ...scopes)).token);

  beforeAll(async () => {
    recorder = new ExampleRecorder(app.env.version);
    await app.world.person('root', { admin: true });
    const alice = await signedIn('alice');
    const bob = await signedIn('bob');
    await signIn(callerOf(''));
    await describeServer(callerOf(''));
    await useAccounts(alice);
    await post(alice, bob);
    await readNotifications(alice);
    await chat(alice);
    await administer(await signedIn('root', 'admin:read', 'admin:write', 'write:reports'), alice);
    recorded = recorder.examples();
    if (WRITES) await writeFile(FILE, `${JSON.stringify(recorded, null, 1)}\n`);
  });

  async function signIn(visitor: Caller): Promise<void> {
    const registration = { client_name: 'Tea', redirect_uris: [OUT_OF_BAND], scopes: ['read', 'write'] };
    const client = await visitor.post<{ client_id: string; client_secret: string }>('/api/v1/apps', registration);
    const { client_id, client_secret } = client;
    const grant = { grant_type: 'password', client_id, client_secret, username: 'alice', password: PASSWORD };
    const { access_token } = await visitor.post<{ access_token: string }>('/oauth/token', { ...grant, scope: 'read' });
    await callerOf(access_token).get('/api/v1/apps/verify_credentials');
    await callerOf(access_token).get('/api/oauth_tokens');
  }

  async function describeServer(visitor: Caller): Promise<void> {
    for (const path of ['/api/v1/instance', '/api/v2/instance', '/.well-known/nodeinfo', '/nodeinfo/2.1.json'])
      await visitor.get(path);
    await visitor.get('/.well-known/oauth-authorization-server');
    await visitor.get('/api/v1/instance/extended_description');
    await visitor.get('/api/v1/instance/languages');
    await visitor.get('/.well-known/webfinger', { resource: 'acct:alice@social.example' });
  }

  async function useAccounts(alice: Caller): Promise<void> {
    const id = app.world.id('bob');
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice', note: 'Tea and trains.' });
    await alice.get('/api/v1/accounts/verify_credentials');
    await alice.get('/api/v1/profile');
    await alice.get(`/api/v1/accounts/${id}`);
    await alice.get('/api/v1/accounts/lookup', { acct: 'bob' });
    await alice.get('/api/v1/accounts/search', { q: 'bob' });
    await alice.post(`/api/v1/accounts/${id}/follow`, { reblogs: true });
    await alice.get('/api/v1/accounts/relationships', { 'id[]': id });
    await alice.get(`/api/v1/accounts/${app.world.id('alice')}/following`);
    await alice.get(`/api/v1/accounts/${id}/followers`);
    await alice.post(`/api/v1/accounts/${id}/note`, { comment: 'Met at the station.' });
    for (const action of ['mute', 'unmute', 'block', 'unblock']) await alice.post(`/api/v1/accounts/${id}/${action}`);
    await alice.post(`/api/v1/accounts/${id}/follow`);
    const list = await alice.post('/api/v1/lists', { title: 'Friends' });
    await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id] });
    for (const path of ['', `/${list.id}`, `/${list.id}/accounts`]) await alice.get(`/api/v1/lists${path}`);
    await alice.get('/api/v1/preferences');
    const filter = { title: 'Spoilers', context: ['home'], keywords_attributes: [{ keyword: 'finale' }] };
    const { id: filterId } = await alice.post('/api/v2/filters', filter);
    await alice.get(`/api/v2/filters/${filterId}`);
    await alice.get('/api/v2/filters');
    await alice.post('/api/v1/tags/tea/follow');
    await alice.get('/api/v1/followed_tags');
  }

  async function post(alice: Caller, bob: Caller): Promise<void> {
    const image = await picture();
    const { token } = await app.world.as('alice');
    const upload = app.http.post('/api/v2/media').set('authorization', `Bearer ${token}`);
    const media = await recorder.send<Named>(upload.attach('file', Buffer.from(image), 'tea.png'));
    await alice.put(`/api/v1/media/${media.id}`, { description: 'A cup of tea.' });
    await alice.get(`/api/v1/media/${media.id}`);
    const status = await alice.post('/api/v1/statuses', { status: 'A new #tea', visibility: 'public' });
    const path = `/api/v1/statuses/${status.id}`;
    await alice.get(path);
    await alice.put(path, { status: 'An old #tea' });
    await alice.get(`${path}/source`);
    await alice.get(`${path}/history`);
    await bob.post('/api/v1/statuses', { status: '@alice Which one?', in_reply_to_id: status.id });
    await alice.get(`${path}/context`);
    for (const action of ['favourite', 'unfavourite', 'reblog', 'unreblog', 'bookmark', 'unbookmark', 'pin', 'unpin'])
      await alice.post(`${path}/${action}`);
    for (const action of ['mute', 'unmute']) await alice.post(`${path}/${action}`);
    for (const action of ['favourite', 'reblog']) await bob.post(`${path}/${action}`);
    await bob.put(`/api/v1/svc/statuses/${status.id}/reactions/🍵`);
    await alice.get(`/api/v1/svc/statuses/${status.id}/reactions`);
    await alice.get(`${path}/favourited_by`);
    await alice.get(`${path}/reblogged_by`);
    await app.drain();
    const poll = { options: ['Green', 'Black'], expires_in: 86_400 };
    const asked = await bob.post<{ poll: Named }>('/api/v1/statuses', { status: 'Which tea?', poll });
    await alice.get(`/api/v1/polls/${asked.poll.id}`);
    await alice.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: ['0'] });
    const gone = await bob.post('/api/v1/statuses', { status: 'A slip.' });
    await bob.delete(`/api/v1/statuses/${gone.id}`);
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const planned = await alice.post('/api/v1/statuses', { status: 'Later', scheduled_at: at });
    await alice.get('/api/v1/scheduled_statuses');
    await alice.get(`/api/v1/scheduled_statuses/${planned.id}`);
    await alice.get(`/api/v1/accounts/${app.world.id('alice')}/statuses`);
    for (const name of ['home', 'public', 'tag/tea']) await alice.get(`/api/v1/timelines/${name}`);
    for (const name of ['favourites', 'bookmarks']) {
      await alice.post(`${path}/${name.slice(0, -1)}`);
      await alice.get(`/api/v1/${name}`);
    }
    await alice.get('/api/v2/search', { q: 'bob' });
  }

  async function readNotifications(alice: Caller): Promise<void> {
    const [newest] = await alice.get<Named[]>('/api/v1/notifications');
    await alice.get(`/api/v1/notifications/${newest!.id}`);
    await alice.get('/api/v2/notifications');
    await alice.get('/api/v1/notifications/unread_count');
    await alice.get('/api/v2/notifications/policy');
    await alice.patch('/api/v2/notifications/policy', { for_new_accounts: 'filter' });
    await alice.post('/api/v1/markers', { notifications: { last_read_id: newest!.id } });
    await alice.get('/api/v1/markers', { 'timeline[]': 'notifications' });
  }

  async function chat(alice: Caller): Promise<void> {
    const { id } = await alice.post(`/api/v1/svc/chats/by-account-id/${app.world.id('bob')}`);
    await alice.post(`/api/v1/svc/chats/${id}/messages`, { content: 'Tea at five?' });
    await alice.get(`/api/v1/svc/chats/${id}/messages`);
    await alice.get(`/api/v1/svc/chats/${id}`);
    await alice.get('/api/v2/svc/chats');
  }

  async function administer(root: Caller, alice: Caller): Promise<void> {
    const admin = '/api/v1/svc/admin';
    const rule = await root.post(`${admin}/rules`, { text: 'Be kind.', hint: 'To all.', priority: 1 });
    await root.get(`${admin}/rules`);
    await root.get('/api/v1/instance/rules');
    await alice.post('/api/v1/reports', { account_id: app.world.id('bob'), comment: 'Spam', rule_ids: [rule.id] });
    const { reports } = await root.get<{ reports: Named[] }>(`${admin}/reports`);
    const report = `${admin}/reports/${reports[0]!.id}`;
    await root.post(`${report}/notes`, { content: 'Asked for more.' });
    await root.get(report);
    await root.get(`${admin}/users`, { query: 'bob' });
    await root.get(`${admin}/users/bob`);
    await root.get(`${admin}/users/bob/credentials`);
    await root.post(`${admin}/users/invite_token`, { max_use: 5 });
    await root.get(`${admin}/users/invites`);
    await root.get(`${admin}/stats`);
    await root.get(`${admin}/moderation_log`);
    await root.get(`${admin}/oauth_app`);
    await root.post(`${admin}/announcements`, { content: 'The server pauses at noon.' });
    await alice.get('/api/v1/announcements');
  }

  it('are answers of this server', async () => {
    expect(recorded).toEqual(JSON.parse(await readFile(FILE, 'utf8')));
  });

  it('have the shapes of their operations, and are short', () => {
    const shapes = new Map(
      app
        .get(RouteCatalogue)
        .operations()
        .map(({ method, path, answer }): [string, TSchema | undefined] => [`${method} ${path}`, answer?.shape]),
    );
    const wrong = Object.entries(recorded).flatMap(([row, { answer }]) => {
      const shape = shapes.get(row);
      const isLong = Buffer.byteLength(JSON.stringify(answer)) > MOST_BYTES;
      const problems = shape === undefined ? ['is no operation'] : checkShape(shape, answer);
      return [...problems, ...(isLong ? [`is longer than ${MOST_BYTES} bytes`] : [])].map((text) => `${row}: ${text}`);
    });
    expect(wrong).toEqual([]);
  });

  it('send nothing but fields of their operations', async () => {
    const { paths } = await readReference(app);
    const unknown = Object.entries(recorded).flatMap(([row, { body = {} }]) => {
      const [method = '', path = ''] = row.split(' ');
      const { requestBody } = paths[path.replace(/[:*](\w+)/g, '{$1}')]![method.toLowerCase()]!;
      const known = new Set(
        Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          Object.keys('properties' in schema ? (schema.properties as object) : {}),
        ),
      );
      return Object.keys(body as object)
        .filter((field) => !known.has(field))
        .map((field) => `${row}: ${field}`);
    });
    expect(unknown).toEqual([]);
  });

  it('stand in the document, which stays of a size that programs read at once', async () => {
    const document = await readReference(app);
    const missing = Object.keys(recorded).filter((row) => {
      const [method = '', path = ''] = row.split(' ');
      const answer = document.paths[path.replace(/[:*](\w+)/g, '{$1}')]![method.toLowerCase()]!.responses['200']!;
      const content = 'content' in answer ? Object.values(answer.content ?? {}) : [];
      return content.every(({ example }) => example === undefined);
    });
    expect(missing).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(MOST_BYTES_OF_THE_DOCUMENT);
  });
});
