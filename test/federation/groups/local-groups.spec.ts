import { SettingsService } from '../../../src/config/index.js';
import { MAX_BOOSTS_PER_HOUR } from '../../../src/statuses/interactions/group-reblogs.service.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { makeStatuses } from '../../support/fixtures/factories.js';
import { expectCountersToMatchRows } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
type Post = { readonly id: string; readonly uri: string };
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

describe('A group of this server', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada', 'ben'] });
  let ada: Client;
  let tea: Client;
  let name: string;
  let mo: RawActor;
  let names = 0;
  const key = newKey();
  const uriOf = (nickname: string) => `${app.env.baseUrl}/users/${nickname}`;

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(async () => {
    name = `tea${(names += 1)}`;
    mo = peer.actor(`mo${names}`, key);
    await app.world.person(name);
    tea = await app.world.as(name);
    await tea.patch('/api/v1/accounts/update_credentials', { actor_type: 'Group' }).expect(200);
  });

  const id = () => app.world.id(name);
  async function posted(values: Json = {}, author = ada): Promise<Post> {
    const body = { status: `tea for @${name}`, ...values };
    const answer = (await author.post('/api/v1/statuses', body).expect(200)).body as Post;
    await app.drain();
    return answer;
  }
  /** A post of mo that names the group. */
  const note = (uri: string): Json => ({
    id: uri,
    type: 'Note',
    attributedTo: mo.uri,
    content: 'tea',
    to: [PUBLIC],
    cc: [uriOf(name)],
    tag: [{ type: 'Mention', href: uriOf(name), name: `@${name}` }],
  });
  async function arrived(changes: Json = {}): Promise<Post> {
    const uri = `${mo.uri}/notes/${(names += 1)}`;
    await sendTo(app, mo, { id: `${uri}#create`, type: 'Create', object: { ...note(uri), ...changes } });
    return (await app.sql<Post>('select id, uri from statuses where uri = $1', [uri]))[0]!;
  }
  /** The ids of the posts that the group boosted. */
  const reblogged = async () =>
    (
      await app.sql<{ id: string }>(
        'select reblog_of_id as id from statuses where author_id = $1 and reblog_of_id is not null order by id',
        [id()],
      )
    ).map((row) => row.id);

  it('boosts a public post that names it, for its local and remote followers', async () => {
    const ben = await app.world.as('ben');
    await ben.post(`/api/v1/accounts/${id()}/follow`).expect(200);
    await sendTo(app, mo, { id: `${mo.uri}#follow`, type: 'Follow', object: uriOf(name) });
    const post = await posted();
    const { body } = await ben.get('/api/v1/timelines/home', { limit: 1 }).expect(200);
    expect(body).toMatchObject([{ account: { id: id() }, visibility: 'public', reblog: { id: post.id } }]);
    expect(peer.received.filter(({ type }) => type === 'Announce')).toContainEqual(
      expect.objectContaining({
        actor: uriOf(name),
        object: post.uri,
        to: expect.arrayContaining([PUBLIC]) as unknown,
      }),
    );
    await expectCountersToMatchRows(app);
  });

  it.each<[string, boolean, () => Promise<Post>]>([
    ['a post of this server', true, () => posted()],
    ['a post of another server', true, () => arrived()],
    ['a post of another server without a mention in its text', true, () => arrived({ tag: [] })],
    ['an unlisted post', false, () => posted({ visibility: 'unlisted' })],
    ['a post for followers', false, () => posted({ visibility: 'private' })],
    ['a direct post', false, () => posted({ visibility: 'direct' })],
    ['a post for this server', false, () => posted({ visibility: 'local' })],
    ['an unlisted post of another server', false, () => arrived({ to: [uriOf(name)], cc: [PUBLIC] })],
    ['a direct post of another server', false, () => arrived({ to: [uriOf(name)], cc: [] })],
    ['a post that does not name it', false, () => posted({ status: 'tea' })],
    ['a post of its own', false, () => posted({}, tea)],
    ['an old post', false, () => arrived({ published: '2024-05-01T10:00:00Z' })],
  ])('boosts only public and new posts that name it: %s', async (_what, isReblogged, write) => {
    const post = await write();
    expect(await reblogged()).toEqual(isReblogged ? [post.id] : []);
  });

  it.each<[string, (authorId: string) => Promise<unknown>]>([
    ['it blocks the author', (authorId) => tea.post(`/api/v1/accounts/${authorId}/block`).expect(200)],
    ['it mutes the author', (authorId) => tea.post(`/api/v1/accounts/${authorId}/mute`).expect(200)],
    ['it blocks the server of the author', () => tea.post('/api/v1/domain_blocks', { domain: peer.host }).expect(200)],
    ['the author blocks it', () => sendTo(app, mo, { id: `${mo.uri}#block`, type: 'Block', object: uriOf(name) })],
  ])('boosts no post when %s', async (_how, hide) => {
    await arrived();
    const [author] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
    await hide(author!.id);
    expect(await reblogged()).toHaveLength(1);
    await arrived();
    expect(await reblogged()).toHaveLength(1);
  });

  it('boosts no post of a server that the operator refuses', async () => {
    const refuse = (hosts: readonly string[]) =>
      app.get(SettingsService).update([{ path: 'mrf_simple.reject', value: hosts }]);
    await refuse([peer.host]);
    await arrived();
    await refuse([]);
    expect(await reblogged()).toEqual([]);
    const taken = await arrived();
    expect(await reblogged()).toEqual([taken.id]);
  });

  it.each<[string, () => Promise<Post>]>([
    ['a post that it boosted', () => posted()],
    ['its own post', () => posted({ status: 'tea' }, tea)],
    ['an answer to a post that it boosted', async () => posted({ in_reply_to_id: (await posted()).id })],
  ])('boosts no answer to %s', async (_what, write) => {
    const root = await write();
    const before = await reblogged();
    await posted({ in_reply_to_id: root.id });
    await arrived({ inReplyTo: root.uri });
    expect(await reblogged()).toEqual(before);
  });

  it('boosts an answer in a thread that its followers do not have', async () => {
    const root = await posted({ status: 'tea' });
    const answer = await posted({ in_reply_to_id: root.id });
    expect(await reblogged()).toEqual([answer.id]);
  });

  const edit = async (id: string, status: string) => {
    await ada.put(`/api/v1/statuses/${id}`, { status }).expect(200);
    await app.drain();
  };

  it('boosts a post of this server once when an edit adds its name', async () => {
    const post = await posted({ status: 'tea' });
    expect(await reblogged()).toEqual([]);
    for (const status of [`tea for @${name}`, `more tea for @${name}`, 'tea', `tea for @${name}`])
      await edit(post.id, status);
    expect(await reblogged()).toEqual([post.id]);
  });

  it('boosts a post of another server when an edit adds its name', async () => {
    const post = await arrived({ tag: [], cc: [uriOf('ada')] });
    expect(await reblogged()).toEqual([]);
    const edited = { ...note(post.uri), content: 'green tea', updated: new Date().toISOString() };
    await sendTo(app, mo, { id: `${post.uri}#update`, type: 'Update', object: edited });
    expect(await reblogged()).toEqual([post.id]);
  });

  it('boosts no unlisted post when an edit adds its name', async () => {
    const post = await posted({ status: 'tea', visibility: 'unlisted' });
    await edit(post.id, `tea for @${name}`);
    expect(await reblogged()).toEqual([]);
  });

  it('does not repeat a withdrawn boost when an edit adds the name of another group', async () => {
    const other = `cup${names}`;
    await app.world.person(other);
    const cup = await app.world.as(other);
    await cup.patch('/api/v1/accounts/update_credentials', { actor_type: 'Group' }).expect(200);
    const post = await posted();
    await tea.post(`/api/v1/statuses/${post.id}/unreblog`).expect(200);
    await edit(post.id, `tea for @${name} in a @${other}`);
    expect(await reblogged()).toEqual([]);
    const reblogs = await app.sql('select from statuses where author_id = $1 and reblog_of_id is not null', [
      app.world.id(other),
    ]);
    expect(reblogs).toHaveLength(1);
  });

  it('boosts nothing after it has become a person', async () => {
    const post = await posted();
    await tea.patch('/api/v1/accounts/update_credentials', { actor_type: 'Person' }).expect(200);
    await posted();
    expect(await reblogged()).toEqual([post.id]);
  });

  it('F32 boosts no more than sixty posts in an hour', async () => {
    const posts = await makeStatuses(app, 'ben', MAX_BOOSTS_PER_HOUR - 1);
    for (const each of posts) await tea.post(`/api/v1/statuses/${each}/reblog`).expect(200);
    const last = await posted();
    const before = await reblogged();
    expect([before.length, before.at(-1)]).toEqual([MAX_BOOSTS_PER_HOUR, last.id]);
    const { id: later } = await posted({ status: 'tea' });
    await edit(later, `tea for @${name}`);
    await posted();
    expect(await reblogged()).toEqual(before);
  });
});
