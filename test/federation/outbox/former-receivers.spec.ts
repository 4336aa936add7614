import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
interface Written {
  readonly id: string;
  readonly uri: string;
}
const STATUSES = '/api/v1/statuses';
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** What has a version of a post gets its edits and its deletion, also when a later version would not be sent there. */
describe('A server that has an earlier version of a post', () => {
  const far = usePeer('far.example');
  const relay = usePeer('relay.example');
  const app = useBeside([far, relay], { once: ['ada', 'ben'] });
  let ada: Client;
  let zoe: RawActor;
  let note: Json;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
    await app.world.person('root', { admin: true });
  });
  beforeEach(async () => {
    zoe = far.actor(`zoe${(names += 1)}`, key);
    const to = [PUBLIC, `${app.env.baseUrl}/users/ada`];
    note = { id: `${zoe.uri}/1`, type: 'Note', attributedTo: zoe.uri, to, content: 'tea' };
    await sendTo(app, zoe, { id: `${zoe.uri}/1#create`, type: 'Create', to, object: note });
    await sent();
  });

  /** What the two servers received after all jobs, since the last call. */
  const sent = async () => {
    await app.drain();
    return [far, relay].flatMap((peer) => peer.received.splice(0)).map(({ type, object }) => ({ type, object }));
  };
  const types = async () => (await sent()).map(({ type }) => type);
  const write = (values: Json) => ok<Written>(ada.post(STATUSES, values));
  const created = (values: Json) => {
    const object = { id: `${zoe.uri}/2`, type: 'Note', attributedTo: zoe.uri, to: [PUBLIC], content: 'yes', ...values };
    return { id: `${zoe.uri}/2#create`, type: 'Create', to: [PUBLIC], object };
  };
  const remove = ({ id }: Written) => ok(ada.delete(`${STATUSES}/${id}`));

  it('which the post names no more, gets both', async () => {
    const post = await write({ status: `tea, @${zoe.handle}` });
    expect(await types()).toEqual(['Create']);
    await ok(ada.put(`${STATUSES}/${post.id}`, { status: 'tea' }));
    const [update, ...others] = await sent();
    expect(others).toEqual([]);
    expect(update).toMatchObject({
      type: 'Update',
      object: { cc: [`${app.env.baseUrl}/users/ada/followers`], tag: [] },
    });
    expect(await ok<{ mentions: unknown }>(ada.get(`${STATUSES}/${post.id}`))).toMatchObject({ mentions: [] });
    await remove(post);
    expect(await types()).toEqual(['Delete']);
  });

  it.each([
    ['boosted', ({ uri: object }: Written) => ({ type: 'Announce', id: `${zoe.uri}/2`, to: [PUBLIC], object })],
    ['answered', ({ uri }: Written) => created({ inReplyTo: uri })],
    ['quoted', ({ uri }: Written) => created({ quoteUrl: uri })],
  ])('since somebody there %s it, gets both', async (_, activityOn) => {
    const post = await write({ status: 'tea' });
    await sendTo(app, zoe, activityOn(post));
    await sent();
    await ok(ada.put(`${STATUSES}/${post.id}`, { status: 'coffee' }));
    expect(await sent()).toMatchObject([{ type: 'Update', object: { id: post.uri } }]);
    await remove(post);
    expect(await types()).toEqual(['Delete']);
  });

  it('and whose author refused its quote, or deleted the quoted post, gets the deletion', async () => {
    const ends: ((asked: Json) => Json)[] = [
      ({ id: object }) => ({ id: `${zoe.uri}#reject`, type: 'Reject', object }),
      () => ({ id: `${zoe.uri}#delete`, type: 'Delete', object: note['id'] }),
    ];
    for (const end of ends) {
      const [quoted] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [note['id']]);
      const post = await write({ status: 'see', quote_id: quoted!.id });
      await app.drain();
      const asked = far.received.find(({ type }) => type === 'QuoteRequest')!;
      await sendTo(app, zoe, end(asked));
      await sent();
      await remove(post);
      expect(await types()).toEqual(['Delete']);
    }
  });

  it('as a relay deletes what the staff makes private, and gets edits and the deletion of what it makes unlisted', async () => {
    await app.sql(
      `insert into relays (address, inbox, follow_uri, style, state) values ($1, $1, $2, 'mastodon', 'accepted')`,
      [`${relay.url}/inbox`, `${app.env.baseUrl}/relay#follow`],
    );
    const staff = await app.world.as('root', 'admin');
    const change = ({ id }: Written, visibility: string) =>
      ok(staff.put(`/api/v1/svc/admin/statuses/${id}`, { visibility }));
    const hidden = await write({ status: 'tea' });
    expect(await types()).toEqual(['Create']);
    await change(hidden, 'private');
    expect(await sent()).toMatchObject([{ type: 'Delete', object: { id: hidden.uri } }]);
    const post = await write({ status: 'tea' });
    await change(post, 'unlisted');
    expect(await types()).toEqual(['Create', 'Update']);
    await ok(ada.put(`${STATUSES}/${post.id}`, { status: 'coffee' }));
    expect(await types()).toEqual(['Update']);
    await remove(post);
    expect(await types()).toEqual(['Delete']);
  });
});
