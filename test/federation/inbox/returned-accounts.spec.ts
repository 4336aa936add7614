import { AccountDeleted, AccountDeletionService, UsersService } from '../../../src/accounts/index.js';
import { Events, UnitOfWork } from '../../../src/platform/index.js';
import { type Answer, newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** Servers send a Delete for suspensions, for bridges that are switched off and before they are set up anew. */
describe('An account that its server deleted', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  const key = newKey();
  let ada: Client;
  let mo: RawActor;
  let document: Answer;
  let names = 0;

  beforeEach(async () => {
    ada = await app.world.as('ada');
    mo = peer.actor(`mo${(names += 1)}`, key);
    document = (await peer.answers.get(pathOfMo()))!;
    await follow();
    expect(accepts()).toBe(1);
  });

  const pathOfMo = () => new URL(mo.uri).pathname;
  const serve = (answer: Answer) => peer.answers.set(pathOfMo(), answer);
  const ourActor = () => `${app.env.baseUrl}/users/ada`;
  const send = (activity: Json) => sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, ...activity });
  const follow = () => send({ type: 'Follow', object: ourActor() });
  const deletion = () => ({ id: `${mo.uri}#delete`, type: 'Delete', actor: mo.uri, object: mo.uri });
  const undo = () => send({ type: 'Undo', object: deletion() });
  const write = async () => {
    const id = `${mo.uri}/notes/${(names += 1)}`;
    const object = { id, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [PUBLIC, ourActor()] };
    await send({ type: 'Create', object });
    return (await app.sql('select from statuses where uri = $1', [id])).length;
  };
  const accepts = () => peer.received.filter(({ type, to }) => type === 'Accept' && String(to) === mo.uri).length;
  const lookUp = async (client: Client = ada) =>
    (await client.get('/api/v1/accounts/lookup', { acct: mo.handle })).status;
  const follows = async () =>
    (await app.sql('select from follows where follower_id = (select id from accounts where ap_id = $1)', [mo.uri]))
      .length;
  const idOfMo = async () =>
    (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!.id;
  const later = () => app.sql(`update accounts set deleted_at = now() - interval '2 hours' where ap_id = $1`, [mo.uri]);
  const deleteIt = async () => {
    serve({ status: 404 });
    await send(deletion());
    expect([await lookUp(), await follows()]).toEqual([404, 0]);
  };

  it('returns with its Undo or its Follow once its server serves it again', async () => {
    await deleteIt();
    await later();
    for (const status of [404, 410]) {
      serve({ status });
      await undo();
      await follow();
      expect([await lookUp(), await follows(), await write()]).toEqual([404, 0, 0]);
    }
    serve(document);
    await undo();
    expect(await lookUp()).toBe(200);
    await follow();
    await app.sql(`update jobs set run_at = now() where name = 'accounts.repeat-deletion'`);
    await app.drain();
    expect([accepts(), await follows(), await write()]).toEqual([2, 1, 1]);
  });

  it('loses nothing when jobs of its deletion run late', async () => {
    const id = await idOfMo();
    await deleteIt();
    await later();
    serve(document);
    await follow();
    expect(await write()).toBe(1);
    const notified = async () => (await app.sql('select from notifications where from_id = $1', [id])).length;
    const before = [1, await notified()];
    expect(before).not.toContain(0);
    await app.get(UnitOfWork).run(async () => {
      app.get(Events).emit(new AccountDeleted(id, false, false));
      await Promise.resolve();
    });
    await app.drain();
    expect([await follows(), await notified()]).toEqual(before);
  });

  it('returns with another key of a server that was set up anew', async () => {
    await deleteIt();
    await later();
    await app.sql(`update accounts set described_at = now() - interval '1 hour' where ap_id = $1`, [mo.uri]);
    const [other, keyId] = [newKey(), `${mo.uri}#second`];
    serve({ ...document, publicKey: { id: keyId, owner: mo.uri, publicKeyPem: other.pem } });
    mo = { ...mo, keyId, key: other };
    await follow();
    expect([await lookUp(), await follows(), accepts()]).toEqual([200, 1, 2]);
  });

  it('returns when it is looked up', async () => {
    await deleteIt();
    await later();
    serve(document);
    expect(await lookUp()).toBe(200);
  });

  it('F28 returns with the blocks, mutes, notes and tags against it', async () => {
    const id = await idOfMo();
    const tags = async () => app.sql('select tags from accounts where id = $1', [id]);
    await app.sql(`update accounts set tags = '{mrf_tag:force-unlisted}' where id = $1`, [id]);
    for (const [action, body] of [['block'], ['mute'], ['note', { comment: 'spam' }]] as const)
      await ada.post(`/api/v1/accounts/${id}/${action}`, body).expect(200);
    await app.drain();
    peer.received.length = 0;
    await deleteIt();
    await later();
    serve(document);
    await follow();
    expect(peer.received).toMatchObject([{ type: 'Reject' }]);
    expect([await follows(), await tags()]).toEqual([0, [{ tags: ['mrf_tag:force-unlisted'] }]]);
    const { body } = await ada.get('/api/v1/accounts/relationships', { id: [id] }).expect(200);
    expect(body).toMatchObject([{ blocking: true, muting: true, note: 'spam' }]);
  });

  it('stays deleted for an hour', async () => {
    await deleteIt();
    serve(document);
    await undo();
    await follow();
    expect([await lookUp(), await follows()]).toEqual([404, 0]);
  });

  it('stays deleted when only a post of it comes', async () => {
    await deleteIt();
    await later();
    await app.sql(`update accounts set refreshed_at = now() - interval '2 days' where ap_id = $1`, [mo.uri]);
    serve(document);
    expect([
      await write(),
      await app.sql('select from accounts where ap_id = $1 and deleted_at is null', [mo.uri]),
    ]).toEqual([0, []]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['deleted', (id) => app.get(AccountDeletionService).deleteRemote(id, { byStaff: true })],
    [
      'deleted while its server suspended it',
      async (id) => {
        await send({ type: 'Update', object: { ...document, suspended: true } });
        await app.get(AccountDeletionService).deleteRemote(id, { byStaff: true });
      },
    ],
    ['deactivated', (id) => app.get(UsersService).setActive(id, false)],
  ])('stays away when the staff had it %s', async (_what, act) => {
    await act(await idOfMo());
    await send(deletion());
    await later();
    await undo();
    await follow();
    expect([await lookUp(), await follows()]).toEqual([404, 0]);
  });

  it.each([
    ['its server deleted it: they return', false, 1],
    ['the staff deleted it: they stay away', true, 0],
    ["the staff deleted it before its server's deletion was done: they stay away", 'again', 0],
  ])('leaves no post, and when %s', async (_who, byStaff, found) => {
    const id = `${mo.uri}/notes/${(names += 1)}`;
    const note = { id, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [PUBLIC, ourActor()] };
    await send({ type: 'Create', object: note });
    const moId = await idOfMo();
    await app.get(UnitOfWork).run(async () => {
      if (byStaff === 'again') app.get(Events).emit(new AccountDeleted(moId, false, false));
      if (byStaff) await app.get(AccountDeletionService).deleteRemote(moId, { byStaff: true });
    });
    await deleteIt();
    await app.drain();
    expect(await app.sql('select from statuses where uri = $1', [id])).toEqual([]);
    // As if the staff had let it return.
    if (byStaff) await app.sql('update accounts set suspended_by_server = true where ap_id = $1', [mo.uri]);
    await later();
    serve(document);
    peer.answers.set(new URL(id).pathname, { '@context': 'https://www.w3.org/ns/activitystreams', ...note });
    expect(await lookUp()).toBe(200);
    const { body } = await ada.get('/api/v2/search', { q: id, resolve: true }).expect(200);
    expect((body as { statuses: unknown[] }).statuses).toHaveLength(found);
  });
});
