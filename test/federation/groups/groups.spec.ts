import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;

/** What the servers of groups send about people: Lemmy, Mbin, NodeBB. */
describe('A moderator of a group', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: string;
  let mo: RawActor;
  let tea: RawActor;
  let names = 0;
  const key = newKey();

  beforeAll(() => {
    ada = `${app.env.baseUrl}/users/ada`;
    tea = peer.actor('tea', key, { type: 'Group' });
  });
  beforeEach(async () => {
    names += 1;
    mo = peer.actor(`mo${names}`, key);
    await send({ type: 'Follow', object: ada });
  });

  const send = (activity: Json) => sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, ...activity });
  const count = async (table: string, column: string) =>
    (await app.sql(`select from ${table} t join accounts a on a.id = t.${column} where a.ap_id = $1`, [mo.uri])).length;

  const targets: [string, () => unknown][] = [
    ['a group', () => tea.uri],
    ['an embedded group', () => ({ id: tea.uri, type: 'Group' })],
    ['a group that is unknown here', () => `${peer.url}/users/coffee`],
    ['a group without an id', () => ({ type: 'Group', name: 'tea' })],
    ['its server', () => `${peer.url}/`],
  ];
  it.each(targets)('changes no follow and no block with a ban from %s', async (_which, target) => {
    const ban = { id: `${mo.uri}#ban`, type: 'Block', object: ada, target: target() };
    await send({ ...ban, removeData: true });
    expect([await count('follows', 'follower_id'), await count('blocks', 'account_id')]).toEqual([1, 0]);
  });

  it.each([...targets, ['nothing', () => undefined] as const])(
    'ends a block only when the Undo names no target: %s',
    async (_which, target) => {
      await send({ type: 'Block', object: ada });
      await send({
        type: 'Undo',
        object: { id: `${mo.uri}#ban`, type: 'Block', actor: mo.uri, object: ada, target: target() },
      });
      expect(await count('blocks', 'account_id')).toBe(target() === undefined ? 0 : 1);
    },
  );

  it.each([
    ['content', { content: 'spam' }, 'spam'],
    ['summary', { summary: 'spam' }, 'spam'],
    ['content before its summary', { content: 'spam', summary: 'Report' }, 'spam'],
    ['neither', {}, ''],
  ])('reports with the reason in its %s', async (_where, reason, shown) => {
    await send({ type: 'Flag', object: ada, to: [tea.uri], ...reason });
    const filed = await app.sql<{ comment: string }>(
      'select r.comment from reports r join accounts a on a.id = r.actor_id where a.ap_id = $1',
      [mo.uri],
    );
    expect(filed).toEqual([{ comment: shown }]);
  });
});
