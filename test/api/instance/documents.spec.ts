import type { PlainStatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { ok, post } from '../../support/fixtures/statuses.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

const app = useApp({ people: ['alice', 'bob'] });

type Document = Record<string, unknown>;

const fetched = (path: string) => ok<Document>(app.world.anonymous.get(path));
const pathOf = ({ uri }: Pick<PlainStatusJson, 'uri'>) => new URL(uri).pathname;

describe('the document of an actor', () => {
  it('describes a local account for other servers', async () => {
    const alice = await app.world.as('alice');
    await ok<unknown>(
      alice.patch('/api/v1/accounts/update_credentials', {
        display_name: 'Alice <b>',
        note: 'hello',
        locked: true,
        fields_attributes: [{ name: 'site', value: 'https://alice.example' }],
      }),
    );
    const answer = await app.world.anonymous.get('/users/ALICE').expect(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/activity+json; charset=utf-8' });
    expect(answer.body).toMatchObject({
      id: 'https://svc.test/users/alice',
      type: 'Person',
      preferredUsername: 'alice',
      name: 'Alice <b>',
      summary: '<p>hello</p>',
      inbox: 'https://svc.test/users/alice/inbox',
      manuallyApprovesFollowers: true,
      publicKey: {
        id: 'https://svc.test/users/alice#main-key',
        owner: 'https://svc.test/users/alice',
        publicKeyPem: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
      },
    });
  });

  it('shows the fields of the profile as HTML', async () => {
    const alice = await app.world.as('alice');
    const fields_attributes = [{ name: 'site', value: 'https://alice.example' }];
    await ok<unknown>(alice.patch('/api/v1/accounts/update_credentials', { fields_attributes }));
    expect((await fetched('/users/alice'))['attachment']).toEqual([
      {
        type: 'PropertyValue',
        name: 'site',
        value: '<a href="https://alice.example" rel="me ugc">https://alice.example</a>',
      },
    ]);
  });

  it.each([
    [{}, undefined, undefined],
    [{ indexable: false }, false, undefined],
    [{ indexable: true }, true, undefined],
    [{ attribution_domains: ['blog.example'] }, undefined, ['blog.example']],
  ])('contains the choices of its owner: %j', async (choice, indexable, attributionDomains) => {
    const alice = await app.world.as('alice');
    await ok<unknown>(alice.patch('/api/v1/accounts/update_credentials', choice));
    const document = await fetched('/users/alice');
    expect([document['indexable'], document['attributionDomains']]).toEqual([indexable, attributionDomains]);
  });

  it('shows a birthday only if the owner allows it', async () => {
    const alice = await app.world.as('alice');
    const update = (values: object) => ok<unknown>(alice.patch('/api/v1/accounts/update_credentials', { ...values }));
    await update({ birthday: '1990-05-01' });
    expect(await fetched('/users/alice')).not.toHaveProperty(['vcard:bday']);
    await update({ show_birthday: true });
    expect(await fetched('/users/alice')).toHaveProperty(['vcard:bday'], '1990-05-01');
  });

  it.each(['is_confirmed', 'is_approved'])('V5 answers 404 before the account %s', async (state) => {
    await app.sql(`update users set ${state} = false where account_id = $1`, [app.world.id('bob')]);
    await app.world.anonymous.get('/users/bob').expect(404);
    await app.world.anonymous.get('/.well-known/webfinger', { resource: 'acct:bob@svc.test' }).expect(404);
    await app.world.anonymous.get('/users/alice').expect(200);
  });

  it('V5 V15 answers 404 for remote and deactivated accounts', async () => {
    await app.world.remote('zoe', 'remote.test');
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('bob')]);
    for (const path of ['/users/zoe', '/users/zoe@remote.test', '/users/bob', '/users/nobody']) {
      await app.world.anonymous.get(path).expect(404);
    }
  });
});

