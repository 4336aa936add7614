import { RemoteActors } from '../../../src/federation/fetch/remote-actors.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { expectCountersToMatchRows, post } from '../../support/fixtures/statuses.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

const peer = usePeer();
const app = useBeside([peer], { people: ['ada'] });
const key = newKey();
let mo: RawActor;
let number = 0;

beforeEach(async () => {
  const name = `mo${(number += 1)}`;
  mo = peer.actor(name, key, { featured: `${peer.url}/users/${name}/featured` });
  const account = await app.get(RemoteActors).resolve(mo.uri);
  await app.sql(
    'insert into follows (follower_id, followee_id, state, reblogs, notify) values ($1, $2, 1, true, false)',
    [account!.id, app.world.id('ada')],
  );
});

const activity = (type: string, object: unknown, more: object = {}) => ({
  id: `${mo.uri}#${(number += 1)}`,
  type,
  actor: mo.uri,
  object,
  ...more,
});

describe.each([
  ['was deactivated', `update accounts set deactivated_at = now() where id = $1`],
  ['no longer has the actor as a follower', 'delete from follows where followee_id = $1'],
])('from the post of an author who %s', (_case, change) => {
  it.each([
    ['a favourite', 'favourites', { type: 'Like' }, (given: object) => given],
    ['a favourite by its id', 'favourites', { type: 'Like' }, ({ id }: { id: string }) => id],
    ['a reaction', 'reactions', { type: 'EmojiReact', content: '🍵' }, (given: object) => given],
    ['a reaction by its id', 'reactions', { type: 'EmojiReact', content: '🍵' }, ({ id }: { id: string }) => id],
  ])('another server takes back %s', async (_name, table, { type, ...more }, undone) => {
    const { uri } = await post(app, 'ada', 'tea', { visibility: 'private' });
    const given = activity(type, uri, more);
    await sendTo(app, mo, given);
    expect(await app.sql(`select from ${table}`)).toHaveLength(1);
    await app.sql(change, [app.world.id('ada')]);
    await sendTo(app, mo, activity('Undo', undone(given)));
    expect(await app.sql(`select from ${table}`)).toEqual([]);
    await expectCountersToMatchRows(app);
  });
});

it('another server takes back a pin of an account that is deactivated here', async () => {
  const uri = `${mo.uri}/notes/1`;
  const target = `${mo.uri}/featured`;
  const ada = `${app.env.baseUrl}/users/ada`;
  const note = { id: uri, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [PUBLIC], cc: [ada] };
  await sendTo(app, mo, activity('Create', note));
  await sendTo(app, mo, activity('Add', uri, { target }));
  expect(await app.sql('select from pins')).toHaveLength(1);
  await app.sql('update accounts set deactivated_at = now() where ap_id = $1', [mo.uri]);
  await sendTo(app, mo, activity('Remove', uri, { target }));
  expect(await app.sql('select from pins')).toEqual([]);
});
