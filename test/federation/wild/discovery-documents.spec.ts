import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { picture } from '../../support/fixtures/media-files.js';

const peer = usePeer();
const app = useBeside([peer], { once: [] });
let base: string;

beforeAll(async () => {
  base = app.env.baseUrl;
  await app.world.person('ada');
});

const finger = (resource: string) => app.http.get('/.well-known/webfinger').query({ resource });

describe('WebFinger', () => {
  it.each([
    ['ada@svc.test', 200],
    ['https://other.test/users/ada', 404],
    ['ada', 400],
    ['acct:ada', 400],
    ['acct:', 400],
    ['acct:ada@', 400],
    ['@svc.test', 400],
    ['https://', 400],
    ['', 400],
  ])('answers %j with %i', async (resource, status) => {
    await finger(resource).expect(status);
  });

  it('names the picture, and the pages for interactions with remote objects (FEP-3b86)', async () => {
    const links = async () =>
      ((await finger('acct:ada@svc.test').expect(200)).body as { links: { rel: string }[] }).links;
    const page = `${base}/authorize_interaction?uri={object}`;
    expect(await links()).toEqual(
      expect.arrayContaining(
        ['Follow', 'Object'].map((intent) => ({ rel: `https://w3id.org/fep/3b86/${intent}`, template: page })),
      ),
    );
    expect((await links()).map(({ rel }) => rel)).not.toContain('http://webfinger.net/rel/avatar');
    const { token } = await app.world.as('ada');
    await app.http
      .patch('/api/v1/accounts/update_credentials')
      .set('authorization', `Bearer ${token}`)
      .attach('avatar', await picture(), 'face.png')
      .expect(200);
    app.invalidateReads();
    expect(await links()).toContainEqual({
      rel: 'http://webfinger.net/rel/avatar',
      href: expect.stringMatching(/^https:\/\/.*\.png$/),
    });
  });
});

describe('host-meta', () => {
  it.each<[string, string | undefined, string]>([
    ['/.well-known/host-meta', undefined, 'application/xrd+xml'],
    ['/.well-known/host-meta', 'application/xrd+xml', 'application/xrd+xml'],
    ['/.well-known/host-meta', 'text/plain', 'application/xrd+xml'],
    ['/.well-known/host-meta', 'application/json', 'application/jrd+json'],
    ['/.well-known/host-meta', 'application/jrd+json', 'application/jrd+json'],
    ['/.well-known/host-meta.json', undefined, 'application/jrd+json'],
    ['/.well-known/host-meta.json', 'application/xrd+xml', 'application/jrd+json'],
  ])('at %s answers %s with %s', async (path, accept, type) => {
    const answer = await app.http.get(path).set(accept === undefined ? {} : { accept });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(answer.text).toContain(`${base}/.well-known/webfinger?resource={uri}`);
  });
});

describe('An actor', () => {
  it('names its handle (FEP-2c59), and allows no other account to feature it (FEP-7aa9)', async () => {
    const { body } = await app.http.get('/users/ada').set('accept', 'application/activity+json').expect(200);
    const id = `${base}/users/ada`;
    expect(body).toMatchObject({
      webfinger: 'ada@svc.test',
      interactionPolicy: { canFeature: { automaticApproval: [id] } },
    });
  });

  it('refuses to be featured', async () => {
    const mo: RawActor = peer.actor('mo', newKey());
    const object = `${base}/users/ada`;
    const request = {
      id: `${mo.uri}/requests/1`,
      type: 'FeatureRequest',
      object,
      instrument: `${mo.uri}/collections/1`,
    };
    await sendTo(app, mo, request);
    expect(peer.received).toMatchObject([
      { type: 'Reject', actor: object, to: [mo.uri], object: { id: request.id, type: 'FeatureRequest', object } },
    ]);
  });
});
