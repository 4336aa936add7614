import { createRestAPIClient, createStreamingAPIClient, type mastodon } from 'masto';
import { WebSocket } from 'ws';
import { Sessions } from '../../src/streaming/connections/sessions.js';
import { userTopic } from '../../src/streaming/connections/topics.js';
import { useApp } from '../support/servers/app.js';
import { eventually } from '../support/eventually.js';

describe('an app built on the library masto', () => {
  let streams: mastodon.streaming.Client;
  afterAll(() => streams.close()); // before the server, or it would connect again
  const app = useApp({ once: ['alice', 'bob'], listening: true });
  let bob: mastodon.rest.Client;

  beforeAll(async () => {
    await app.world.follow('alice', 'bob');
    const [{ token: hers }, { token: his }] = [await app.world.as('alice'), await app.world.as('bob')];
    const rest = createRestAPIClient({ url: app.env.baseUrl, accessToken: hers });
    bob = createRestAPIClient({ url: app.env.baseUrl, accessToken: his });
    const { configuration } = await rest.v2.instance.fetch();
    streams = createStreamingAPIClient({
      streamingApiUrl: configuration.urls.streaming,
      accessToken: hers,
      implementation: WebSocket,
      retry: false,
    });
  });

  /** The next event of a subscription. */
  const next = async (events: AsyncIterator<mastodon.streaming.Event, unknown>): Promise<mastodon.streaming.Event> => {
    const { done, value } = await events.next();
    if (done) throw new Error('The subscription has ended');
    return value;
  };

  it('receives posts, notifications and deletions', async () => {
    using home = streams.user.subscribe();
    const events = home.values();
    const first = next(events); // the library subscribes when the first event is asked for
    const topic = userTopic(app.world.id('alice'));
    await eventually(() => expect(app.get(Sessions).on(topic)).toHaveLength(1));
    const { id } = await bob.v1.statuses.create({ status: 'tea, @alice?', visibility: 'public' });
    expect(await first).toMatchObject({ stream: ['user'], event: 'update', payload: { id, account: { acct: 'bob' } } });
    await app.drain();
    expect(await next(events)).toMatchObject({
      stream: ['user'],
      event: 'notification',
      payload: { type: 'mention', account: { acct: 'bob' }, status: { id } },
    });
    await bob.v1.statuses.$select(id).remove();
    expect(await next(events)).toMatchObject({ stream: ['user'], event: 'delete', payload: id });
  });
});
