import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StatusJson } from '../../../src/statuses/index.js';
import { newKey } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';
import { useWebHost } from '../../support/servers/web-host.js';

type Json = Readonly<Record<string, unknown>>;
type Serve = (response: ServerResponse, request: IncomingMessage) => void;

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const ACTIVITY = 'application/activity+json';
const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

/** What people paste into the search: whatever their browser shows. */
describe('The search for an address', () => {
  const home = useWebHost('127.0.0.1');
  const away = useWebHost('127.0.0.2');
  const app = useApp({ once: ['ada'], env: { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1,127.0.0.2' } });
  let ada: Client;
  let turn = 0;
  const { pem } = newKey();

  const zoe = () => `${home.origin}/users/zoe${turn}`;
  const note = () => `${home.origin}/notes/${turn}`;
  const page = () => `${home.origin}/@zoe/${turn}`;
  const actor = (): Json => {
    const publicKey = { id: `${zoe()}#main-key`, owner: zoe(), publicKeyPem: pem };
    return { id: zoe(), type: 'Person', preferredUsername: `zoe${turn}`, inbox: `${zoe()}/inbox`, publicKey };
  };
  const post = (changes: Json = {}): Json => {
    return { id: note(), type: 'Note', attributedTo: zoe(), content: 'tea', to: [PUBLIC], ...changes };
  };
  /** Serves an address, and returns it. */
  const at = (address: string, serve: Serve): string => {
    const { origin, pathname } = new URL(address);
    (origin === home.origin ? home : away).at(pathname, (request, response) => serve(response, request));
    return address;
  };
  const json = (body: unknown, type = ACTIVITY): Serve => {
    return (response) => response.writeHead(200, { 'content-type': type }).end(JSON.stringify(body));
  };
  const html = (head: string, headers: Record<string, string> = {}): Serve => {
    return (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(head);
  };
  const redirect = (location: string): Serve => {
    return (response) => response.writeHead(301, { location }).end();
  };
  const found = async (q: string) => {
    const { body } = await ada.get('/api/v2/search', { q, resolve: true }).expect(200);
    const { statuses, accounts } = body as { statuses: StatusJson[]; accounts: { url: string }[] };
    return [...statuses.map(({ uri }) => uri), ...accounts.map(({ url }) => url)];
  };

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(() => {
    turn += 1;
    at(zoe(), json(actor()));
    at(note(), json(post()));
  });

  const link = (attributes: string) =>
    `<!doctype html><head><base href="${home.origin}/deep/"><link ${attributes}></head>`;
  const elsewhere = () => `${away.origin}/old/${turn}`;
  const FORMS: Readonly<Record<string, () => string>> = {
    'of the document': () => note(),
    'of the document as JSON-LD': () => at(note(), json(post(), LD)),
    'of a document that begins with a byte order mark': () =>
      at(note(), (response) =>
        response.writeHead(200, { 'content-type': ACTIVITY }).end(`\uFEFF${JSON.stringify(post())}`),
      ),
    'of a page that answers with the document': () => at(page(), json(post())),
    'of a page that redirects to the document': () => at(page(), redirect(note())),
    'of a page that names the document': () =>
      at(page(), html(link(`rel="alternate" type="${ACTIVITY}" href="${note()}"`))),
    'of a page with a relative link': () =>
      at(page(), html(link(`href="../notes/${turn}" type='${LD}' rel="me alternate"`))),
    'of a page with a header': () => at(page(), html('', { link: `<${note()}>; rel="alternate"; type="${ACTIVITY}"` })),
    'of a page with many headers': () =>
      at(page(), html('', { link: `</a.css>; rel=preload, </notes/${turn}>; type="${ACTIVITY}"; rel=alternate` })),
    'of a Create': () => at(page(), json({ id: page(), type: 'Create', actor: zoe(), object: post() })),
    'of a Create of an address': () => at(page(), json({ id: page(), type: 'Create', actor: zoe(), object: note() })),
    'of a boost': () => at(page(), json({ id: page(), type: 'Announce', actor: zoe(), object: note() })),
    'on another host that redirects': () => at(elsewhere(), redirect(note())),
    'on another host that redirects to a page': () => {
      at(page(), html(link(`rel="alternate" type="${ACTIVITY}" href="${note()}"`)));
      return at(elsewhere(), redirect(page()));
    },
    'on another host that redirects to readers who sign': () => {
      at(note(), (response, request) =>
        request.headers['signature'] === undefined ? response.writeHead(401).end() : json(post())(response, request),
      );
      return at(elsewhere(), redirect(note()));
    },
    'on another host that names the document': () => {
      return at(elsewhere(), html(link(`rel="alternate" type="${ACTIVITY}" href="${note()}"`)));
    },
    'on another host with a copy': () => at(elsewhere(), json(post())),
  };

  it.each(Object.entries(FORMS))('finds a post by the address %s', async (_form, prepare) => {
    expect(await found(prepare())).toEqual([note()]);
  });

  it.each<[string, () => string]>([
    ['of a page that answers with the document', () => at(page(), json(actor()))],
    [
      'of a page that names the document',
      () => at(page(), html(link(`rel="alternate" type="${ACTIVITY}" href="${zoe()}"`))),
    ],
    ['on another host that redirects', () => at(elsewhere(), redirect(zoe()))],
  ])('finds an account by the address %s', async (_form, prepare) => {
    expect(await found(prepare())).toEqual([zoe()]);
  });

  const lie = () => post({ content: 'a lie' });
  it.each<[string, () => void]>([
    ['with another text', () => at(elsewhere(), json(lie()))],
    [
      'behind a redirect',
      () => {
        at(elsewhere(), redirect(`${away.origin}/lie`));
        at(`${away.origin}/lie`, json(lie()));
      },
    ],
    ['in a Create', () => at(elsewhere(), json({ id: elsewhere(), type: 'Create', actor: zoe(), object: lie() }))],
    [
      'behind a link',
      () => {
        at(elsewhere(), html(link(`rel="alternate" type="${ACTIVITY}" href="${away.origin}/lie"`)));
        at(`${away.origin}/lie`, json(lie()));
      },
    ],
  ])('F5 trusts no other host: a post %s', async (_how, prepare) => {
    prepare();
    await found(elsewhere());
    const texts = await app.sql<{ text: string }>('select content_text as text from statuses where uri = $1', [note()]);
    expect(texts.filter(({ text }) => text !== 'tea')).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['whose id redirects to another host', () => at(note(), redirect(`${away.origin}/notes/${turn}`))],
    ['of an account that redirects to another host', () => at(zoe(), redirect(`${away.origin}/users/zoe${turn}`))],
  ])('S4 finds no post %s', async (_which, prepare) => {
    at(`${away.origin}/notes/${turn}`, json(post()));
    at(`${away.origin}/users/zoe${turn}`, json({ ...actor(), id: `${away.origin}/users/zoe${turn}` }));
    prepare();
    expect(await found(note())).toEqual([]);
  });

  it.each<[string, string]>([
    ['without a type', 'rel="alternate" href="NOTE"'],
    ['to a feed', 'rel="alternate" type="application/rss+xml" href="NOTE"'],
    ['to plain JSON', 'rel="alternate" type="application/json" href="NOTE"'],
    ['of another kind', `rel="canonical" type="${ACTIVITY}" href="NOTE"`],
    ['that is none', `rel="alternate" type="${ACTIVITY}" href="javascript:alert(1)"`],
    ['to itself', `rel="alternate" type="${ACTIVITY}" href="PAGE"`],
  ])('follows no link %s', async (_which, attributes) => {
    at(page(), html(link(attributes.replace('NOTE', note()).replace('PAGE', page()))));
    expect(await found(page())).toEqual([]);
  });

  it('makes few requests for an address that leads to an endless chain', async () => {
    home.asked();
    for (let n = 0; n < 20; n += 1) {
      const next = `${home.origin}/maze/${turn}/${n + 1}`;
      at(`${home.origin}/maze/${turn}/${n}`, json({ id: next, type: 'Create', actor: zoe(), object: next }));
    }
    expect(await found(`${home.origin}/maze/${turn}/0`)).toEqual([]);
    expect(home.asked().length).toBeLessThan(20);
  });

  const EDITED = '2024-05-01T10:00:00.000Z';
  it.each<[string, Json, string]>([
    ['a newer text', { content: 'coffee', updated: '2024-05-01T10:00:01Z' }, 'coffee'],
    ['no text of the same time', { content: 'coffee', updated: EDITED }, 'tea'],
    ['no older text', { content: 'coffee', updated: '2024-05-01T09:00:00Z' }, 'tea'],
    ['no text without a time', { content: 'coffee' }, 'tea'],
    ['no text of another author', { content: 'coffee', updated: '2024-05-01T10:00:01Z', attributedTo: 'other' }, 'tea'],
  ])('accepts %s of a known post', async (_what, changes, text) => {
    at(note(), json(post({ updated: EDITED })));
    await found(note());
    const other = `${home.origin}/users/other${turn}`;
    at(other, json({ ...actor(), id: other, inbox: `${other}/inbox`, publicKey: [] }));
    at(note(), json(post(changes['attributedTo'] === undefined ? changes : { ...changes, attributedTo: other })));
    expect(await found(note())).toEqual([note()]);
    const stored = () => app.sql('select content_text as text from statuses where uri = $1', [note()]);
    expect(await stored()).toEqual([{ text }]);
    at(note(), (response) => response.writeHead(503).end());
    expect(await found(note())).toEqual([note()]);
    expect(await stored()).toEqual([{ text }]);
  });
});
