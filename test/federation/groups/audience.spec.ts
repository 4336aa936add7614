import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** Posts in the threads of groups: FEP-1b12, as Lemmy, Mbin, NodeBB and Guppe write them. */
describe('An answer in the thread of a group', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben'] });
  let ada: Client;
  let mo: RawActor;
  let tea: RawActor;
  let names = 0;
  const key = newKey();
  const local = (name: string) => `${app.env.baseUrl}/users/${name}`;

  beforeAll(async () => {
    ada = await app.world.as('ada');
    mo = peer.actor('mo', key);
  });
  beforeEach(() => {
    names += 1;
    tea = peer.actor(`tea${names}`, key, { type: 'Group' });
  });

  /** mo writes to ada; returns the id of the post here. */
  async function written(changes: Json, uri = `${mo.uri}/notes/${(names += 1)}`): Promise<string> {
    const note = { id: uri, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [PUBLIC], ...changes };
    const object = { ...note, cc: [local('ada'), ...((changes['cc'] as string[] | undefined) ?? [])] };
    await sendTo(app, mo, { id: `${uri}#create`, type: 'Create', object });
    return (await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]))[0]!.id;
  }
  async function answered(id: string, values: Json = {}, client = ada): Promise<{ id: string; uri: string }> {
    const body = { status: 'yes', in_reply_to_id: id, ...values };
    const answer = (await client.post('/api/v1/statuses', body).expect(200)).body as { id: string; uri: string };
    await app.drain();
    return answer;
  }
  /** What the inbox of the group got of a post, and how it names the group. */
  const received = (uri: string) => {
    const isSent = peer.seen.includes(`POST ${new URL(tea.uri).pathname}/inbox`);
    const about = peer.received.filter(({ object }) => (object as Json)['id'] === uri);
    return about.map((activity) => {
      const { type, audience, cc, object } = activity as Record<string, Json>;
      const isNamed = audience === (tea.uri as unknown) && (cc as unknown as string[]).includes(tea.uri);
      const isObject = type === ('Delete' as unknown) || object!['audience'] === tea.uri;
      return isSent && isNamed && isObject ? type : undefined;
    });
  };

  /** The group becomes known here, as it does when it announces something. */
  const knowGroup = () => ada.get('/api/v2/search', { q: tea.uri, resolve: true }).expect(200);

  it.each<[string, () => Json]>([
    ['that its audience names', () => ({ audience: tea.uri })],
    ['in a list of audiences', () => ({ audience: [local('ben'), tea.uri] })],
    ['that its audience embeds', () => ({ audience: { type: 'Group', id: tea.uri } })],
    ['that it addresses', () => ({ to: [PUBLIC, tea.uri] })],
    ['that it addresses too', () => ({ cc: [tea.uri] })],
    ['of its audience before one that it addresses', () => ({ audience: tea.uri, cc: [`${peer.url}/users/tea1`] })],
  ])('reaches the group %s', async (_how, changes) => {
    await knowGroup();
    const { uri } = await answered(await written(changes()));
    expect(received(uri)).toContain('Create');
  });

  it('reaches a group that was unknown here', async () => {
    const { uri } = await answered(await written({ audience: tea.uri }));
    expect(received(uri)).toContain('Create');
  });

  it('reaches the group of the post that its parent answers, also with an edit and a deletion', async () => {
    const root = `${mo.uri}/notes/root${names}`;
    await written({ audience: tea.uri }, root);
    const { id, uri } = await answered(await written({ inReplyTo: root }));
    await ada.put(`/api/v1/statuses/${id}`, { status: 'no' }).expect(200);
    await app.drain();
    await ada.delete(`/api/v1/statuses/${id}`).expect(200);
    await app.drain();
    const types = received(uri);
    for (const type of ['Create', 'Update', 'Delete']) expect(types).toContain(type);
  });

  it('reaches the group where its parent came before the post of the group', async () => {
    const root = `${mo.uri}/notes/late${names}`;
    const parent = await written({ inReplyTo: root });
    await written({ audience: tea.uri }, root);
    const { uri } = await answered(parent);
    expect(received(uri)).toContain('Create');
  });

  it('reaches a group that the first post of a thread mentions here', async () => {
    await knowGroup();
    const { id } = (await ada.post('/api/v1/statuses', { status: `see @${tea.handle}` }).expect(200)).body as {
      id: string;
    };
    const { uri } = await answered(id, {}, await app.world.as('ben'));
    expect(received(uri)).toContain('Create');
  });

  it.each([
    ['public', true],
    ['unlisted', true],
    ['private', false],
    ['direct', false],
    ['local', false],
  ])('that is %s reaches the group: %s', async (visibility, isSent) => {
    const { uri } = await answered(await written({ audience: tea.uri }), { visibility });
    expect(received(uri).includes('Create' as never)).toBe(isSent);
    const { statusCode, body } = await app.http.get(new URL(uri).pathname).set('accept', 'application/activity+json');
    expect(statusCode === 200 && (body as Json)['audience'] === tea.uri).toBe(isSent);
  });

  it('does not reach an account of its audience that is no group', async () => {
    const person = peer.actor(`person${names}`, key);
    const { uri } = await answered(await written({ audience: [person.uri, PUBLIC] }));
    expect(peer.received.some(({ audience, object }) => audience !== undefined && (object as Json)['id'] === uri)).toBe(
      false,
    );
    expect(peer.seen).not.toContain(`POST ${new URL(person.uri).pathname}/inbox`);
  });
});