describe('the document of a post', () => {
  it('names its audience, parent and hashtags', async () => {
    const root = await post(app, 'bob', 'root');
    const reply = await post(app, 'alice', '@bob look #Cats', { in_reply_to_id: root.id, visibility: 'unlisted' });
    expect(await fetched(pathOf(reply))).toMatchObject({
      id: reply.uri,
      type: 'Note',
      attributedTo: 'https://svc.test/users/alice',
      to: ['https://svc.test/users/alice/followers', 'https://svc.test/users/bob'],
      cc: [PUBLIC],
      inReplyTo: root.uri,
      tag: [
        { type: 'Mention', href: 'https://svc.test/users/bob', name: '@bob@svc.test' },
        { type: 'Hashtag', href: 'https://svc.test/tags/cats', name: '#cats' },
      ],
    });
  });

  it.each(['private', 'direct', 'local'])('V5 answers 404 for a %s post', async (visibility) => {
    const secret = await post(app, 'alice', '@bob hidden', { visibility });
    await app.world.anonymous.get(pathOf(secret)).expect(404);
  });

  it.each(['private', 'local'])('V5 hides the address of a %s parent', async (visibility) => {
    const secret = await post(app, 'alice', 'hidden', { visibility });
    const answer = await post(app, 'alice', 'open', { in_reply_to_id: secret.id, visibility: 'public' });
    expect(await fetched(pathOf(answer))).toMatchObject({ id: answer.uri, inReplyTo: null });
  });

  it.each(['private', 'direct', 'local'])('V5 answers 404 for a deleted %s post', async (visibility) => {
    const secret = await post(app, 'alice', '@bob hidden', { visibility });
    const alice = await app.world.as('alice');
    await alice.delete(`/api/v1/statuses/${secret.id}`).expect(200);
    await app.world.anonymous.get(pathOf(secret)).expect(404);
  });

  it('is a tombstone once the post is deleted', async () => {
    const gone = await post(app, 'alice', 'gone');
    const alice = await app.world.as('alice');
    await alice.delete(`/api/v1/statuses/${gone.id}`).expect(200);
    const answer = await app.world.anonymous.get(pathOf(gone)).expect(410);
    expect(answer.body).toMatchObject({ id: gone.uri, type: 'Tombstone', formerType: 'Note' });
  });

  it('V5 V15 answers 404 while the author is deactivated', async () => {
    const { uri } = await post(app, 'bob', 'hello');
    await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('bob')]);
    await app.world.anonymous.get(pathOf({ uri })).expect(404);
  });
});

describe('WebFinger', () => {
  const find = (resource: string) => app.world.anonymous.get('/.well-known/webfinger', { resource });

  it.each([
    'acct:alice@svc.test',
    'acct:Alice@SVC.test',
    '@alice@svc.test',
    'https://svc.test/users/alice',
    'https://svc.test/@alice',
  ])('finds a local account as %s', async (resource) => {
    const answer = await find(resource).expect(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/jrd+json; charset=utf-8', vary: 'Accept' });
    expect(answer.body).toMatchObject({
      subject: 'acct:alice@svc.test',
      links: expect.arrayContaining([
        { rel: 'self', type: 'application/activity+json', href: 'https://svc.test/users/alice' },
      ]),
    });
  });

  it('answers as XRD on request (RFC 6415)', async () => {
    await app.sql(`update accounts set also_known_as = array[$2] where id = $1`, [
      app.world.id('bob'),
      'https://b.test/?a&b<\u0001', // XML forbids the last character
    ]);
    const answer = await app.http
      .get('/.well-known/webfinger?resource=acct:bob@svc.test')
      .set('accept', 'application/xrd+xml, application/jrd+json;q=0.9, */*;q=0.1')
      .buffer(true)
      .expect(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/xrd+xml; charset=utf-8', vary: 'Accept' });
    expect(answer.text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0"><Subject>acct:bob@svc.test</Subject>' +
        '<Alias>https://svc.test/users/bob</Alias><Alias>https://b.test/?a&amp;b&lt;</Alias>' +
        '<Link rel="http://webfinger.net/rel/profile-page" type="text/html" href="https://svc.test/users/bob"/>' +
        '<Link rel="self" type="application/activity+json" href="https://svc.test/users/bob"/>' +
        '<Link rel="self" type="application/ld+json; profile=&quot;https://www.w3.org/ns/activitystreams&quot;"' +
        ' href="https://svc.test/users/bob"/><Link rel="http://ostatus.org/schema/1.0/subscribe"' +
        ' template="https://svc.test/ostatus_subscribe?acct={uri}"/>' +
        '<Link rel="https://w3id.org/fep/3b86/Follow" template="https://svc.test/authorize_interaction?uri={object}"/>' +
        '<Link rel="https://w3id.org/fep/3b86/Object" template="https://svc.test/authorize_interaction?uri={object}"/></XRD>\n',
    );
  });

  it.each([
    '*/*',
    'application/json',
    'text/html,application/xml;q=0.9,*/*;q=0.8',
    'application/xrd+xml;q=0',
    'nonsense',
  ])('answers %j with JSON', async (accept) => {
    const answer = await find('acct:alice@svc.test').set('accept', accept).expect(200);
    expect(answer.headers['content-type']).toBe('application/jrd+json; charset=utf-8');
  });

  it('knows no remote accounts, and requires a resource', async () => {
    await find('acct:alice@remote.test').expect(404);
    await find('acct:nobody@svc.test').expect(404);
    await app.world.anonymous.get('/.well-known/webfinger').expect(400);
  });
});

describe('documents about the server', () => {
  it('serves the JSON-LD context of the documents', async () => {
    const answer = await app.http.get('/schemas/litepub-0.1.jsonld').buffer(true).expect(200);
    expect(answer.headers['content-type']).toBe('application/ld+json; charset=utf-8');
    const context = JSON.parse(answer.text) as { '@context': unknown[] };
    expect(context['@context'][0]).toBe('https://www.w3.org/ns/activitystreams');
    expect(context['@context'][2]).toMatchObject({ EmojiReact: 'litepub:EmojiReact' });
    const actor = await fetched('/users/alice');
    expect(actor['@context']).toContain('https://svc.test/schemas/litepub-0.1.jsonld');
  });
});
