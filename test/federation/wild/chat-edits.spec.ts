import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;

/** Chat messages that their sender's server changes. */
describe('An edit of a chat message', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben'] });
  let mo: RawActor;
  let eve: RawActor;
  let names = 0;
  const key = newKey();
  const local = (name: string) => `${app.env.baseUrl}/users/${name}`;

  beforeAll(() => {
    eve = peer.actor('eve', key);
  });
  beforeEach(async () => {
    names += 1;
    mo = peer.actor(`mo${names}`, key);
    await send('Create', {});
  });

  const message = () => ({
    id: `${mo.uri}/chat`,
    type: 'ChatMessage',
    attributedTo: mo.uri,
    to: [local('ada')],
    content: 'tea',
  });
  const send = (type: string, changes: Json, by = mo) => {
    const object: Json = { ...message(), ...changes };
    return sendTo(app, by, { id: `${by.uri}#${(names += 1)}`, type, to: object['to'], object });
  };
  const texts = async () =>
    (await app.sql<{ content: string }>('select content from chat_messages where uri like $1', [`${mo.uri}/%`])).map(
      ({ content }) => content,
    );

  it('replaces its text', async () => {
    await send('Update', { content: '<p>coffee</p>' });
    expect(await texts()).toEqual(['coffee']);
    expect(
      await app.sql(`select from notifications where from_id = (select id from accounts where ap_id = $1)`, [mo.uri]),
    ).toHaveLength(1);
  });

  it.each<[string, () => Json, (() => RawActor)?]>([
    ['by another actor', () => ({ content: 'coffee' }), () => eve],
    ['by another actor who claims it', () => ({ content: 'coffee', attributedTo: eve.uri }), () => eve],
    ['for another recipient', () => ({ content: 'coffee', to: [local('ben')] })],
    ['without a text', () => ({ content: ' ' })],
    ['that is unknown', () => ({ content: 'coffee', id: `${mo.uri}/other` })],
  ])('changes nothing %s', async (_how, changes, by = () => mo) => {
    await send('Update', changes(), by());
    expect(await texts()).toEqual(['tea']);
  });

  it('changes nothing for a recipient who blocks the sender', async () => {
    const ada = await app.world.as('ada');
    const { id } = (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!;
    await ada.post(`/api/v1/accounts/${id}/block`).expect(200);
    await send('Update', { content: 'coffee' });
    expect(await texts()).toEqual(['tea']);
  });
});
