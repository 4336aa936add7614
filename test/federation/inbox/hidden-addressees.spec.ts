import { RemoteActors } from '../../../src/federation/fetch/remote-actors.js';
import { Visibility } from '../../../src/statuses/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { post } from '../../support/fixtures/statuses.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

const peer = usePeer();
const app = useBeside([peer], { once: ['ada'] });
let mo: RawActor;
let ada: string;
let number = 0;

beforeAll(async () => {
  ada = `${app.env.baseUrl}/users/ada`;
  mo = peer.actor('mo', newKey(), { followers: `${peer.url}/users/mo/followers` });
  const account = await app.get(RemoteActors).resolve(mo.uri);
  await app.sql(
    'insert into follows (follower_id, followee_id, state, reblogs, notify) values ($1, $2, 1, true, false)',
    [app.world.id('ada'), account?.id],
  );
});

const deliver = (type: string, object: unknown, addressees: object) =>
  sendTo(app, mo, { id: `${mo.uri}#${(number += 1)}`, type, object, ...addressees });

const followers = () => `${mo.uri}/followers`;

describe('F28 a hidden addressee', () => {
  it.each<[name: string, addressees: () => object, visibility: keyof typeof Visibility]>([
    ['bto to a direct post', () => ({ to: [ada], bto: [PUBLIC] }), 'direct'],
    ['bcc to a direct post', () => ({ to: [ada], bcc: [PUBLIC] }), 'direct'],
    ['bcc, as one text, to a direct post', () => ({ to: ada, bcc: 'as:Public' }), 'direct'],
    ['bto, as an object, to a direct post', () => ({ to: [ada], bto: { id: PUBLIC } }), 'direct'],
    ['bto and bcc to a post for followers', () => ({ to: [followers()], bto: PUBLIC, bcc: 'Public' }), 'private'],
    ['bto to an unlisted post', () => ({ to: [followers()], cc: [PUBLIC], bto: [PUBLIC] }), 'unlisted'],
    ['bcc to a public post', () => ({ to: [PUBLIC], cc: [ada], bcc: [PUBLIC] }), 'public'],
    ['bcc to a post for nobody else', () => ({ bcc: [PUBLIC, ada] }), 'direct'],
  ])('that is the public collection widens no audience: %s', async (_, addressees, visibility) => {
    const id = `${mo.uri}/notes/${(number += 1)}`;
    const note = { id, type: 'Note', attributedTo: mo.uri, content: 'tea', ...addressees() };
    await deliver('Create', note, addressees());
    const [row] = await app.sql<{ visibility: number }>('select visibility from statuses where uri = $1', [id]);
    expect(row?.visibility).toBe(Visibility[visibility]);
  });

  it('that is the public collection widens no boost', async () => {
    const { uri } = await post(app, 'ada', 'tea');
    await deliver('Announce', uri, { to: [followers()], bto: [PUBLIC], bcc: [PUBLIC] });
    const reblogs = await app.sql('select visibility from statuses where reblog_of_id is not null');
    expect(reblogs).toEqual([{ visibility: Visibility.private }]);
  });

  it('that is a local account may read the post, which does not name it', async () => {
    const id = `${mo.uri}/notes/${(number += 1)}`;
    const note = { id, type: 'Note', attributedTo: mo.uri, content: 'psst', bcc: [ada] };
    await deliver('Create', note, { bcc: [ada] });
    const found = await app.sql<{ silent: boolean }>(
      'select m.silent from mentions m join statuses s on s.id = m.status_id where s.uri = $1',
      [id],
    );
    expect(found).toEqual([{ silent: true }]);
  });
});
