import { BlocksService } from '../../../src/accounts/index.js';
import { type NotificationJson, NotificationShape } from '../../../src/notifications/index.js';
import { Invalid } from '../../../src/common/index.js';
import { PlainStatusShape, ReactionsService } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { addEmoji, disableEmoji, emojiUrl } from '../../support/fixtures/emoji.js';
import { makeFans } from '../../support/fixtures/factories.js';
import { checkShape } from '../../support/shape.js';
import { expectCountersToMatchRows, ok, post, reblog } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const TEA = '🍵';
const FANS = Array.from({ length: 20 }, (_, n) => `fan${n}`);

interface Listed {
  readonly name: string;
  readonly count: number;
  readonly me: boolean;
  readonly accounts: readonly { readonly acct: string }[];
}

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const path = (id: string, emoji?: string, prefix = '/api/v1/svc') =>
  `${prefix}/statuses/${id}/reactions${emoji === undefined ? '' : `/${encodeURIComponent(emoji)}`}`;
const react = (client: Client, id: string, emoji = TEA) => client.put(path(id, emoji));
const unreact = (client: Client, id: string, emoji = TEA) => client.delete(path(id, emoji));
const shown = async (client: Client, id: string) =>
  (await ok(client.get(`/api/v1/statuses/${id}`))).svc.emoji_reactions.map(({ name, count, me }) => [name, count, me]);
const names = (count: number) => Array.from({ length: count }, (_, n) => `emoji${n}`);
/** Inserts reactions, in the order of their names. */
const plant = (id: string, name: string, emoji: readonly string[]) =>
  app.sql(
    `insert into reactions (status_id, account_id, name)
     select $1, $2, name from unnest($3::text[]) with ordinality e(name, n) order by n`,
    [id, app.world.id(name), emoji],
  );
const notifications = async () => {
  await app.drain();
  return ok<NotificationJson[]>(alice.get('/api/v1/notifications'));
};

