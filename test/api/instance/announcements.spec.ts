import { AnnouncementsService, AnnouncementsShape } from '../../../src/instance/index.js';
import { useApp } from '../../support/servers/app.js';
import { holding, waitersOf } from '../../support/locks.js';
import { countQueries } from '../../support/queries.js';
import { checkShape } from '../../support/shape.js';
import { openUnitsAtTexts } from '../../support/texts.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/announcements';
const HOUR = 3_600_000;

interface Shown {
  readonly id: string;
  readonly content: string;
  readonly read: boolean;
  readonly reactions: { readonly name: string; readonly count: number; readonly me: boolean }[];
}

const app = useApp({ people: ['alice', 'bob'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
});

const service = () => app.get(AnnouncementsService);
const announce = async (content: string, times: { startsAt?: Date; endsAt?: Date } = {}) =>
  (await service().create({ content, ...times })).id;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);

/** The announcements that an account sees. */
async function shownTo(client: Client, query = {}): Promise<Shown[]> {
  const answer = await client.get(PATH, query).expect(200);
  expect(checkShape(AnnouncementsShape, answer.body)).toEqual([]);
  return answer.body as Shown[];
}
const contents = async (client: Client, query = {}) =>
  (await shownTo(client, query)).map(({ content }) => content.replace(/<[^>]+>/g, ''));

describe('announcements', () => {
  it('show their mentions, tags, emoji and reactions', async () => {
    const source = 'Hello @bob,\nread <b> #News at https://news.example/1';
    const { id } = await service().create({ content: source, startsAt: new Date(0), endsAt: inHours(1), allDay: true });
    const [shown] = await shownTo(alice);
    expect(shown).toEqual({
      id,
      content: expect.stringContaining(`data-user="${app.world.id('bob')}"`),
      starts_at: '1970-01-01T00:00:00.000Z',
      ends_at: expect.any(String),
      all_day: true,
      published_at: expect.stringMatching(/^20/),
      updated_at: expect.any(String),
      published: true,
      read: false,
      mentions: [{ id: app.world.id('bob'), username: 'bob', url: 'https://svc.test/users/bob', acct: 'bob' }],
      statuses: [],
      tags: [{ name: 'news', url: 'https://svc.test/tag/news' }],
      emojis: [],
      reactions: [],
      svc: { raw_content: source },
    });
    expect(shown!.content).toContain('<br');
    expect(shown!.content).toContain('&lt;b&gt;');
  });

  it('are listed between their begin and end', async () => {
    await announce('now');
    await announce('later', { startsAt: inHours(1) });
    await announce('over', { startsAt: inHours(-2), endsAt: inHours(-1) });
    await announce('between', { startsAt: inHours(-1), endsAt: inHours(1) });
    expect((await contents(alice)).sort()).toEqual(['between', 'now']);
    expect((await service().page(10, 0)).map(({ source }) => source)).toEqual(['between', 'over', 'later', 'now']);
    expect((await service().page(2, 1)).map(({ source }) => source)).toEqual(['over', 'later']);
  });

  it('list those already read last, or omit them without `with_dismissed`', async () => {
    await announce('old');
    const middle = await announce('middle');
    await announce('new');
    await alice.post(`${PATH}/${middle}/dismiss`).expect(200, {});
    await alice.post(`${PATH}/${middle}/dismiss`).expect(200, {});
    expect(await contents(alice, { with_dismissed: false })).toEqual(['new', 'old']);
    expect(await contents(alice)).toEqual(['new', 'old', 'middle']);
    expect((await shownTo(alice)).map(({ read }) => read)).toEqual([false, false, true]);
    expect(await contents(bob)).toEqual(['new', 'middle', 'old']);
  });

  it('can be changed and deleted', async () => {
    const id = await announce('before', { endsAt: inHours(1) });
    const row = await service().update(id, { content: 'after #tag', endsAt: null });
    expect(row).toMatchObject({ source: 'after #tag', tags: ['tag'], endsAt: null });
    await service().update(id, { startsAt: inHours(1) });
    expect(await contents(alice)).toEqual([]);
    await service().delete(id);
    const gone = { status: 404 };
    await expect(service().delete(id)).rejects.toMatchObject(gone);
    await expect(service().update(id, { content: 'x' })).rejects.toMatchObject(gone);
    await expect(service().byId(id)).rejects.toMatchObject(gone);
  });

  it('F22 are formatted before they are locked, and only when their text is given', async () => {
    const id = await announce('before @bob');
    const text = await openUnitsAtTexts(app, () => service().update(id, { content: 'after @bob' }));
    expect(text).toEqual([false, false]);
    expect(await openUnitsAtTexts(app, () => service().update(id, { allDay: true }))).toEqual([]);
    expect(await service().byId(id)).toMatchObject({ source: 'after @bob', mentionIds: [app.world.id('bob')] });
  });

  it('keep both of two concurrent changes', async () => {
    const id = await announce('before');
    await holding(app, async (holder) => {
      await holder.query('select from announcements for update');
      const changes = [{ content: 'after' }, { allDay: true }].map((change) => service().update(id, change));
      await waitersOf(holder, 2);
      await holder.query('commit');
      await Promise.all(changes);
    });
    expect(await service().byId(id)).toMatchObject({ source: 'after', allDay: true });
  });

  it('must not be empty, too long, or over before their begin', async () => {
    const refused = { status: 422 };
    for (const content of ['', ' \u200b', 'x'.repeat(20_001)]) {
      await expect(service().create({ content })).rejects.toMatchObject(refused);
    }
    const times = { startsAt: inHours(2), endsAt: inHours(1) };
    await expect(service().create({ content: 'x', ...times })).rejects.toMatchObject(refused);
    const id = await announce('x', { endsAt: inHours(1) });
    await expect(service().update(id, { startsAt: inHours(2) })).rejects.toMatchObject(refused);
  });

  it('require a signed-in account and the right scope', async () => {
    const id = await announce('hello');
    const { anonymous } = app.world;
    const requests = (client: Client) => [
      client.get(PATH),
      client.post(`${PATH}/${id}/dismiss`),
      client.put(`${PATH}/${id}/reactions/🎉`),
      client.delete(`${PATH}/${id}/reactions/🎉`),
    ];
    for (const request of requests(anonymous)) await request.expect(401);
    for (const request of requests(await app.world.as('alice', 'read:statuses'))) await request.expect(403);
    expect(await shownTo(alice)).toMatchObject([{ read: false, reactions: [] }]);
  });

  it.each([1, 40])('cost three statements for %d announcements', async (count) => {
    for (let at = 0; at < count; at += 1) await announce(`hello @bob ${at}`);
    await alice.put(`${PATH}/${(await shownTo(alice))[0]!.id}/reactions/🎉`).expect(200);
    app.invalidateReads();
    const { result, statements } = await countQueries(() => shownTo(alice));
    expect(result).toHaveLength(count);
    expect(statements.filter((name) => name !== 'oauth.resolve')).toHaveLength(3); // mentions are accounts
  });
});

