import { Outbound } from '../../src/platform/index.js';
import { type Member, usePair } from '../support/federation/servers.js';

const ACTIVITY_JSON = 'application/activity+json';

const pair = usePair();
let bob: Member;

beforeAll(async () => {
  bob = await pair.beta.member('bob');
});

/** Fetches a document of beta from alpha. */
async function fetched(path: string, accept: string): Promise<Record<string, unknown>> {
  const request = { url: new URL(path, pair.beta.url).href, accept: [accept] };
  const { status, body } = await pair.alpha.get(Outbound).fetch(request);
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

describe('a server', () => {
  it('finds an actor of another server by handle', async () => {
    const found = await fetched(`/.well-known/webfinger?resource=acct:${bob.handle}`, 'application/jrd+json');
    expect(found['subject']).toBe(`acct:${bob.handle}`);
    expect(found['links']).toContainEqual({ rel: 'self', type: ACTIVITY_JSON, href: bob.uri });
  });

  it('reads an actor of another server and keeps the port in its addresses', async () => {
    expect(await fetched(bob.uri, ACTIVITY_JSON)).toMatchObject({
      id: bob.uri,
      type: 'Person',
      preferredUsername: 'bob',
      inbox: `${bob.uri}/inbox`,
      endpoints: { sharedInbox: `${pair.beta.url}/inbox` },
      publicKey: { id: `${bob.uri}#main-key`, owner: bob.uri },
    });
  });

  it('reads a public post of another server', async () => {
    const { uri } = await bob.write('tea at five', { visibility: 'public' });
    expect(await fetched(uri, ACTIVITY_JSON)).toMatchObject({ id: uri, type: 'Note', attributedTo: bob.uri });
  });

  it('reads the NodeInfo of another server', async () => {
    const { links } = await fetched('/.well-known/nodeinfo', 'application/json');
    const [link] = links as { href: string }[];
    expect(new URL(link!.href).origin).toBe(pair.beta.url);
    expect(await fetched(link!.href, 'application/json')).toMatchObject({
      software: { name: 'svc' },
      protocols: ['activitypub'],
    });
  });

  it('shares no accounts and keys with another server in the same process', async () => {
    await pair.alpha.member('bob');
    const [alpha, beta] = await Promise.all(
      [pair.alpha, pair.beta].map((server) =>
        server.sql(`select ap_id, public_pem from accounts a join keys k on k.account_id = a.id`),
      ),
    );
    expect(alpha).toHaveLength(1);
    expect(beta).toHaveLength(1);
    expect(alpha).not.toEqual(beta);
  });
});