describe('a reaction', () => {
  it('is shown to everyone in the order of first use, and is marked as own for its owner', async () => {
    const carol = await app.world.as('carol');
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id, '👍'));
    for (let time = 1; time <= 2; time += 1) {
      const body = await ok(react(carol, id));
      expect(checkShape(PlainStatusShape, body)).toEqual([]);
      expect(body.svc.emoji_reactions).toEqual([
        { name: '👍', count: 1, me: false, url: null },
        { name: TEA, count: 1, me: true, url: null },
      ]);
    }
    await ok(react(carol, id, '👍'));
    expect(await shown(app.world.anonymous, id)).toEqual([
      ['👍', 2, false],
      [TEA, 1, false],
    ]);
    for (let time = 1; time <= 2; time += 1) await ok(unreact(bob, id, '👍'));
    expect(await shown(bob, id)).toEqual([
      [TEA, 1, false],
      ['👍', 1, false],
    ]);
    await expectCountersToMatchRows(app);
  });

  it.each([
    ['an emoji without its selector', '❤', '❤️'],
    ['a skin tone', '👍🏽', '👍🏽'],
    ['a family', '👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
    ['a flag', '🇩🇪', '🇩🇪'],
    ['a regional indicator', '🇩', '🇩'],
    ['a keycap', '1⃣', '1️⃣'],
  ])('U4 may be %s', async (_, emoji, name) => {
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id, emoji));
    expect(await shown(bob, id)).toEqual([[name, 1, true]]);
    await ok(unreact(bob, id, emoji));
    expect(await shown(bob, id)).toEqual([]);
  });

  it.each(['a', '1', '🍵🍵', ':tea:', '🍵\u200d🍵', '\u200d', '👍👍🏽', 'x'.repeat(500)])(
    'U4 may not be %j',
    async (emoji) => {
      const { id } = await post(app, 'alice', 'tea?');
      await react(bob, id, emoji).expect(400, { error: 'Could not add reaction emoji' });
      await unreact(bob, id, emoji).expect(400, { error: 'Could not add reaction emoji' });
      await bob.get(path(id, emoji)).expect(200, []);
    },
  );

  it('to a boost applies to the boosted post', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    const boost = await reblog(app, 'carol', id);
    expect(await ok(react(bob, boost.id))).toMatchObject({ id, svc: { emoji_reactions: [{ name: TEA }] } });
  });

  it('requires that the viewer may see the post and is not blocked by its author', async () => {
    const hidden = await post(app, 'alice', 'for followers', { visibility: 'private' });
    for (const request of [react(bob, hidden.id), unreact(bob, hidden.id), bob.get(path(hidden.id))]) {
      await request.expect(404, { error: 'Record not found' });
    }
    const { id } = await post(app, 'alice', 'tea?');
    await react(app.world.anonymous, id).expect(401);
    await react(await app.world.as('bob', 'write:favourites'), id).expect(403);
    await app.get(BlocksService).block(app.world.id('alice'), app.world.id('bob'), {});
    await react(bob, id).expect(403, { error: 'Access denied' });
    expect(await app.sql('select from reactions')).toEqual([]);
  });

  it('is counted exactly under twenty concurrent requests, from one account and from twenty', async () => {
    await app.world.persons(...FANS);
    const fans = await Promise.all(FANS.map((fan) => app.world.as(fan)));
    const { id } = await post(app, 'alice', 'tea?');
    const all = [...FANS.map(() => react(bob, id)), ...fans.map((fan) => react(fan, id))];
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await shown(bob, id)).toEqual([[TEA, 21, true]]);
    const back = fans.flatMap((fan) => [unreact(fan, id), unreact(fan, id)]);
    expect(new Set((await Promise.all(back)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await shown(bob, id)).toEqual([[TEA, 1, true]]);
    await expectCountersToMatchRows(app);
  });

  it('is refused when the account already has twenty different ones on the post', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    await app.sql(
      `insert into reactions (status_id, account_id, name) select $1, $2, n::text from generate_series(1, 20) n`,
      [id, app.world.id('bob')],
    );
    await react(bob, id).expect(400, { error: 'Could not add reaction emoji' });
    await ok(react(await app.world.as('carol'), id));
  });

  it('is refused with a new emoji on a post that has a hundred, also from other servers', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    await plant(id, 'carol', [TEA, ...names(99)]);
    await react(bob, id, '🎉').expect(400, { error: 'Could not add reaction emoji' });
    const { id: dan } = await app.world.remote('dan', 'far.test');
    const custom = { name: 'tea@far.test', url: 'https://far.test/tea.png' };
    const origin = { kind: 'remote', uri: 'https://far.test/1' } as const;
    await expect(app.get(ReactionsService).addRemote(id, dan, custom, origin)).rejects.toThrow(Invalid);
    await ok(react(bob, id));
    expect((await shown(bob, id))[0]).toEqual([TEA, 2, true]);
  });

  it('is shown with the first hundred emoji, which share a thousand names', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id));
    await plant(id, 'carol', [TEA, ...names(120)]);
    const fans = await makeFans(app, 12);
    await app.sql(`insert into reactions (status_id, account_id, name) select $1, unnest($2::text[]), $3`, [
      id,
      fans,
      TEA,
    ]);
    expect(await shown(bob, id)).toHaveLength(100);
    const all = await ok<Listed[]>(bob.get(path(id)));
    expect(all).toHaveLength(100);
    expect(all[0]).toMatchObject({ name: TEA, count: 14 });
    expect(all[0]!.accounts).toHaveLength(10);
    expect((await ok<Listed[]>(bob.get(path(id, TEA))))[0]!.accounts).toHaveLength(14);
  });

  it('is deleted with its post', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id));
    await ok(alice.delete(`/api/v1/statuses/${id}`));
    expect(await app.sql('select from reactions')).toEqual([]);
  });
});

