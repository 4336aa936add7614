import { SettingsService } from '../../src/config/index.js';
import { RemoteStatusesService } from '../../src/statuses/index.js';
import { remoteStatus } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { enableMfa } from '../support/fixtures/mfa.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../support/servers/web-host.js';

const ADA = 'https://svc.test/users/ada';
const SUBSCRIBE = 'http://ostatus.org/schema/1.0/subscribe';

describe('The remote follow page', () => {
  const far = useWebHost();
  const app = useApp({ once: ['ada', 'bob'], env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
  let bob: Client;
  let zoeId: string;

  const profile = () => `zoe@${far.host}`;
  const post = (path: string, fields: object) => app.http.post(path).type('form').send(fields);
  const relation = async () => {
    const [row] = (await bob.get('/api/v1/accounts/relationships', { id: zoeId })).body as { requested: boolean }[];
    return row;
  };

  beforeAll(async () => {
    bob = await app.world.as('bob');
    zoeId = (await app.world.remote('zoe', 'far.test')).id;
    const path = `/.well-known/webfinger?resource=${encodeURIComponent(`acct:${profile()}`)}`;
    const links = [{ rel: SUBSCRIBE, template: 'https://far.test/authorize?uri={uri}' }];
    far.at(path, (_request, response) => response.end(JSON.stringify({ links })));
  });
  beforeEach(() => bob.post(`/api/v1/accounts/${zoeId}/unfollow`));

  describe('for a visitor with an account on another server', () => {
    const elsewhere = `https://far.test/authorize?uri=${encodeURIComponent(ADA)}`;

    it('leads apps to the follow page on the server of the visitor', async () => {
      for (const path of ['/api/v1/svc/remote_interaction', '/api/svc/remote_interaction']) {
        const answer = await app.http.post(path).send({ ap_id: ADA, profile: profile() }).expect(200);
        expect(answer.body).toEqual({ url: elsewhere });
      }
    });

    it.each([
      ['an unknown name', { ap_id: ADA, profile: 'zoe@127.0.0.1:1' }],
      ['a name without a server that follows', { ap_id: ADA, profile: 'x@10.0.0.1' }],
      ['no name', { ap_id: ADA, profile: 'https://far.test' }],
      ['no address', { ap_id: 'javascript:x', profile: 'bob@svc.test' }],
    ])('answers apps with an error for %s', async (_case, fields) => {
      const answer = await app.http.post('/api/v1/svc/remote_interaction').send(fields).expect(200);
      expect(answer.body).toEqual({ error: "Couldn't find user" });
    });

    it('leads local users to the follow page of this server', async () => {
      const fields = { ap_id: ADA, profile: '@bob@svc.test' };
      const answer = await app.http.post('/api/v1/svc/remote_interaction').send(fields);
      expect(answer.body).toEqual({ url: `https://svc.test/ostatus_subscribe?acct=${encodeURIComponent(ADA)}` });
    });

    it('asks for the account in a form and redirects to the server of the account', async () => {
      const { text, headers } = await app.http.get('/main/ostatus').query({ nickname: 'ada' }).expect(200);
      expect(text).toContain('Follow ada');
      expect(headers['content-security-policy']).toMatch(/form-action 'self' https: http:(;|$)/);
      const { headers: sent } = await post('/main/ostatus?nickname=ada', { profile: profile() }).expect(302);
      expect(sent['location']).toBe(elsewhere);
      await post('/main/ostatus', { 'user[nickname]': 'ada', 'user[profile]': profile() }).expect(302);
    });

    it('does the same for public posts, and returns 404 for private posts', async () => {
      const ada = await app.world.as('ada');
      const { id, uri } = (await ada.post('/api/v1/statuses', { status: 'tea' })).body as { id: string; uri: string };
      const secret = (await ada.post('/api/v1/statuses', { status: 'x', visibility: 'private' })).body as {
        id: string;
      };
      const { text } = await app.http.get('/main/ostatus').query({ status_id: id }).expect(200);
      expect(text).toContain('Answer a post of ada');
      const sent = await post('/main/ostatus', { 'status[status_id]': id, 'status[profile]': profile() }).expect(302);
      expect(sent.headers['location']).toBe(`https://far.test/authorize?uri=${encodeURIComponent(uri)}`);
      await app.http.get('/main/ostatus').query({ status_id: secret.id }).expect(404);
    });

    it('shows the form again for an unknown name, with the name escaped', async () => {
      const { text } = await post('/main/ostatus', { nickname: 'ada', profile: '<b>x' }).expect(422);
      expect(text).toContain('&lt;b&gt;x');
      await app.http.get('/main/ostatus').expect(404);
      await app.http.get('/main/ostatus').query({ nickname: 'nobody' }).expect(404);
    });
  });

  describe('for a local user', () => {
    const login = (changes: object = {}) => ({
      'authorization[id]': zoeId,
      'authorization[name]': 'bob',
      'authorization[password]': PASSWORD,
      ...changes,
    });

    it('is announced by WebFinger and can be reached by two addresses', async () => {
      const answer = await app.http.get('/.well-known/webfinger').query({ resource: 'acct:ada@svc.test' });
      const template = 'https://svc.test/ostatus_subscribe?acct={uri}';
      expect((answer.body as { links: unknown[] }).links).toContainEqual({ rel: SUBSCRIBE, template });
      const uri = 'https://far.test/users/zoe';
      const { headers } = await app.http.get('/authorize_interaction').query({ uri }).expect(302);
      expect(headers['location']).toBe(`/ostatus_subscribe?acct=${encodeURIComponent(uri)}`);
    });

    it.each(['https://far.test/users/zoe', 'zoe@far.test', 'acct:zoe@far.test'])(
      'shows a form for %s',
      async (acct) => {
        const { text } = await app.http.get('/ostatus_subscribe').query({ acct }).expect(200);
        expect(text).toContain(`value="${zoeId}"`);
      },
    );

    it('knows a person who comes from another server, also where visitors may read nothing', async () => {
      const visit = await new BrowserVisit(app).signIn('bob');
      const asked = (by: BrowserVisit) =>
        by.get('/ostatus_subscribe', { acct: 'zoe@far.test' }, { 'sec-fetch-site': 'cross-site' });
      const isPublic = (value: boolean) => app.get(SettingsService).update([{ path: 'instance.public', value }]);
      const open = await asked(visit);
      await isPublic(false);
      const closed = await asked(visit);
      const sent = await visit.submit();
      const stranger = await asked(new BrowserVisit(app));
      const found = await app.http.get('/authorize_interaction').query({ uri: 'https://far.test/users/zoe' });
      await isPublic(true);
      for (const { status, text } of [open, closed])
        expect([status, text]).toEqual([200, expect.not.stringContaining('password')]);
      expect(sent.headers.location).toBe(`/app/people/${zoeId}`);
      expect(stranger.headers.location).toMatch(/^\/auth\/sign_in\?return_to=%2Fostatus_subscribe%3Facct/);
      expect(found.status).toBe(302);
    });

    it('redirects to a post, and returns 404 for a hidden one', async () => {
      const ada = await app.world.as('ada');
      const { id, uri } = (await ada.post('/api/v1/statuses', { status: 'tea' })).body as { id: string; uri: string };
      const { headers } = await app.http.get('/ostatus_subscribe').query({ acct: uri }).expect(302);
      expect(headers['location']).toBe(`/app/posts/${id}`);
      const secret = (await ada.post('/api/v1/statuses', { status: 'x', visibility: 'private' })).body as {
        uri: string;
      };
      await app.http.get('/ostatus_subscribe').query({ acct: secret.uri }).expect(404);
      await app.http.get('/ostatus_subscribe').query({ acct: 'https://10.0.0.1/users/x' }).expect(404);
    });

    it('redirects to a stored post whose server is away', async () => {
      const uri = 'https://far.test/notes/1';
      const stored = await app.get(RemoteStatusesService).create(remoteStatus({ uri, authorId: zoeId }));
      const { headers } = await app.http.get('/ostatus_subscribe').query({ acct: uri }).expect(302);
      expect(headers['location']).toBe(`/app/posts/${stored!.statusId}`);
    });

    it('follows the account and redirects to its page', async () => {
      const { headers } = await post('/ostatus_subscribe', login()).expect(302);
      expect(headers['location']).toBe(`/app/people/${zoeId}`);
      expect(await relation()).toMatchObject({ requested: true });
    });

    it('finds accounts of other servers by their id', async () => {
      const page = await app.http.get(`/users/${zoeId}`).set('accept', 'text/html').expect(302);
      expect(page.headers['location']).toBe('https://far.test/users/zoe');
    });

    it('accepts a token with the follow scope instead of a password', async () => {
      await bob.post('/ostatus_subscribe', { user: { id: zoeId } }).expect(302);
      expect(await relation()).toMatchObject({ requested: true });
      await (
        await app.world.as('bob', 'read')
      )
        .post('/ostatus_subscribe', { user: { id: app.world.id('ada') } })
        .expect(401);
    });

    it.each([
      ['a wrong password', { 'authorization[password]': 'wrong' }, 401],
      ['no password', { 'authorization[password]': '' }, 401],
      ['an unknown account', { 'authorization[id]': '000000000000000000' }, 404],
    ])('refuses a follow with %s', async (_case, changes, status) => {
      await post('/ostatus_subscribe', login(changes)).set('accept', 'text/html').expect(status);
      expect(await relation()).toMatchObject({ requested: false });
    });

    it('O28 asks for the second factor, and then follows', async () => {
      await app.world.person('erin');
      const factor = await enableMfa(app, 'erin');
      const visit = new BrowserVisit(app);
      await visit.get('/ostatus_subscribe', { acct: 'zoe@far.test' });
      const asked = await visit.submit({ 'authorization[name]': 'erin', 'authorization[password]': PASSWORD });
      expect(asked.text).toContain('mfa[code]');
      const follows = () => app.sql('select 1 from follows where follower_id = $1', [app.world.id('erin')]);
      expect(await follows()).toEqual([]);
      const { headers } = await visit.submit({ 'mfa[code]': factor.nextCode });
      await visit.get(headers.location!);
      expect(await follows()).toEqual([]);
      await visit.submit({});
      expect(await follows()).toHaveLength(1);
    });

    it('O28 refuses a form of another site', async () => {
      await post('/ostatus_subscribe', login()).set('origin', 'https://evil.test').expect(403);
      expect(await relation()).toMatchObject({ requested: false });
    });

    it('shows an error when the account may not follow', async () => {
      const { text } = await post('/ostatus_subscribe', login({ 'authorization[id]': app.world.id('bob') }));
      expect(text).toContain('This account cannot follow the other one.');
    });
  });
});
