import type { ListJson } from '../../src/accounts/index.js';
import { SettingsService } from '../../src/config/index.js';
import type { NotificationJson } from '../../src/notifications/index.js';
import { Draining } from '../../src/platform/index.js';
import type { StatusJson } from '../../src/statuses/index.js';
import { EventStreamSession } from '../../src/streaming/event-streams/event-stream-session.js';
import { Sessions } from '../../src/streaming/connections/sessions.js';
import { NO_STREAM, StreamEvent } from '../../src/streaming/connections/frame.js';
import { SessionReaper } from '../../src/streaming/connections/session-reaper.js';
import { startListeningApp, useApp } from '../support/servers/app.js';
import { type StreamedEvent, openEvents, type TestEventStream } from '../support/servers/event-streams.js';
import { isMarker as isMarkerFrame, sendMarker } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';

const ROOT = '/api/v1/streaming';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });
const opened = useOpened();

beforeEach(() => app.world.follow('alice', 'bob'));

const tokenOf = async (nickname: string, ...scopes: string[]) => (await app.world.as(nickname, ...scopes)).token;
const openAs = async (nickname: string, path: string, query: Record<string, string> = {}) =>
  opened(openEvents(app, path, await tokenOf(nickname), query));
const open = (path: string, query: Record<string, string> = {}) => opened(openEvents(app, path, undefined, query));
const sessions = () => [...app.get(Sessions)].filter((session) => session instanceof EventStreamSession);
const isMarker = ({ event, data }: StreamedEvent) => isMarkerFrame({ event, payload: data });
const shown = ({ event, data }: StreamedEvent) =>
  `${event} ${event === 'delete' ? data : (JSON.parse(data) as StatusJson).id}`;
/** The events and ids of posts since the last call. */
async function arrived(stream: TestEventStream, ...people: string[]): Promise<string[]> {
  await sendMarker(app, people);
  const events = await stream.until(isMarker);
  return events.map(shown);
}