describe('a reaction with a custom emoji', () => {
  const counted = { name: 'tea', count: 1, me: true, url: emojiUrl('tea') };
  const reactionsTo = async (id: string) => (await ok(bob.get(`/api/v1/statuses/${id}`))).svc.emoji_reactions;

  it.each(['tea', ':tea:', 'tea@svc.test', ':tea@svc.test:'])('may be named %j', async (name) => {
    await addEmoji(app, 'tea');
    const { id } = await post(app, 'alice', 'tea?');
    const body = await ok(react(bob, id, name));
    expect(checkShape(PlainStatusShape, body)).toEqual([]);
    expect(body.svc.emoji_reactions).toEqual([counted]);
    const list = await ok<Listed[]>(bob.get(path(id, name)));
    expect(list).toMatchObject([{ ...counted, accounts: [{ acct: 'bob' }] }]);
    expect((await ok(unreact(bob, id, name))).svc.emoji_reactions).toEqual([]);
    await expectCountersToMatchRows(app);
  });

  it('U4 is refused when the emoji is unknown or disabled', async () => {
    await addEmoji(app, 'tea', 'milk');
    await disableEmoji(app, 'milk');
    const { id } = await post(app, 'alice', 'tea?');
    for (const name of ['coffee', ':coffee:', 'milk', ':tea', 'tea@far.example', ':te a:', '../tea']) {
      await react(bob, id, name).expect(400, { error: 'Could not add reaction emoji' });
    }
    expect(await app.sql('select from reactions')).toEqual([]);
  });

  it('loses its picture when the emoji is disabled, and can still be removed', async () => {
    await addEmoji(app, 'tea');
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id, 'tea'));
    await disableEmoji(app, 'tea');
    expect(await reactionsTo(id)).toEqual([{ ...counted, url: null }]);
    await ok(unreact(bob, id, 'tea'));
    await unreact(bob, id, 'tea').expect(400, { error: 'Could not add reaction emoji' });
    expect(await reactionsTo(id)).toEqual([]);
  });

  it('from a remote server can be added only to a post that already has it', async () => {
    const url = 'https://far.example/blob.png';
    await app.world.remote('remy', 'far.example');
    const { id } = await post(app, 'alice', 'tea?');
    await app.sql(`insert into reactions (status_id, account_id, name, url) values ($1, $2, 'blob@far.example', $3)`, [
      id,
      app.world.id('remy@far.example'),
      url,
    ]);
    await app.sql('update status_stats set reactions = 1');
    const body = await ok(react(bob, id, ':blob@far.example:'));
    expect(body.svc.emoji_reactions).toEqual([{ name: 'blob@far.example', count: 2, me: true, url }]);
    expect(await notifications()).toMatchObject([{ emoji: ':blob@far.example:', emoji_url: url }]);
    const elsewhere = await post(app, 'alice', 'more tea?');
    await react(bob, elsewhere.id, 'blob@far.example').expect(400);
  });

  it('from a remote server has the picture of the last reaction: its server may have removed an earlier one', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    const urls = ['https://far.example/blob-1.png', 'https://far.example/blob-2.png', 'https://far.example/blob-0.png'];
    for (const [at, url] of urls.entries()) {
      const remote = await app.world.remote(`remy${at}`, 'far.example');
      const origin = { kind: 'remote', uri: `https://far.example/${at}` } as const;
      await app.get(ReactionsService).addRemote(id, remote.id, { name: 'blob@far.example', url }, origin);
    }
    const expected = { name: 'blob@far.example', url: urls.at(-1) };
    for (const count of [3, 4]) {
      expect(await reactionsTo(id)).toMatchObject([{ ...expected, count }]);
      expect(await ok<Listed[]>(bob.get(path(id)))).toMatchObject([{ ...expected, count }]);
      await ok(react(bob, id, 'blob@far.example'));
    }
    expect(await notifications()).toMatchObject([{ emoji_url: expected.url }, {}, {}, {}]);
  });

  it('notifies the author with the picture of the emoji', async () => {
    await addEmoji(app, 'tea');
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id, ':tea:'));
    const [notification] = await notifications();
    expect(checkShape(NotificationShape, notification)).toEqual([]);
    expect(notification).toMatchObject({ type: 'svc:emoji_reaction', emoji: ':tea:', emoji_url: emojiUrl('tea') });
  });
});

