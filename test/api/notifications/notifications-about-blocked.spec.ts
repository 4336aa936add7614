import { BlocksService } from '../../../src/accounts/index.js';
import type { PlainStatusJson } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { connectAs, isMarker, sendMarker } from '../../support/servers/sockets.js';
import { receivedBy } from '../../support/fixtures/notifications.js';
import { ok, post } from '../../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });

beforeEach(() => app.world.follow('alice', 'bob'));

const id = (nickname: string) => app.world.id(nickname);
const blocks = () => app.get(BlocksService);
const hides = {
  'alice blocks carol': () => blocks().block(id('alice'), id('carol')),
  'alice mutes carol': () => blocks().mute(id('alice'), id('carol')),
};
const cases = Object.keys(hides).flatMap((relation) =>
  ['names carol', 'answers carol'].map((about) => ({ relation: relation as keyof typeof hides, about })),
);

/** A post of bob that names alice, and names carol or answers her without naming her. */
async function write(about: string): Promise<PlainStatusJson> {
  if (about === 'names carol') return post(app, 'bob', '@alice @carol tea?');
  const { id: parent } = await post(app, 'carol', 'tea?');
  const answer = await post(app, 'bob', '@alice yes', { in_reply_to_id: parent });
  await app.sql('delete from mentions where account_id = $1', [id('carol')]); // as an answer from another server may be
  return answer;
}

async function unread(): Promise<number> {
  const alice = await app.world.as('alice');
  const own = await ok<{ svc: { unread_notifications_count: number } }>(
    alice.get('/api/v1/accounts/verify_credentials'),
  );
  return own.svc.unread_notifications_count;
}
const home = async () => ok<PlainStatusJson[]>((await app.world.as('alice')).get('/api/v1/timelines/home'));

describe('F28 a post that names or answers a hidden account', () => {
  it.each(cases)('gives no notification: $relation, $about', async ({ relation, about }) => {
    await hides[relation]();
    const socket = await connectAs(app, 'alice', { stream: 'user' });
    const { id: written } = await write(about);
    await app.drain();
    await sendMarker(app, ['alice']);
    const frames = (await socket.until(isMarker)).filter(({ event }) => event === 'update' || event === 'notification');
    await socket.close();
    expect(frames).toEqual([]);
    expect(await receivedBy(app, 'alice')).toEqual([]);
    expect(await unread()).toBe(0);
    expect((await home()).map((shown) => shown.id)).not.toContain(written);
  });

  it.each(cases)('is hidden with its notification when it came earlier: $relation, $about', async (each) => {
    await write(each.about);
    expect(await receivedBy(app, 'alice')).toEqual(['mention bob']);
    expect(await unread()).toBe(1);
    await hides[each.relation]();
    expect(await receivedBy(app, 'alice')).toEqual([]);
    expect(await unread()).toBe(0);
    expect(await home()).toEqual([]);
    const withMuted = await receivedBy(app, 'alice', { with_muted: true });
    expect(withMuted).toEqual(each.relation === 'alice mutes carol' ? ['mention bob'] : []);
  });
});
