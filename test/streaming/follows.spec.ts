import { BlocksService, FollowsService } from '../../src/accounts/index.js';
import { useApp } from '../support/servers/app.js';
import { connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';

const app = useApp({ people: ['alice', 'bob'], env: { COMPAT_BRAND: 'acme' }, listening: true });
let follower: TestSocket;
let followee: TestSocket;

beforeEach(async () => {
  await app.world.person('eve', { locked: true });
  follower = await connectAs(app, 'bob', { stream: 'user' });
  followee = await connectAs(app, 'alice', { stream: 'user' });
});
afterEach(() => Promise.all([follower.close(), followee.close()]));

const id = (name: string) => app.world.id(name);
const follows = () => app.get(FollowsService);

/** The frames that the follower got since the last call; the followee must not get them. */
async function arrived() {
  await sendMarker(app, ['alice', 'bob']);
  expect(await followee.until(isMarker)).toEqual([]);
  const frames = await follower.until(isMarker);
  return frames.map(({ payload = 'null', ...frame }) => ({ ...frame, payload: JSON.parse(payload) as unknown }));
}
const frame = (state: string, name: string, following: number, followers: number) => ({
  stream: ['user'],
  event: 'acme:follow_relationships_update',
  payload: {
    state,
    follower: { id: id('bob'), follower_count: 0, following_count: following },
    following: { id: id(name), follower_count: followers, following_count: 0 },
  },
});

describe('the follower gets the state and the counts', () => {
  it('of a new follow and of its end', async () => {
    await follows().follow(id('bob'), id('alice'));
    await follows().follow(id('bob'), id('alice'));
    expect(await arrived()).toEqual([frame('follow_accept', 'alice', 1, 1)]);
    await follows().unfollow(id('bob'), id('alice'));
    expect(await arrived()).toEqual([frame('follow_reject', 'alice', 0, 0)]);
    await follows().follow(id('bob'), id('alice'));
    await app.get(BlocksService).block(id('alice'), id('bob'), {});
    expect((await arrived()).slice(1)).toEqual([frame('follow_reject', 'alice', 0, 0)]);
  });

  it('of a follow request, its rejection and its acceptance', async () => {
    await follows().follow(id('bob'), id('eve'));
    expect(await arrived()).toEqual([frame('follow_pending', 'eve', 0, 0)]);
    await follows().reject(id('eve'), id('bob'));
    expect(await arrived()).toEqual([frame('follow_reject', 'eve', 0, 0)]);
    await follows().follow(id('bob'), id('eve'));
    await follows().accept(id('eve'), id('bob'));
    expect((await arrived()).slice(1)).toEqual([frame('follow_accept', 'eve', 1, 1)]);
  });

  it('V11 without the counts that an account hides', async () => {
    await app.sql('update accounts set hide_followers_count = true, hide_follows_count = true, version = version + 1');
    await follows().follow(id('bob'), id('alice'));
    expect(await arrived()).toEqual([frame('follow_accept', 'alice', 1, 0)]);
  });
});
