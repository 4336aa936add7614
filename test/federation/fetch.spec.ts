import { generateKeyPairSync } from 'node:crypto';
import type { AccountJson } from '../../src/accounts/index.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import type { Client } from '../support/fixtures/world.js';
import { useApp } from '../support/servers/app.js';
import { useWebHost, type WebHost } from '../support/servers/web-host.js';

const ACTIVITY = 'application/activity+json';
const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();

type Document = Record<string, unknown>;
interface Found {
  readonly accounts: readonly AccountJson[];
  readonly statuses: readonly StatusJson[];
}

describe('A remote account or post', () => {
  const far = useWebHost('127.0.0.1');
  const other = useWebHost('127.0.0.2');
  const app = useApp({ once: ['ada'], env: { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1,127.0.0.2' } });
  let ada: Client;
  let signatures: string[] = [];
  let turn = 0;
  let name = '';

  const id = (host = far) => `${host.origin}/users/${name}`;
  const handle = (host = far) => `${name}@${host.host}`;
  const actor = (changes: Document = {}): Document => ({
    id: id(),
    type: 'Person',
    preferredUsername: name,
    name: 'Zoe <b>Far</b>',
    summary: '<p>hi<script>x</script></p>',
    url: `${far.origin}/@${name}`,
    inbox: `${id()}/inbox`,
    followers: `${id()}/followers`,
    endpoints: { sharedInbox: `${far.origin}/inbox` },
    publicKey: { id: `${id()}#main-key`, owner: id(), publicKeyPem: PEM },
    attachment: [{ type: 'PropertyValue', name: 'site', value: '<a href="https://zoe.test">z</a><img src=x>' }],
    manuallyApprovesFollowers: true,
    ...changes,
  });
  const note = (path: string, changes: Document = {}): Document => ({
    id: `${far.origin}${path}`,
    type: 'Note',
    attributedTo: id(),
    content: '<p>tea</p>',
    to: [PUBLIC],
    published: '2024-05-01T10:00:00Z',
    ...changes,
  });

  function serve(host: WebHost, path: string, body: unknown, type = ACTIVITY, status = 200): void {
    host.at(path, (request, response) => {
      signatures.push(String(request.headers.signature));
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
    });
  }
  function finger(host: WebHost, subject = handle(host), href = id()): void {
    const path = `/.well-known/webfinger?resource=${encodeURIComponent(`acct:${handle(host)}`)}`;
    serve(host, path, { subject: `acct:${subject}`, links: [{ rel: 'self', type: ACTIVITY, href }] });
  }
  /** Serves an actor and its WebFinger handle under the current name. */
  function publish(changes: Document = {}): void {
    finger(far);
    serve(far, `/users/${name}`, actor(changes));
  }
  const search = async (q: string, client = ada, values: Document = { resolve: true }): Promise<Found> =>
    (await client.get('/api/v2/search', { q, ...values }).expect(200)).body as Found;
  const stored = async (uri = id()) =>
    (
      await app.sql<{ nickname: string; domain: string; id: string }>('select * from accounts where ap_id = $1', [uri])
    )[0];

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(() => {
    name = `zoe${(turn += 1)}`;
    signatures = [];
    far.asked();
  });

  it('H1 cleans a post with texts that cannot be stored', async () => {
    publish();
    serve(far, '/notes/nul', note('/notes/nul', { content: '<p>te\u0000a</p>', summary: '\ud800' }));
    const { statuses } = await search(`${far.origin}/notes/nul`);
    expect(statuses).toMatchObject([{ content: '<p>tea</p>', spoiler_text: '\ufffd' }]);
  });

  it('is found in the browser by its address and by its handle', async () => {
    const visit = await new BrowserVisit(app).signIn('ada');
    publish();
    serve(far, '/notes/browser', note('/notes/browser', { content: '<p>green tea</p>' }));
    const found = await visit.get('/app/search', { q: `${far.origin}/notes/browser` });
    expect(found.text).toContain('<p>green tea</p>');
    name = `zoe${(turn += 1)}`;
    publish();
    const page = await visit.get(`/app/people/@${handle()}`);
    expect([page.status, page.text.includes(`@${handle()}`)]).toEqual([200, true]);
    expect((await visit.get(`/app/people/nobody@${far.host}`)).status).toBe(404);
  });

  it('is answered on a page of this server by a person whom its own page sent here', async () => {
    const visit = await new BrowserVisit(app).signIn('ada');
    publish();
    serve(far, '/notes/sent', note('/notes/sent'));
    let answer = await visit.get('/authorize_interaction', { uri: `${far.origin}/notes/sent` }, CROSS_SITE);
    while (answer.headers.location !== undefined) answer = await visit.get(answer.headers.location, {}, CROSS_SITE);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('href="/app/compose?in_reply_to_id=')]);
  });

  it('is found by handle and fetched once, by a signed request', async () => {
    publish();
    const { accounts } = await search(`@${handle()}`);
    expect(accounts).toMatchObject([
      {
        acct: handle(),
        display_name: 'Zoe Far',
        note: '<p>hi</p>',
        url: `${far.origin}/@${name}`,
        locked: true,
        fields: [{ name: 'site', value: '<a href="https://zoe.test" rel="nofollow noopener ugc">z</a>' }],
        svc: { ap_id: id() },
      },
    ]);
    const byInstance = expect.stringContaining('keyId="https://svc.test/internal/fetch#main-key"');
    expect(signatures).toContainEqual(byInstance);
    expect(await app.sql('select owner_uri from remote_keys where key_id = $1', [`${id()}#main-key`])).toHaveLength(1);
    far.asked();
    expect((await search(handle())).accounts).toHaveLength(1);
    expect((await search(id())).accounts).toHaveLength(1);
    expect(far.asked()).toEqual([]);
  });

  it('is found by the address of its profile page', async () => {
    publish();
    serve(far, `/@${name}`, actor());
    expect((await search(`${far.origin}/@${name}`)).accounts).toMatchObject([{ acct: handle() }]);
  });

  it('is fetched only for signed-in users who ask for it', async () => {
    publish();
    await app.http.get('/api/v1/accounts/lookup').query({ acct: handle() }).expect(404);
    expect((await search(handle(), app.world.anonymous)).accounts).toEqual([]);
    expect((await search(handle(), ada, {})).accounts).toEqual([]);
    expect(far.asked()).toEqual([]);
    const account = await ada.get('/api/v1/accounts/lookup', { acct: handle() }).expect(200);
    expect(account.body).toMatchObject({ acct: handle() });
  });

  it('has the domain of its handle only when WebFinger on that domain points back', async () => {
    finger(far, handle(other));
    finger(other);
    serve(far, `/users/${name}`, actor());
    expect((await search(id())).accounts).toMatchObject([{ acct: handle(other) }]);

    name = `zoe${(turn += 1)}`;
    finger(far, handle(other));
    finger(other, handle(other), `${other.origin}/users/somebody`);
    serve(far, `/users/${name}`, actor());
    expect((await search(id())).accounts).toMatchObject([{ acct: handle() }]);
  });

  it.each([
    ['its own host', far],
    ['the domain of its handle', other],
  ])('gets its handle later when %s does not answer WebFinger at first', async (_which, away) => {
    finger(far, handle(other));
    finger(other);
    const path = `/.well-known/webfinger?resource=${encodeURIComponent(`acct:${handle(away)}`)}`;
    serve(away, path, {}, ACTIVITY, 503);
    serve(far, `/users/${name}`, actor());
    expect((await search(id())).accounts).toMatchObject([{ acct: handle() }]);
    await app.drain();
    if (away === far) finger(far, handle(other));
    else finger(other);
    await search(`${away.origin}/nothing`); // an answer: the host is asked again
    await app.sql(`update jobs set run_at = now() where name = 'federation.refresh-actor'`);
    await app.drain();
    expect((await search(id())).accounts).toMatchObject([{ acct: handle(other) }]);
  });

  it.each([
    ['with an id on another server', () => actor({ id: id(other), inbox: `${id(other)}/inbox` }), ACTIVITY],
    ['with an inbox elsewhere', () => actor({ inbox: `${other.origin}/inbox` }), ACTIVITY],
    ['in the name of this server', () => actor({ id: 'https://svc.test/users/ada' }), ACTIVITY],
    ['as a page (threat S5)', () => actor(), 'text/html'],
    ['as any JSON (threat S5)', () => actor(), 'application/json'],
    ['as JSON-LD without the profile (threat S5)', () => actor(), 'application/ld+json'],
  ])('is not accepted from a document served %s', async (_case, document, type) => {
    finger(far);
    serve(far, `/users/${name}`, document(), type);
    expect((await search(id())).accounts).toEqual([]);
    expect(await stored()).toBeUndefined();
  });

  it('is not accepted after a redirect to another server (threat S4)', async () => {
    serve(other, `/users/${name}`, actor());
    far.at(`/users/${name}`, (_request, response) => response.writeHead(302, { location: id(other) }).end());
    expect((await search(id())).accounts).toEqual([]);
  });

  it('is not found when its server is unreachable or does not have it (threat S8)', async () => {
    serve(far, `/users/${name}`, {}, ACTIVITY, 410);
    for (const q of [id(), handle(), 'https://10.0.0.1/users/x', `x@127.0.0.2:9`, 'https://svc.test/users/nobody'])
      expect(await search(q)).toMatchObject({ accounts: [], statuses: [] });
  });

  it('is refreshed by a job when it is used more than a day after its last fetch', async () => {
    publish();
    await search(handle());
    publish({ name: 'Zoe II' });
    await app.drain();
    expect((await search(id())).accounts).toMatchObject([{ display_name: 'Zoe Far' }]);
    await app.sql(`update accounts set refreshed_at = now() - interval '2 days' where ap_id = $1`, [id()]);
    expect((await search(id())).accounts).toMatchObject([{ display_name: 'Zoe Far' }]);
    await app.drain();
    expect((await search(id())).accounts).toMatchObject([{ display_name: 'Zoe II' }]);
  });

  it('stays as it is when its server lets this one in no more, which leaves no job', async () => {
    publish();
    await search(handle());
    await app.drain();
    serve(far, `/users/${name}`, { error: 'Request not signed' }, 'application/json', 401);
    await app.sql(`update accounts set refreshed_at = now() - interval '2 days' where ap_id = $1`, [id()]);
    expect((await search(id())).accounts).toMatchObject([{ display_name: 'Zoe Far' }]);
    expect(await app.drain()).toBeGreaterThan(0);
    expect(await app.sql(`select from jobs where name = 'federation.refresh-actor'`)).toEqual([]);
  });

  it('takes over a handle when its server reassigns the handle to it', async () => {
    publish();
    const [former] = (await search(handle())).accounts;
    const second = `${far.origin}/users/second-${name}`;
    finger(far, handle(), second);
    const key = { id: `${second}#main-key`, owner: second, publicKeyPem: PEM };
    serve(far, `/users/second-${name}`, actor({ id: second, inbox: `${second}/inbox`, publicKey: key }));
    const [current] = (await search(second)).accounts;
    expect(current?.acct).toBe(handle());
    expect((await stored())?.id).toBe(former?.id);
    expect((await stored())?.nickname).not.toBe(name);
  });

  it('is found by address together with the post it replies to', async () => {
    publish();
    serve(far, `/notes/${name}-1`, note(`/notes/${name}-1`));
    const reply = note(`/notes/${name}-2`, {
      content: '<p>a <script>x</script>reply</p>',
      inReplyTo: `${far.origin}/notes/${name}-1`,
    });
    serve(far, `/notes/${name}-2`, reply);
    expect((await search(`${far.origin}/notes/${name}-2`, ada, {})).statuses).toEqual([]);
    const { statuses } = await search(`${far.origin}/notes/${name}-2`);
    expect(statuses).toMatchObject([{ content: '<p>a reply</p>', account: { acct: handle() }, visibility: 'public' }]);
    const [root] = (await search(`${far.origin}/notes/${name}-1`)).statuses;
    expect(statuses[0]?.in_reply_to_id).toBe(root?.id);
  });

  it('gets the post it replies to later, when the server of that answers again', async () => {
    publish();
    serve(far, `/parent/${name}`, {}, ACTIVITY, 503);
    serve(far, `/reply/${name}`, note(`/reply/${name}`, { inReplyTo: `${far.origin}/parent/${name}` }));
    const [reply] = (await search(`${far.origin}/reply/${name}`)).statuses;
    await app.drain();
    serve(far, `/parent/${name}`, note(`/parent/${name}`));
    await app.sql(`update jobs set run_at = now() where name = 'federation.fetch-posts'`);
    await app.drain();
    const { body } = await ada.get(`/api/v1/statuses/${reply!.id}/context`).expect(200);
    expect(body).toMatchObject({ ancestors: [{ uri: `${far.origin}/parent/${name}` }] });
  });

  it('is not shown when it is for followers only or attributed to a local account', async () => {
    publish();
    serve(far, `/notes/${name}-3`, note(`/notes/${name}-3`, { to: [`${id()}/followers`] }));
    expect((await search(`${far.origin}/notes/${name}-3`)).statuses).toEqual([]);
    serve(far, `/notes/${name}-4`, note(`/notes/${name}-4`, { attributedTo: 'https://svc.test/users/ada' }));
    expect((await search(`${far.origin}/notes/${name}-4`)).statuses).toEqual([]);
  });
});