describe('an event stream', () => {
  it('begins with a comment and contains events of exactly this form', async () => {
    const stream = await open('public');
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    expect(stream.response.headers).not.toHaveProperty('transfer-encoding');
    const { id } = await post(app, 'alice', 'tea "and"\nmore \u{1F375}');
    const view = await app.world.anonymous.get(`/api/v1/statuses/${id}`);
    expect(await stream.next()).toEqual({ event: 'update', data: view.text });
    expect(stream.comments).toEqual([':thump']);
    await (await app.world.as('alice')).delete(`/api/v1/statuses/${id}`).expect(200);
    expect(await stream.next()).toEqual({ event: 'delete', data: id });
  });

  it('V7 shows posts that its user may see, on the streams they belong to', async () => {
    const alice = await app.world.as('alice');
    const list = await ok<ListJson>(alice.post('/api/v1/lists', { title: 'people' }));
    await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [app.world.id('bob')] }).expect(200);
    const asked: [string, Record<string, string>, string[]][] = [
      ['user', {}, ['open', 'local', 'private', 'direct']],
      ['public', {}, ['open']],
      ['public/local', {}, ['open', 'local']],
      ['hashtag', { tag: 'TEA' }, ['open']],
      ['hashtag/local', { tag: 'TEA' }, ['open']],
      ['list', { list: list.id }, ['open', 'local', 'private', 'direct']],
      ['direct', {}, ['direct']],
    ];
    const opened = await Promise.all(asked.map(([path, query]) => openAs('alice', path, query)));
    const strangers = await Promise.all(['user', 'public', 'direct'].map((path) => openAs('carol', path)));
    const visitor = await open('public/local');
    const ids = new Map<string, string>();
    for (const visibility of ['public', 'local', 'private', 'direct']) {
      const { id } = await post(app, 'bob', '@alice #tea', { visibility });
      ids.set(visibility === 'public' ? 'open' : visibility, id);
    }
    const updates = (names: readonly string[]) => names.map((name) => `update ${ids.get(name)}`);
    for (const [at, [path, , names]] of asked.entries()) {
      const events: string[] = [];
      for (let count = 0; count < names.length; count += 1) events.push(shown(await opened[at]!.next()));
      expect({ path, events }).toEqual({ path, events: updates(names) });
    }
    await sendMarker(app, ['alice', 'carol']);
    const nothing = opened.filter((_, at) => asked[at]![0] !== 'list');
    for (const stream of nothing) {
      expect((await stream.until(isMarker)).filter(({ event }) => event === 'update')).toEqual([]);
    }
    const others = [visitor, ...strangers];
    const arrived = await Promise.all(others.map(async (stream) => (await stream.until(isMarker)).map(shown)));
    expect(arrived).toEqual([updates(['open']), [], updates(['open']), []]);
  });

  it('sends only posts with files when only_media is set', async () => {
    const opened = await Promise.all(
      ['public', 'public/local'].flatMap((path) =>
        ['1', 'false'].map((only) => openAs('alice', path, { only_media: only })),
      ),
    );
    const { id: plain } = await post(app, 'bob', 'tea');
    const { id: file } = await post(app, 'bob', 'a cup', { media_ids: [(await upload(app, 'bob')).id] });
    for (const [at, stream] of opened.entries()) {
      const ids = at % 2 === 0 ? [file] : [plain, file];
      expect(await arrived(stream, 'alice')).toEqual(ids.map((id) => `update ${id}`));
    }
  });

  it('sends notifications to a token with their scope', async () => {
    const stream = await opened(openEvents(app, 'user/notification', await tokenOf('alice', 'read:notifications')));
    await post(app, 'bob', '@alice hello');
    await app.drain();
    const { event, data } = await stream.next();
    expect(event).toBe('notification');
    expect((JSON.parse(data) as NotificationJson).type).toBe('mention');
  });

  it('W1 is refused like any other request', async () => {
    const list = await ok<ListJson>((await app.world.as('alice')).post('/api/v1/lists', { title: 'people' }));
    const bob = await app.world.as('bob');
    await bob.get(`${ROOT}/list`, { list: list.id }).expect(404, { error: 'Not found' });
    await bob.get(`${ROOT}/list`).expect(404);
    for (const path of ['hashtag', 'hashtag/local']) await bob.get(`${ROOT}/${path}`).expect(400);
    await (await app.world.as('bob', 'read:notifications')).get(`${ROOT}/user`).expect(403);
    await (await app.world.as('bob', 'read:statuses')).get(`${ROOT}/user/notification`).expect(403);
    for (const path of ['user', 'user/notification', 'list', 'direct']) {
      await app.world.anonymous.get(`${ROOT}/${path}`).expect(401);
    }
    await app.http.get(`${ROOT}/public?access_token=nonsense`).expect(401);
    await app.get(SettingsService).update([{ path: 'instance.public', value: false }]);
    await app.world.anonymous.get(`${ROOT}/public`).expect(403);
    await app.get(SettingsService).reset('instance.public');
    expect(sessions().filter(({ response }) => !response.destroyed)).toEqual([]);
  });

  it('takes the token from the query, and ends soon after the token is deleted', async () => {
    const stream = await open('user', { access_token: await tokenOf('alice') });
    const { id } = await post(app, 'bob', 'tea');
    expect(await arrived(stream, 'alice')).toEqual([`update ${id}`]);
    await app.sql('delete from oauth_tokens');
    await app.get(SessionReaper).check();
    await stream.ended;
    expect(sessions().filter(({ response }) => !response.destroyed)).toEqual([]);
  });

  it('answers HEAD with the head only', async () => {
    const answer = await app.http.head(`${ROOT}/public`).expect(200);
    expect(answer.get('content-type')).toBe('text/event-stream');
    expect(sessions().filter(({ response }) => !response.destroyed)).toEqual([]);
  });

  it('W5 sends a comment every fifteen seconds, and ends when its client reads nothing', async () => {
    const stream = await open('public');
    const session = sessions().at(-1)!; // sessions of earlier tests may be closing
    session.beat(performance.now() + 15_000);
    session.beat(performance.now() + 16_000);
    session.beat(performance.now() + 31_000);
    const { id } = await post(app, 'alice', 'tea');
    expect(await arrived(stream)).toEqual([`update ${id}`]);
    expect(stream.comments).toEqual([':thump', ':thump', ':thump']);
    stream.response.pause();
    const event = new StreamEvent('update', 'x'.repeat(1_000_000));
    for (let sent = 0; sent < 100 && session.response.writableLength < 500_000; sent += 1)
      session.send(event.frame(NO_STREAM));
    expect(session.response.writableLength).toBeGreaterThan(500_000);
    for (const later of [60_000, 90_000, 120_000]) session.beat(performance.now() + later);
    expect(session.response.destroyed).toBe(true);
    stream.response.resume();
    await stream.ended;
  });

  it('W3 ends when its client is too slow', async () => {
    const stream = await open('public');
    const session = sessions().at(-1)!; // sessions of earlier tests may be closing
    stream.response.pause();
    const event = new StreamEvent('update', 'x'.repeat(500_000));
    for (let sent = 0; sent < 100 && !session.response.destroyed; sent += 1) session.send(event.frame(NO_STREAM));
    expect(session.response.destroyed).toBe(true);
    stream.response.resume();
    await stream.ended;
  });
});

it('P1 ends when the server stops', async () => {
  const own = await startListeningApp();
  own.get(Draining).attach(own.nest.getHttpServer());
  const stream = await openEvents(own, 'public');
  const stopped = own.get(Draining).drain(0);
  await stream.ended;
  await stopped;
  expect(stream.response.complete).toBe(true);
  await own.close();
});
