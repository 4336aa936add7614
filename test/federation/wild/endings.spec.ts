import { FollowsService, UsersService } from '../../../src/accounts/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;

/** What ends relations with accounts of this server, and what reports them. */
describe('Another server', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben', 'eve'] });
  let mo: RawActor;
  let names = 0;
  const key = newKey();

  beforeEach(() => {
    mo = peer.actor(`mo${(names += 1)}`, key);
  });

  const local = (name: string) => `${app.env.baseUrl}/users/${name}`;
  const send = (activity: Json) => sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, ...activity });
  const idOfMo = async () =>
    (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!.id;
  const count = async (table: string, columns: [string, string]) =>
    (
      await app.sql(`select from ${table} where ${columns[0]} = $1 and ${columns[1]} = $2`, [
        app.world.id('ada'),
        await idOfMo(),
      ])
    ).length;

  const follows = () => count('follows', ['followee_id', 'follower_id']);
  const boosts = async () =>
    (await app.sql('select from statuses where reblog_of_id is not null and author_id = $1', [await idOfMo()])).length;
  const stored = async (uri: string) => (await app.sql('select from statuses where uri = $1', [uri])).length;
  const written = async (name: string) => {
    const client = await app.world.as(name);
    return (await client.post('/api/v1/statuses', { status: 'tea' }).expect(200)).body as { uri: string };
  };

  it.each<[string, (follow: Json) => Json]>([
    ['names the Follow', ({ id }) => ({ object: id })],
    ['holds the Follow', (follow) => ({ object: follow })],
    ['holds the Follow under another id', (follow) => ({ object: { ...follow, id: `${mo.uri}#copy` } })],
  ])('withdraws an Accept that %s', async (_what, form) => {
    await send({ type: 'Block', object: local('ben') }); // so that mo is known
    const follows = app.get(FollowsService);
    await follows.follow(app.world.id('ada'), await idOfMo());
    await app.drain();
    const [{ uri } = { uri: '' }] = await app.sql<{ uri: string }>('select uri from follows where followee_id = $1', [
      await idOfMo(),
    ]);
    const accept = {
      id: `${mo.uri}#accept`,
      type: 'Accept',
      actor: mo.uri,
      ...form({ id: uri, type: 'Follow', actor: local('ada'), object: mo.uri }),
    };
    await send(accept);
    expect(await count('follows', ['follower_id', 'followee_id'])).toBe(1);
    await send({ type: 'Undo', object: { ...accept, actor: `${peer.url}/users/other` } });
    expect(await count('follows', ['follower_id', 'followee_id'])).toBe(1);
    await send({ type: 'Undo', object: accept });
    expect(await count('follows', ['follower_id', 'followee_id'])).toBe(0);
  });

  it.each<[string, (block: Json) => unknown]>([
    ['by its id', ({ id }) => id],
    ['as a whole', (block) => block],
    ['without its id', (block) => ({ type: 'Block', actor: mo.uri, object: block['object'] })],
  ])('withdraws a Block %s', async (_how, form) => {
    const block = { id: `${mo.uri}#block`, type: 'Block', actor: mo.uri, object: local('ada') };
    await send(block);
    expect(await count('blocks', ['target_id', 'account_id'])).toBe(1);
    await send({ type: 'Undo', object: form(block) });
    expect(await count('blocks', ['target_id', 'account_id'])).toBe(0);
  });

  it.each(['mo', 'ada'])('ends what it ends while the account of %s is deactivated', async (name) => {
    await send({ type: 'Follow', object: local('ada') });
    const uri = `${mo.uri}/notes/1`;
    const note = { id: uri, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [local('ada')] };
    await send({ type: 'Create', object: note });
    await send({
      type: 'Announce',
      id: `${mo.uri}#boost`,
      to: ['https://www.w3.org/ns/activitystreams#Public'],
      object: (await written('ada')).uri,
    });
    expect([await follows(), await stored(uri), await boosts()]).toEqual([1, 1, 1]);

    const id = name === 'ada' ? app.world.id('ada') : await idOfMo();
    const toAda = (activity: Json) =>
      sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, ...activity }, '/users/ada/inbox');
    await app.get(UsersService).setActive(id, false);
    await toAda({ type: 'Undo', object: { type: 'Follow', actor: mo.uri, object: local('ada') } });
    await toAda({ type: 'Delete', object: uri });
    await toAda({ type: 'Undo', object: `${mo.uri}#boost` });
    await app.get(UsersService).setActive(id, true);
    expect([await follows(), await stored(uri), await boosts()]).toEqual([0, 0, 0]);
  });

  it.each<[string, string[], [string, number][]]>([
    ['one account', ['ada'], [['ada', 0]]],
    ['one account and posts', ['ada', 'post of ada', 'post of ben'], [['ada', 1]]],
    [
      'two accounts and posts',
      ['ada', 'ben', 'post of ada', 'post of ben'],
      [
        ['ada', 1],
        ['ben', 1],
      ],
    ],
    [
      'posts of two accounts',
      ['post of ada', 'post of ben', 'post of ben'],
      [
        ['ada', 1],
        ['ben', 2],
      ],
    ],
  ])('reports %s', async (_whom, objects, expected) => {
    const uris: string[] = [];
    for (const object of objects) {
      const name = object.slice(-3);
      if (!object.startsWith('post')) uris.push(local(name));
      else uris.push((await written(name)).uri);
    }
    await send({ type: 'Flag', object: uris, content: `rude ${names}` });
    const rows = await app.sql<{ nickname: string; posts: number }>(
      `select a.nickname, (select count(*)::int from report_statuses s where s.report_id = r.id) as posts
       from reports r join accounts a on a.id = r.account_id join accounts by on by.id = r.actor_id
       where by.ap_id = $1 order by a.nickname`,
      [mo.uri],
    );
    expect(rows.map(({ nickname, posts }) => [nickname, posts])).toEqual(expected);
  });
});
