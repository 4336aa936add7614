import { BlocksService, FollowsService, UsersService } from '../../src/accounts/index.js';
import { StatusCreated, type StatusJson, Visibility } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { announce, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { post, reblog } from '../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });
let socket: TestSocket;

beforeEach(async () => {
  await app.world.follow('bob', 'alice');
  socket = await connectAs(app, 'bob', { stream: 'user' });
  await socket.subscribe('public');
});
afterEach(() => socket.close());

const id = (name: string) => app.world.id(name);
const blocks = () => app.get(BlocksService);
const follows = () => app.get(FollowsService);

/** The posts since the last call, as stream and id, without the updates of follows. */
async function arrived(): Promise<string[]> {
  await sendMarker(app, ['bob']);
  const frames = (await socket.until(isMarker)).filter(({ event }) => event !== 'svc:follow_relationships_update');
  return frames.map(({ stream, payload = '' }) => `${stream.join()} ${(JSON.parse(payload) as StatusJson).id}`);
}

describe('a viewer on an open stream', () => {
  it.each([
    ['blocked the author', () => blocks().block(id('bob'), id('alice'), {})],
    ['was blocked by the author', () => blocks().block(id('alice'), id('bob'), {})],
    ['muted the author', () => blocks().mute(id('bob'), id('alice'), { notifications: false })],
    ['blocked an account that the post mentions', () => blocks().block(id('bob'), id('carol'), {})],
    ['muted an account that the post mentions', () => blocks().mute(id('bob'), id('carol'), { notifications: false })],
  ])('does not get the next post after the viewer %s', async (_, decide) => {
    const { id: before } = await post(app, 'alice', 'hello @carol');
    expect(await arrived()).toEqual([`user ${before}`, `public ${before}`]);
    await decide();
    await post(app, 'alice', 'hello @carol');
    expect(await arrived()).toEqual([]);
  });

  it('gets posts again after unmuting the author', async () => {
    await blocks().mute(id('bob'), id('alice'), { notifications: true });
    await post(app, 'alice', 'tea');
    expect(await arrived()).toEqual([]);
    await blocks().unmute(id('bob'), id('alice'));
    const { id: posted } = await post(app, 'alice', 'tea');
    expect(await arrived()).toEqual([`user ${posted}`, `public ${posted}`]);
  });

  it.each([
    ['a block', 'blocks', () => blocks().block(id('bob'), id('carol'), { expiresIn: 3600 })],
    ['a block by the author', 'blocks', () => blocks().block(id('carol'), id('bob'), { expiresIn: 3600 })],
    ['a mute', 'mutes', () => blocks().mute(id('bob'), id('carol'), { expiresIn: 3600 })],
  ])('gets the post after the expiry of %s', async (_, table, decide) => {
    await decide();
    await app.sql(`update ${table} set expires_at = now() - interval '1 second'`);
    const { id: posted } = await post(app, 'carol', 'tea');
    expect(await arrived()).toEqual([`public ${posted}`]);
  });

  it('gets posts on open streams only after unfollowing the author', async () => {
    await follows().unfollow(id('bob'), id('alice'));
    const open = await post(app, 'alice', 'tea');
    await post(app, 'alice', 'for followers', { visibility: 'private' });
    expect(await arrived()).toEqual([`public ${open.id}`]);
    await app.world.follow('bob', 'alice');
    const closed = await post(app, 'alice', 'for followers', { visibility: 'private' });
    expect(await arrived()).toEqual([`user ${closed.id}`]);
  });

  it('gets no boosts of own posts, of posts by hidden authors and from accounts with boosts hidden', async () => {
    const [own, foreign] = [await post(app, 'bob', 'mine'), await post(app, 'carol', 'tea')];
    await arrived();
    await reblog(app, 'alice', own.id);
    expect(await arrived()).toEqual([]);
    await blocks().mute(id('bob'), id('carol'), { notifications: false });
    await reblog(app, 'alice', foreign.id);
    expect(await arrived()).toEqual([]);
    await blocks().unmute(id('bob'), id('carol'));
    await follows().follow(id('bob'), id('alice'), { reblogs: false });
    const another = await post(app, 'carol', 'more tea');
    await reblog(app, 'alice', another.id);
    expect(await arrived()).toEqual([`public ${another.id}`]);
  });

  it('gets no boosts of what the home timeline has just shown', async () => {
    await app.world.person('dave');
    await app.world.follow('bob', 'carol');
    const byAlice = await post(app, 'alice', 'tea');
    const unknown = await post(app, 'dave', 'milk', { visibility: 'unlisted' });
    await app.drain();
    expect(await arrived()).toEqual([`user ${byAlice.id}`, `public ${byAlice.id}`]);
    await reblog(app, 'carol', byAlice.id);
    const first = await reblog(app, 'carol', unknown.id);
    await app.drain();
    expect(await arrived()).toEqual([`user ${first.id}`]);
    await reblog(app, 'alice', unknown.id);
    await app.drain();
    expect(await arrived()).toEqual([]);
    const home = await (await app.world.as('bob')).get('/api/v1/timelines/home').expect(200);
    expect((home.body as { id: string }[]).map(({ id }) => id)).toEqual([first.id, byAlice.id]);
    await blocks().mute(id('bob'), id('carol'), { notifications: false });
    const former = [unknown.id, id('alice')];
    await app.sql('delete from home_feed where reblog_of_id = $1 and author_id = $2', former);
    await app.sql('delete from statuses where reblog_of_id = $1 and author_id = $2', former);
    const again = await reblog(app, 'alice', unknown.id);
    expect(await arrived()).toEqual([`user ${again.id}`]);
  });

  it('gets no posts of a muted thread until the mute expires', async () => {
    const { id: root } = await post(app, 'alice', 'tea?');
    await post(app, 'carol', 'yes', { in_reply_to_id: root });
    await arrived();
    await app.sql(
      'insert into thread_mutes (account_id, conversation_id) select $1, conversation_id from statuses where id = $2',
      [id('bob'), root],
    );
    await post(app, 'alice', 'good', { in_reply_to_id: root });
    const { id: elsewhere } = await post(app, 'alice', 'coffee?');
    expect(await arrived()).toEqual([`user ${elsewhere}`, `public ${elsewhere}`]);
    await app.sql(`update thread_mutes set expires_at = now() - interval '1 second'`);
    const { id: posted } = await post(app, 'alice', 'hot', { in_reply_to_id: root });
    expect(await arrived()).toEqual([`user ${posted}`, `public ${posted}`]);
  });

  it('gets no posts of a deactivated author', async () => {
    const [planted] = (await makeStatuses(app, 'alice', 1)) as [string];
    const created = new StatusCreated({
      statusId: planted,
      authorId: id('alice'),
      local: true,
      visibility: Visibility.public,
      reblogOfId: null,
      inReplyToId: null,
      hasMentions: false,
      hasTags: false,
      isQuote: false,
      hasLinks: false,
      hasSubscribers: true,
      isNews: true,
    });
    await app.get(UsersService).setActive(id('alice'), false);
    await announce(app, created);
    expect(await arrived()).toEqual([]);
    await app.get(UsersService).setActive(id('alice'), true);
    await announce(app, created);
    expect(await arrived()).toEqual([`user ${planted}`, `public ${planted}`]);
  });
});