describe('the list of reactions', () => {
  it('shows the accounts under both prefixes, for all emoji or for a given one', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id));
    await ok(react(await app.world.as('carol'), id));
    await ok(react(bob, id, '👍'));
    for (const prefix of ['/api/v1/svc', '/api/svc']) {
      const list = await ok<Listed[]>(bob.get(path(id, undefined, prefix)));
      expect(list).toMatchObject([
        { name: TEA, count: 2, me: true, url: null, accounts: [{ acct: 'bob' }, { acct: 'carol' }] },
        { name: '👍', count: 1, me: true, accounts: [{ acct: 'bob' }] },
      ]);
      expect(await ok(bob.get(path(id, '👍', prefix)))).toEqual([list[1]]);
      expect(await ok(bob.get(path(id, '👎', prefix)))).toEqual([]);
    }
    expect((await ok<Listed[]>(app.world.anonymous.get(path(id)))).map(({ me }) => me)).toEqual([false, false]);
  });

  it('excludes blocked, blocking, muted and deactivated accounts, as do the counts in the post', async () => {
    await app.world.persons('dora', 'emil', 'finn');
    const { id } = await post(app, 'alice', 'tea?');
    for (const name of ['bob', 'carol', 'dora', 'emil', 'finn']) await ok(react(await app.world.as(name), id));
    const blocks = app.get(BlocksService);
    const person = (name: string) => app.world.id(name);
    await blocks.block(person('alice'), person('bob'), {});
    await blocks.block(person('carol'), person('alice'), {});
    await blocks.mute(person('alice'), person('dora'), { notifications: false });
    await app.sql('update accounts set deactivated_at = now(), version = version + 1 where id = $1', [person('emil')]);
    const people = async (query = {}) => {
      const list = await ok<Listed[]>(alice.get(path(id), query));
      return list.flatMap(({ accounts }) => accounts.map(({ acct }) => acct));
    };
    expect(await people()).toEqual(['finn']);
    expect(await people({ with_muted: true })).toEqual(['dora', 'finn']);
    expect(await shown(alice, id)).toEqual([[TEA, 1, false]]);
    const withMuted = await ok(alice.get(`/api/v1/statuses/${id}`, { with_muted: true }));
    expect(withMuted.svc.emoji_reactions).toMatchObject([{ count: 2 }]);
    expect(await shown(app.world.anonymous, id)).toEqual([[TEA, 4, false]]);
  });
});

describe('the notification of a reaction', () => {
  it('is sent to the author once per emoji, and is removed with the reaction', async () => {
    const { id } = await post(app, 'alice', 'tea?');
    await ok(react(bob, id));
    await ok(react(bob, id, '👍'));
    const both = await notifications();
    for (const notification of both) expect(checkShape(NotificationShape, notification)).toEqual([]);
    expect(both).toMatchObject([
      { type: 'svc:emoji_reaction', emoji: '👍', emoji_url: null, account: { acct: 'bob' }, status: { id } },
      { type: 'svc:emoji_reaction', emoji: TEA },
    ]);
    await ok(unreact(bob, id));
    expect(await notifications()).toMatchObject([{ emoji: '👍' }]);
    await ok(react(alice, id));
    expect(await notifications()).toHaveLength(1);
    const none = await ok<NotificationJson[]>(
      alice.get('/api/v1/notifications', { exclude_types: ['svc:emoji_reaction'] }),
    );
    expect(none).toEqual([]);
  });
});