describe('inactive announcements', () => {
  it('cannot be dismissed or reacted to', async () => {
    const later = await announce('later', { startsAt: inHours(1) });
    const over = await announce('over', { startsAt: inHours(-2), endsAt: inHours(-1) });
    for (const id of [later, over, 'nothing', 'A'.repeat(18)]) {
      await alice.post(`${PATH}/${id}/dismiss`).expect(404);
      await alice.put(`${PATH}/${id}/reactions/🎉`).expect(404);
      await alice.delete(`${PATH}/${id}/reactions/🎉`).expect(404);
    }
    expect(await app.sql('select from announcement_reads')).toEqual([]);
    expect(await app.sql('select from announcement_reactions')).toEqual([]);
  });

  it('keep their reactions', async () => {
    const id = await announce('soon over');
    await alice.put(`${PATH}/${id}/reactions/🎉`).expect(200);
    await service().update(id, { startsAt: inHours(-2), endsAt: inHours(-1) });
    await alice.delete(`${PATH}/${id}/reactions/🎉`).expect(404);
    expect(await app.sql('select name from announcement_reactions')).toEqual([{ name: '🎉' }]);
  });
});

describe('reactions to an announcement', () => {
  const react = (client: Client, id: string, name: string) =>
    client.put(`${PATH}/${id}/reactions/${encodeURIComponent(name)}`);
  const reactionsFor = async (client: Client) => (await shownTo(client))[0]!.reactions;

  it('are counted, and marked for the account that reacted', async () => {
    const id = await announce('party');
    await react(bob, id, '🎉').expect(200, {});
    await react(alice, id, '❤').expect(200, {}); // as text
    await react(alice, id, '❤\uFE0F').expect(200, {}); // as emoji: the same
    await react(alice, id, '🎉').expect(200, {});
    expect(await reactionsFor(alice)).toEqual([
      { name: '🎉', count: 2, me: true },
      { name: '❤\uFE0F', count: 1, me: true },
    ]);
    expect((await reactionsFor(bob)).map(({ me }) => me)).toEqual([true, false]);

    await alice.delete(`${PATH}/${id}/reactions/${encodeURIComponent('❤')}`).expect(200, {});
    await alice.delete(`${PATH}/${id}/reactions/${encodeURIComponent('❤')}`).expect(404);
    await alice.delete(`${PATH}/${id}/reactions/nothing`).expect(404);
    expect(await reactionsFor(alice)).toEqual([{ name: '🎉', count: 2, me: true }]);
  });

  it('must be emoji', async () => {
    const id = await announce('party');
    for (const name of ['x', 'blobcat', ':blobcat:', '🎉🎉', '1', ' ']) await react(alice, id, name).expect(422);
    expect(await reactionsFor(alice)).toEqual([]);
  });

  it('are limited to eight kinds, also under concurrency', async () => {
    const id = await announce('party');
    const kinds = ['🍎', '🍐', '🍊', '🍋', '🍌', '🍉', '🍇', '🍓', '🫐', '🍈', '🍒', '🍑'];
    const answers = await Promise.all(kinds.map((name, at) => react(at % 2 ? alice : bob, id, name)));
    expect(answers.map(({ status }) => status).sort()).toEqual(kinds.map((_, at) => (at < 8 ? 200 : 422)));
    const [first] = await reactionsFor(alice);
    await react(first!.me ? bob : alice, id, first!.name).expect(200);
    expect((await reactionsFor(alice)).map(({ count }) => count).sort()).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
  });
});
