import { FollowsService } from '../../../src/accounts/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { expectCountersToMatchRows } from '../../support/fixtures/statuses.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** Posts that are not known here when somebody boosts them for followers. */
describe('A boost for followers', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let mo: RawActor;
  let eve: RawActor;
  let names = 0;
  const key = newKey();

  beforeEach(async () => {
    names += 1;
    [mo, eve] = [`mo${names}`, `eve${names}`].map((name) => {
      return peer.actor(name, key, { followers: `${peer.url}/users/${name}/followers` });
    }) as [RawActor, RawActor];
    await sendTo(app, mo, { id: `${mo.uri}#0`, type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
    const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
    const follows = app.get(FollowsService);
    await follows.follow(app.world.id('ada'), row!.id);
    await follows.accept(row!.id, app.world.id('ada'));
    await app.drain();
  });

  const followers = ({ uri }: RawActor) => [`${uri}/followers`];
  const note = (by: RawActor, to: readonly string[]): Json => {
    const path = `/users/${new URL(by.uri).pathname.split('/').at(-1)}/notes/${names}`;
    return { id: `${peer.url}${path}`, type: 'Note', attributedTo: by.uri, content: 'tea', to };
  };
  const serve = (post: Json) => peer.answers.set(new URL(post['id'] as string).pathname, post);
  /** The visibilities of mo's boosts and of the boosted posts, and whether ada may read them. */
  const reblogs = async () => {
    const rows = await app.sql<{ id: string; text: string; by: number; of: number }>(
      `select s.id, s.content_text as text, b.visibility as by, s.visibility as of from statuses b
       join statuses s on s.id = b.reblog_of_id join accounts a on a.id = b.author_id where a.ap_id = $1`,
      [mo.uri],
    );
    for (const { id } of rows) await (await app.world.as('ada')).get(`/api/v1/statuses/${id}`).expect(200);
    return rows.map(({ text, by, of }) => [text, by, of]);
  };
  const [OPEN, FOLLOWERS] = [0, 2];

  it.each<[string, () => { object: unknown }, (string | number)[][]]>([
    [
      'of an own post for followers, which it holds',
      () => ({ object: note(mo, followers(mo)) }),
      [['tea', FOLLOWERS, FOLLOWERS]],
    ],
    ['of an own public post, which it holds', () => ({ object: note(mo, [PUBLIC]) }), [['tea', FOLLOWERS, OPEN]]],
    [
      'of a public post of another, by its address',
      () => {
        const post = note(eve, [PUBLIC]);
        serve(post);
        return { object: post['id'] };
      },
      [['tea', FOLLOWERS, OPEN]],
    ],
    ['of a post of another for followers, which it holds', () => ({ object: note(eve, followers(eve)) }), []],
    [
      'of a public post of another, which it holds in other words',
      () => {
        const post = note(eve, [PUBLIC]);
        serve({ ...post, to: [PUBLIC], content: 'coffee' });
        return { object: post };
      },
      [['coffee', FOLLOWERS, OPEN]],
    ],
    ['of an own post for others', () => ({ object: note(mo, ['https://elsewhere.example/users/x']) }), []],
  ])('is shown if the server may show its post: %s', async (_which, announce, expected) => {
    await sendTo(app, mo, { id: `${mo.uri}#${names}`, type: 'Announce', to: followers(mo), ...announce() });
    expect(await reblogs()).toEqual(expected);
  });
});

/** What authors here learn of boosts by accounts of other servers, and what counts. */
describe('A boost of a post of this server', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben'] });
  let names = 0;
  const key = newKey();

  type Following = 'nobody' | 'a follower who waits' | 'a former follower' | 'a follower';

  it.each<[string, Following, boolean]>([
    ['Person', 'nobody', true],
    ['Organization', 'nobody', true],
    ['Group', 'a follower', false],
    ['Service', 'nobody', false],
    ['Application', 'nobody', false],
    ['Service', 'a follower who waits', false],
    ['Service', 'a former follower', false],
    ['Service', 'a follower', true],
    ['Application', 'a follower', true],
  ])('by a %s with %s here counts and notifies its author: %s', async (type, following, isPraise) => {
    const bot = peer.actor(`bot${(names += 1)}`, key, { type, inbox: `${peer.url}/users/bot${names}/inbox` });
    peer.answers.set(`/users/bot${names}/inbox`, { status: 202 });
    const ada = await app.world.as('ada');
    const { id, uri } = (await ada.post('/api/v1/statuses', { status: 'tea' }).expect(200)).body as Record<
      string,
      string
    >;
    await sendTo(app, bot, { id: `${bot.uri}#0`, type: 'Like', object: uri });
    const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [bot.uri]);
    const follows = app.get(FollowsService);
    if (following !== 'nobody') await follows.follow(app.world.id('ben'), row!.id);
    if (following === 'a follower' || following === 'a former follower')
      await follows.accept(row!.id, app.world.id('ben'));
    if (following === 'a former follower') await follows.unfollow(app.world.id('ben'), row!.id);
    await app.drain();
    await sendTo(app, bot, { id: `${bot.uri}#1`, type: 'Announce', to: [PUBLIC], object: uri });
    const shown = async () => (await ada.get(`/api/v1/statuses/${id}`).expect(200)).body as Json;
    const listed = async () => (await ada.get(`/api/v1/statuses/${id}/reblogged_by`).expect(200)).body as unknown[];
    const told = await app.sql<{ type: string }>('select type from notifications where status_id = $1 order by type', [
      id,
    ]);
    expect(told.map((each) => each.type)).toEqual(isPraise ? ['favourite', 'reblog'] : ['favourite']);
    expect(await shown()).toMatchObject({ reblogs_count: isPraise ? 1 : 0, favourites_count: 1 });
    expect(await listed()).toHaveLength(isPraise ? 1 : 0);
    await expectCountersToMatchRows(app);
    await sendTo(app, bot, {
      id: `${bot.uri}#2`,
      type: 'Undo',
      object: { id: `${bot.uri}#1`, type: 'Announce', object: uri },
    });
    expect(await shown()).toMatchObject({ reblogs_count: 0 });
  });
});
