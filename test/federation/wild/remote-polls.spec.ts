import type { PollJson } from '../../../src/statuses/index.js';
import { newKey, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

type Post = { readonly id: string; readonly poll: PollJson };

/** Where a signed-in user looks at a poll. */
const PLACES: readonly [string, (viewer: Client, post: Post) => Promise<PollJson>][] = [
  [
    'its own page',
    async (viewer, { poll }) => (await viewer.get(`/api/v1/polls/${poll.id}`).expect(200)).body as PollJson,
  ],
  ['its post', async (viewer, { id }) => ((await viewer.get(`/api/v1/statuses/${id}`).expect(200)).body as Post).poll],
];

describe.each(PLACES)('The poll of another server on %s', (_place, lookAt) => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let path = '';
  let turn = 0;

  beforeAll(async () => {
    ada = await app.world.as('ada');
    peer.actor('mo', newKey());
  });

  const serve = (votes: number, endTime: string) =>
    peer.answers.set(path, {
      id: `${peer.url}${path}`,
      type: 'Question',
      attributedTo: `${peer.url}/users/mo`,
      content: 'tea?',
      to: [PUBLIC],
      endTime,
      oneOf: ['yes', 'no'].map((name) => ({ type: 'Note', name, replies: { totalItems: votes } })),
      votersCount: 2 * votes,
    });
  const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

  /** Looks at a stored poll, and lets jobs run; returns how often its server was asked, and the votes that are shown then. */
  async function lookedAt(age: string, viewer: Client = ada, endTime = TOMORROW): Promise<[number, number]> {
    path = `/polls/${(turn += 1)}`;
    serve(1, endTime);
    const { body } = await ada.get('/api/v2/search', { q: `${peer.url}${path}`, resolve: true }).expect(200);
    const [post] = (body as { statuses: [Post] }).statuses;
    await app.sql(
      `update polls set fetched_at = now() - $2::interval, counts_as_of = now() - $2::interval where id = $1`,
      [post.poll.id, age],
    );
    app.invalidateReads();
    serve(5, endTime);
    const asked = peer.asked(path);
    const look = () => lookAt(viewer, post);
    await look();
    await look();
    expect(peer.asked(path)).toBe(asked);
    await app.drain();
    return [peer.asked(path) - asked, (await look()).votes_count];
  }

  it('is counted again by one job when a user reads counts older than a minute', async () => {
    expect(await lookedAt('61 seconds')).toEqual([1, 10]);
  });

  it('is not fetched when its counts are recent', async () => {
    expect(await lookedAt('50 seconds')).toEqual([0, 2]);
  });

  it('is not fetched for visitors', async () => {
    expect(await lookedAt('1 hour', app.world.anonymous)).toEqual([0, 2]);
  });

  it('is counted once more after its end', async () => {
    expect(await lookedAt('10 minutes', ada, ago(5))).toEqual([1, 10]);
    expect(await lookedAt('10 minutes', ada, ago(90))).toEqual([0, 2]);
  });

  it('shows its former counts while its server is unreachable', async () => {
    expect(await lookedAt('61 seconds')).toEqual([1, 10]);
    peer.answers.set(path, { status: 503 });
    await app.sql(`update polls set fetched_at = now() - interval '1 hour'`);
    const [{ id } = { id: '' }] = await app.sql<{ id: string }>('select max(id)::text as id from polls');
    await ada.get(`/api/v1/polls/${id}`).expect(200);
    await app.drain();
    expect((await ada.get(`/api/v1/polls/${id}`)).body).toMatchObject({ votes_count: 10 });
  });
});
