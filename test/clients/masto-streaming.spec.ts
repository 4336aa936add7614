import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRestAPIClient, createStreamingAPIClient, type mastodon } from 'masto';
import { WebSocket } from 'ws';
import type { TestApp } from '../support/app.js';
import { startListeningApp } from '../support/listen.js';
import type { Frame } from '../support/sockets.js';

/**
 * The library looks into the `stream` of every frame it gets. The replies to its own events, and deletions, have none here
 * (spec §6.1): an app hands the library a socket that leaves out the former and completes the latter.
 */
class CompletedFrames extends WebSocket {
  static readonly replies = new EventEmitter();

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== 'message') return super.emit(event, ...args);
    const frame = JSON.parse(String(args[0])) as Frame;
    if (frame.event === 'svc:respond') return CompletedFrames.replies.emit('reply', frame.payload);
    return super.emit(event, Buffer.from(JSON.stringify({ stream: ['user', 'public'], ...frame })), false);
  }
}

describe('an app built on the library masto', () => {
  let app: TestApp;
  let streams: mastodon.streaming.Client;
  let bob: mastodon.rest.Client;

  beforeAll(async () => {
    app = await startListeningApp();
    await app.world.persons('alice', 'bob');
    await app.world.follow('alice', 'bob');
    const [{ token: hers }, { token: his }] = [await app.world.as('alice'), await app.world.as('bob')];
    const rest = createRestAPIClient({ url: app.env.baseUrl, accessToken: hers });
    bob = createRestAPIClient({ url: app.env.baseUrl, accessToken: his });
    const { configuration } = await rest.v2.instance.fetch();
    streams = createStreamingAPIClient({
      streamingApiUrl: configuration.urls.streaming,
      accessToken: hers,
      implementation: CompletedFrames,
      retry: false,
    });
  });
  afterAll(async () => {
    streams.close();
    await app.close();
  });

  /** The next event of a subscription. */
  const next = async (events: AsyncIterator<mastodon.streaming.Event, unknown>): Promise<mastodon.streaming.Event> => {
    const { done, value } = await events.next();
    if (done) throw new Error('The subscription has ended');
    return value;
  };

  it('hears of posts, notifications and deletions', async () => {
    using home = streams.user.subscribe();
    const events = home.values();
    const replied = once(CompletedFrames.replies, 'reply');
    const first = next(events); // the library subscribes when the first event is asked for
    expect(await replied).toEqual(['{"type":"subscribe","result":"success"}']);
    const { id } = await bob.v1.statuses.create({ status: 'tea, @alice?', visibility: 'public' });
    expect(await first).toMatchObject({ stream: ['user'], event: 'update', payload: { id, account: { acct: 'bob' } } });
    await app.drain();
    expect(await next(events)).toMatchObject({
      stream: ['user'],
      event: 'notification',
      payload: { type: 'mention', account: { acct: 'bob' }, status: { id } },
    });
    await bob.v1.statuses.$select(id).remove();
    expect(await next(events)).toMatchObject({ event: 'delete', payload: id });
  });
});
