import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { expectCountersToMatchRows } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** What groups pass on of others: Announces of posts and of whole activities (FEP-1b12, threat F27). */
describe('An object that a group announces', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let mo: RawActor;
  let tea: RawActor;
  let ours: { id: string; uri: string };
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
    await app.world.person('root', { admin: true });
    tea = peer.actor('tea', key, { type: 'Group' });
    const { body } = await ada.get('/api/v2/search', { q: tea.uri, resolve: true }).expect(200);
    await ada.post(`/api/v1/accounts/${(body as { accounts: [{ id: string }] }).accounts[0].id}/follow`).expect(200);
    await app.drain();
    await send({ type: 'Accept', object: peer.received.findLast(({ type }) => type === 'Follow')!['id'] });
  });
  beforeEach(async () => {
    names += 1;
    mo = peer.actor(`mo${names}`, key);
    ours = (await ada.post('/api/v1/statuses', { status: 'ours' }).expect(200)).body as typeof ours;
  });

  const send = (activity: Json, by = tea) => sendTo(app, by, { id: `${by.uri}#${(names += 1)}`, ...activity });
  const announce = (object: unknown, by = tea) => send({ type: 'Announce', to: [PUBLIC], object }, by);
  const pathOf = (uri: string) => new URL(uri).pathname;
  /** A post of mo, as mo's server serves it. */
  function served(changes: Json = {}): Json & { id: string } {
    const id = `${mo.uri}/notes/${(names += 1)}`;
    const note = { id, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [PUBLIC, tea.uri], ...changes };
    peer.answers.set(pathOf(id), note);
    return note;
  }
  const by = (type: string, object: unknown, changes: Json = {}) => {
    return { id: `${mo.uri}/activities/${(names += 1)}`, type, actor: mo.uri, object, ...changes };
  };
  const stored = async (uri: string) =>
    (
      await app.sql<{ text: string; reblogs: number }>(
        `select content_text as text, (select count(*)::int from statuses b where b.reblog_of_id = s.id) as reblogs
       from statuses s where uri = $1`,
        [uri],
      )
    )[0];
  const post = async () => (await ada.get(`/api/v1/statuses/${ours.id}`).expect(200)).body as Json;
  const told = async () =>
    (await app.sql('select from notifications where status_id = $1 and from_id is not null', [ours.id])).length;

  it.each<[string, (note: Json & { id: string }) => unknown]>([
    ['the address of a post', ({ id }) => id],
    ['the Create of a post', (note) => by('Create', note)],
    ['the Update of a post that is unknown here', (note) => by('Update', note)],
  ])('becomes an uncounted boost, or a post in its thread: %s', async (_what, passed) => {
    const root = served();
    await announce(passed(root));
    expect(await stored(root.id)).toEqual({ text: 'tea', reblogs: 1 });
    const comment = served({ inReplyTo: root.id });
    await announce(passed(comment));
    expect(await stored(comment.id)).toEqual({ text: 'tea', reblogs: 0 });
    const answer = served({ inReplyTo: ours.uri });
    await announce(passed(answer));
    expect(await stored(answer.id)).toEqual({ text: 'tea', reblogs: 0 });
    await expectCountersToMatchRows(app);
  });

  it.each<[string, () => unknown, string?]>([
    ['by its address', () => ours.uri],
    [
      'in a Create',
      () => ({ id: `${ours.uri}/activity`, type: 'Create', actor: `${app.env.baseUrl}/users/ada`, object: ours.uri }),
    ],
  ])('neither notifies nor counts for a post of this server, %s', async (_how, passed) => {
    await announce(passed());
    expect([(await stored(ours.uri))!.reblogs, (await post())['reblogs_count'], await told()]).toEqual([1, 0, 0]);
    expect((await ada.get(`/api/v1/statuses/${ours.id}/reblogged_by`).expect(200)).body).toEqual([]);
    await announce(ours.uri, mo);
    expect([(await stored(ours.uri))!.reblogs, (await post())['reblogs_count'], await told()]).toEqual([2, 1, 1]);
    await send({ type: 'Undo', object: { type: 'Announce', actor: tea.uri, object: ours.uri } });
    await expectCountersToMatchRows(app);
  });

  it('changes a post to the version that its own server serves', async () => {
    const note = served();
    await announce(by('Create', note));
    await announce(by('Update', { ...note, content: 'forged' }));
    expect((await stored(note.id))!.text).toBe('tea');
    peer.answers.set(pathOf(note.id), { ...note, content: 'coffee', updated: new Date().toISOString() });
    await announce(by('Update', { ...note, content: 'forged' }));
    expect((await stored(note.id))!.text).toBe('coffee');
  });

  it.each<[string, boolean, (note: Json) => Json | { status: number }]>([
    ['that its server still serves', true, (note) => note],
    ['that its server does not show', true, () => ({ status: 403 })],
    ['that its server answers with 404', false, () => ({ status: 404 })],
    ['that its server answers with 410', false, () => ({ status: 410 })],
    ['that its server answers with a Tombstone', false, ({ id }) => ({ id, type: 'Tombstone' })],
  ])('deletes a post only when its server agrees: one %s', async (_which, isKept, answer) => {
    for (const named of [(id: string) => id, (id: string) => ({ id, type: 'Tombstone' })]) {
      const note = served();
      await announce(by('Create', note));
      peer.answers.set(pathOf(note.id), answer(note));
      await announce(by('Delete', named(note.id)));
      expect((await stored(note.id)) !== undefined).toBe(isKept);
    }
  });

  it.each<[string, (author: RawActor) => Json]>([
    ['for followers', ({ uri }) => ({ to: [`${uri}/followers`], cc: [`${app.env.baseUrl}/users/ada`] })],
    ['for one account', () => ({ to: [`${app.env.baseUrl}/users/ada`] })],
  ])(
    'F27 deletes a post %s only when its server says so: a 404 only says that strangers may not see it',
    async (_whom, audience) => {
      const name = `private${(names += 1)}`;
      mo = peer.actor(name, key, { followers: `${peer.url}/users/${name}/followers` });
      const note = served(audience(mo));
      await send(by('Create', note), mo);
      peer.answers.set(pathOf(note.id), { status: 404 });
      await announce(by('Delete', note.id));
      expect(await stored(note.id)).toBeDefined();
      peer.answers.set(pathOf(note.id), { status: 410 });
      await announce(by('Delete', note.id));
      expect(await stored(note.id)).toBeUndefined();
    },
  );

  it.each<[string, (undo: Json) => Promise<void>]>([
    ['the group', (undo) => announce(undo)],
    ['its author', (undo) => send(undo, mo)],
  ])('stores a deleted post again when %s takes the deletion back and its server serves it', async (_who, pass) => {
    const note = served();
    const deletion = by('Delete', note.id);
    await announce(by('Create', note));
    peer.answers.set(pathOf(note.id), { status: 410 });
    for (const copy of [deletion, deletion]) await send(copy, mo);
    await pass(by('Undo', deletion));
    expect(await stored(note.id)).toBeUndefined();
    peer.answers.set(pathOf(note.id), note);
    await announce(by('Create', note));
    expect(await stored(note.id)).toBeUndefined();
    await pass(by('Undo', deletion));
    expect(await stored(note.id)).toMatchObject({ text: 'tea' });
  });

  it('stores a post again that went with its account, with that account, when its server serves both', async () => {
    const note = served();
    const document = peer.answers.get(pathOf(mo.uri))!;
    const deletion = by('Delete', mo.uri);
    await announce(by('Create', note));
    for (const uri of [mo.uri, note.id]) peer.answers.set(pathOf(uri), { status: 410 });
    await send(deletion, mo);
    await app.drain();
    await app.sql(`update accounts set deleted_at = now() - interval '2 hours' where ap_id = $1`, [mo.uri]);
    const restore = () => announce(by('Undo', by('Delete', note.id)));
    await restore();
    expect(await stored(note.id)).toBeUndefined();
    peer.answers.set(pathOf(mo.uri), document);
    peer.answers.set(pathOf(note.id), note);
    await restore();
    expect(await stored(note.id)).toMatchObject({ text: 'tea' });
  });

  it('leaves a post away that the staff deleted, whatever its server deletes and restores', async () => {
    const note = served();
    const deletion = by('Delete', note.id);
    await announce(by('Create', note));
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [note.id]);
    await (await app.world.as('root', 'admin:write')).delete(`/api/v1/svc/admin/statuses/${row!.id}`).expect(200);
    await send(deletion, mo);
    await announce(by('Undo', deletion));
    expect(await stored(note.id)).toBeUndefined();
  });

  it('neither changes nor deletes a post of this server', async () => {
    await announce(
      by('Update', { id: ours.uri, type: 'Note', attributedTo: `${app.env.baseUrl}/users/ada`, content: 'x' }),
    );
    await announce(by('Delete', ours.uri));
    expect((await stored(ours.uri))!.text).toBe('ours');
  });

  const favours = async () => (await post())['favourites_count'];
  const serve = <T extends { id: string }>(activity: T): T => {
    peer.answers.set(pathOf(activity.id), activity);
    return activity;
  };

  it('counts a vote that the server of the voter serves, until that server ends it', async () => {
    const like = serve(by('Like', ours.uri));
    await announce(like);
    expect([await favours(), await told()]).toEqual([1, 1]);
    await announce(by('Undo', like));
    expect(await favours()).toBe(1);
    await announce(serve(by('Undo', like)));
    expect(await favours()).toBe(0);
    await announce(serve(by('Like', ours.uri)));
    await announce(serve(by('Dislike', ours.uri)));
    expect(await favours()).toBe(0);
  });

  it.each<[string, () => Json]>([
    ['its server does not serve', () => by('Like', ours.uri)],
    [
      'its server serves as that of another',
      () => {
        const like = by('Like', ours.uri);
        peer.answers.set(pathOf(like.id), { ...like, actor: 'https://else.example/eve' });
        return like;
      },
    ],
    [
      'its server serves for another post',
      () => {
        const like = by('Like', ours.uri);
        peer.answers.set(pathOf(like.id), { ...like, object: tea.uri });
        return like;
      },
    ],
    ['has no id', () => ({ ...by('Like', ours.uri), id: null })],
    ['lies on this server', () => ({ ...by('Like', ours.uri), id: `${app.env.baseUrl}/activities/1` })],
    ['takes back what another did', () => serve(by('Undo', by('Like', ours.uri, { actor: tea.uri })))],
  ])('counts no vote that %s', async (_which, vote) => {
    await announce(serve(by('Like', ours.uri)));
    mo = peer.actor(`eve${names}`, key);
    await announce(vote());
    expect(await favours()).toBe(1);
  });

  it('is fetched as a vote only for posts of this server, and never without a group', async () => {
    const note = served();
    await announce(by('Create', note));
    const [elsewhere, here] = [serve(by('Like', note.id)), serve(by('Like', ours.uri))];
    await announce(elsewhere);
    await announce(here, mo);
    expect([peer.asked(pathOf(elsewhere.id)), peer.asked(pathOf(here.id))]).toEqual([0, 0]);
  });

  it('ends a favourite when it is a Dislike, also without a group', async () => {
    await send({ type: 'Like', object: ours.uri }, mo);
    expect(await favours()).toBe(1);
    await send({ type: 'Dislike', object: ours.uri }, mo);
    expect(await favours()).toBe(0);
  });
});
