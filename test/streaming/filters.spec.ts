import type { NotificationJson } from '../../src/notifications/index.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { post, reblog } from '../support/fixtures/statuses.js';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });
let socket: TestSocket;

beforeEach(async () => {
  await app.world.follow('bob', 'alice');
  await app.drain();
  socket = await connectAs(app, 'bob', { stream: 'user' });
  await socket.subscribe('public');
});
afterEach(() => socket.close());

/** The frames since the last call, without `filters_changed`. */
async function arrived(): Promise<
  { stream: string; event: string | undefined; body: StatusJson & NotificationJson }[]
> {
  await app.drain();
  await sendMarker(app, ['bob']);
  const frames = (await socket.until(isMarker)).filter(({ event }) => event !== 'filters_changed');
  return frames.map(({ stream, event, payload = '' }) => ({
    stream: stream.join(),
    event,
    body: JSON.parse(payload) as StatusJson & NotificationJson,
  }));
}

async function filter(context: string[], action = 'hide'): Promise<void> {
  const bob = await app.world.as('bob');
  const values = { title: 'x', context, filter_action: action, keywords_attributes: [{ keyword: 'tea' }] };
  await bob.post('/api/v2/filters', values).expect(200);
}

describe('filters on streams', () => {
  it.each([
    [['home'], ['public']],
    [['public'], ['user']],
    [['home', 'public'], []],
    [
      ['thread', 'account'],
      ['user', 'public'],
    ],
  ])('that hide in %j leave a post on %j', async (context, streams) => {
    await filter(context);
    await post(app, 'alice', 'tea');
    expect((await arrived()).map(({ stream }) => stream)).toEqual(streams);
  });

  it('that warn add their match to the post for their owner only', async () => {
    await filter(['home'], 'warn');
    const other = await connectAs(app, 'carol', { stream: 'public' });
    const { id } = await post(app, 'carol', 'tea');
    await reblog(app, 'alice', id);
    const [open, boost] = await arrived();
    expect(open).toMatchObject({ stream: 'public', body: { id, filtered: [{ keyword_matches: ['tea'] }] } });
    expect(boost).toMatchObject({ stream: 'user', body: { reblog: { id, filtered: [{ keyword_matches: ['tea'] }] } } });
    const { payload = '' } = await other.next();
    expect(JSON.parse(payload)).toMatchObject({ id, filtered: [] });
    await other.close();
  });

  it.each([
    ['public', { user: 'accepted', public: 'unauthorized' }],
    ['home', { user: 'unauthorized', public: 'accepted' }],
    ['thread', { user: 'accepted', public: 'accepted' }],
  ])('that hide in %j leave a quoted post out there only', async (context, states) => {
    await filter([context]);
    const { id } = await post(app, 'carol', 'tea', { visibility: 'unlisted' });
    await post(app, 'alice', 'see', { quote_id: id });
    const frames = await arrived();
    expect(Object.fromEntries(frames.map(({ stream, body }) => [stream, body.quote?.state]))).toEqual(states);
  });

  it('match the options of a poll', async () => {
    await filter(['home']);
    await post(app, 'alice', 'x', { poll: { options: ['tea', 'milk'], expires_in: 600 } });
    expect((await arrived()).map(({ stream }) => stream)).toEqual(['public']);
  });

  it('hide a notification', async () => {
    await filter(['notifications']);
    await post(app, 'carol', '@bob tea', { visibility: 'unlisted' });
    expect(await arrived()).toEqual([]);
    await post(app, 'carol', '@bob milk', { visibility: 'unlisted' });
    expect((await arrived()).map(({ event }) => event)).toEqual(['notification']);
  });
});
