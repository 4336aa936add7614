import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** What reaches the servers of followers that nobody addressed. */
describe('The remote followers', () => {
  const here = usePeer('here.example');
  const there = usePeer('there.example');
  const app = useBeside([here, there], { once: ['ada', 'ben'] });
  let mo: RawActor;
  let zoe: RawActor;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    zoe = there.actor('zoe', key);
    there.answers.set('/users/zoe/inbox', { status: 202 });
    await sendTo(app, zoe, { id: `${zoe.uri}#1`, type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
  });
  beforeEach(() => {
    names += 1;
    mo = here.actor(`mo${names}`, key);
    here.answers.set(`/users/mo${names}/inbox`, { status: 202 });
  });

  const write = async (name: string, values: Json): Promise<{ id: string; uri: string }> => {
    const client = await app.world.as(name);
    const { body } = await client.post('/api/v1/statuses', { status: 'tea', ...values }).expect(200);
    await app.drain();
    return body as { id: string; uri: string };
  };
  const signature = { type: 'RsaSignature2017', creator: 'x', created: '2026-01-01T00:00:00Z', signatureValue: 'eA==' };

  it.each<[string, { parent?: Json; changes?: Json; author?: string; type?: string }, boolean]>([
    ['an answer with a signature', {}, true],
    ['an answer without a signature', { changes: { signature: undefined } }, false],
    ['an answer for few', { changes: { to: [] } }, false],
    ['an answer to a post for followers', { parent: { visibility: 'private' } }, false],
    ['an answer to the post of another', { author: 'ben' }, false],
    ['another version of an answer', { type: 'Update' }, true],
  ])(
    'receive only what may be forwarded: %s',
    async (_what, { parent = {}, changes = {}, author = 'ada', type = 'Create' }, expected) => {
      const { uri } = await write(author, parent);
      const to =
        'to' in changes ? [`${app.env.baseUrl}/users/${author}`] : [PUBLIC, `${app.env.baseUrl}/users/${author}`];
      const id = `${mo.uri}/notes/1`;
      const object = { id, type: 'Note', attributedTo: mo.uri, content: 'more', inReplyTo: uri, to };
      const activity = {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: `${id}#${type}`,
        actor: mo.uri,
        type,
        to,
      };
      const form = 'signature' in changes ? {} : { signature };
      await sendTo(app, mo, { ...activity, object, ...form });
      await sendTo(app, mo, { ...activity, object, ...form });
      const got = there.received.filter((each) => each['id'] === activity.id);
      expect(got).toEqual(expected ? [{ ...activity, object, signature }] : []);
      expect(here.received.filter((each) => each['id'] === activity.id)).toEqual([]);
    },
  );

  it('receive no answer of an account that the author blocks', async () => {
    const { uri } = await write('ada', {});
    await sendTo(app, mo, { id: `${mo.uri}#1`, type: 'Like', object: uri });
    const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
    await (await app.world.as('ada')).post(`/api/v1/accounts/${row!.id}/block`).expect(200);
    await app.drain();
    const to = [PUBLIC];
    const object = { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, content: 'x', inReplyTo: uri, to };
    await sendTo(app, mo, { id: `${mo.uri}#2`, type: 'Create', to, object, signature });
    expect(there.received.filter((each) => each['id'] === `${mo.uri}#2`)).toEqual([]);
  });

  it('of an account that boosted a post receive its Delete', async () => {
    const post = await write('ben', {});
    await (await app.world.as('ada')).post(`/api/v1/statuses/${post.id}/reblog`).expect(200);
    await app.drain();
    await (await app.world.as('ben')).delete(`/api/v1/statuses/${post.id}`).expect(200);
    await app.drain();
    const about = (type: string) => there.received.filter((each) => each['type'] === type);
    expect(about('Announce')).toHaveLength(1);
    expect(about('Delete')).toMatchObject([{ object: { id: post.uri } }]);
  });
});
