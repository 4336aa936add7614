import { FollowsService } from '../../src/accounts/index.js';
import { InteractionsService, RemoteStatusesService, type StatusJson } from '../../src/statuses/index.js';
import { receivedBy } from '../support/fixtures/notifications.js';
import { post, remoteStatus } from '../support/fixtures/statuses.js';
import { useApp } from '../support/servers/app.js';
import { connectAs, isMarker, sendMarker } from '../support/servers/sockets.js';
import { useOpened } from '../support/servers/use.js';

const app = useApp({ people: ['alice', 'bob', 'carol'], listening: true });
const opened = useOpened();

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Stores a post of another server that names alice, and a boost of a post of hers, both of that age. */
async function arrive(authorId: string, publishedAt: Date, hers: string) {
  const named = { uri: `https://far.test/notes/${publishedAt.getTime()}`, authorId };
  const mentions = [{ accountId: app.world.id('alice'), silent: false }];
  const written = await app
    .get(RemoteStatusesService)
    .create(remoteStatus(named, { publishedAt, mentions, tags: ['tea'] }));
  const remote = { uri: `https://far.test/boosts/${publishedAt.getTime()}`, publishedAt };
  const boost = await app.get(InteractionsService).reblog(hers, authorId, undefined, remote);
  return [written?.statusId, boost];
}

it.each([
  ['news', daysAgo(1), true],
  ['no news', new Date('2019-05-01'), false],
])('what was written elsewhere is %s', async (_what, publishedAt, isNews) => {
  const { id: author } = await app.world.remote('author', 'far.test');
  const follows = app.get(FollowsService);
  for (const name of ['bob', 'carol']) {
    await follows.follow(app.world.id(name), author, { notify: name === 'carol' });
    await follows.accept(author, app.world.id(name));
  }
  const { id: hers } = await post(app, 'alice', 'hers');
  await app.drain();
  const socket = await opened(connectAs(app, 'bob', { stream: 'user' }));
  await socket.subscribe('public:remote');
  await socket.subscribe('hashtag', { tag: 'tea' });
  const [written, boost] = await arrive(author, publishedAt, hers);
  await app.drain();
  await sendMarker(app, ['bob']);
  const shown = (await socket.until(isMarker)).map(
    ({ stream, payload = '' }) => `${stream[0]} ${(JSON.parse(payload) as StatusJson).id}`,
  );
  const streamed = [`user ${written}`, `public:remote ${written}`, `hashtag ${written}`, `user ${boost}`];
  expect(shown).toEqual(isNews ? streamed : []);
  const home = await (await app.world.as('bob')).get('/api/v1/timelines/home').expect(200);
  const listed = (home.body as StatusJson[]).map(({ id }) => id);
  expect(listed.toSorted()).toEqual([written, boost].toSorted());
  expect(await receivedBy(app, 'alice')).toEqual(isNews ? ['reblog author@far.test', 'mention author@far.test'] : []);
  expect(await receivedBy(app, 'carol')).toEqual(isNews ? ['status author@far.test'] : []);
});
