import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;

/** Ids of activities as other servers give them: some repeat, and a stranger may know those to come (threats F24, F25, F30). */
describe('The id of an activity', () => {
  const good = usePeer('garden.example');
  const bad = usePeer('storm.example');
  const app = useBeside([good, bad], { once: ['ada'] });
  let client: Client;
  let ada: string;
  let post: string;
  let mo: RawActor;
  let eve: RawActor;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    client = await app.world.as('ada');
    post = ((await client.post('/api/v1/statuses', { status: 'tea' }).expect(200)).body as { uri: string }).uri;
    ada = `${app.env.baseUrl}/users/ada`;
    eve = bad.actor('eve', key);
  });
  beforeEach(() => {
    mo = good.actor(`mo${(names += 1)}`, key);
  });

  const send = (signer: RawActor, activity: Json) => sendTo(app, signer, activity);
  const made = (type: string, changes: Json = {}): Json => ({
    id: `${mo.uri}#${type}`,
    type,
    actor: mo.uri,
    ...changes,
  });
  const undo = (activity: Json, id = 'undo') => made('Undo', { id: `${mo.uri}#${id}`, object: activity });
  const note = (content = 'tea') => {
    const published = '2026-01-01T00:00:00Z';
    return { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, to: [ada], content, published };
  };
  /** The rows of a table that are mo's. */
  const rows = async (table: string, column: string) =>
    (await app.sql(`select from ${table} t join accounts a on a.id = t.${column} where a.ap_id = $1`, [mo.uri])).length;

  const KINDS: Readonly<Record<string, { activity: () => Json; count: () => Promise<number> }>> = {
    Follow: { activity: () => made('Follow', { object: ada }), count: () => rows('follows', 'follower_id') },
    Block: { activity: () => made('Block', { object: ada }), count: () => rows('blocks', 'account_id') },
    Like: { activity: () => made('Like', { object: post }), count: () => rows('favourites', 'account_id') },
    EmojiReact: {
      activity: () => made('EmojiReact', { object: post, content: '🎉' }),
      count: () => rows('reactions', 'account_id'),
    },
    Announce: { activity: () => made('Announce', { object: post }), count: () => rows('statuses', 'author_id') },
  };
  const kinds = Object.entries(KINDS).map(([name, kind]) => ({ name, ...kind }));

  it.each(kinds)('F24 of a $name may be that of an earlier activity', async ({ activity, count }) => {
    const counts: number[] = [];
    const steps = [activity(), undo(activity()), undo(activity(), 'copy'), activity(), activity(), undo(activity())];
    for (const step of steps) {
      await send(mo, step);
      counts.push(await count());
    }
    expect(counts).toEqual([1, 0, 0, 1, 1, 0]);
  });

  it.each<[string, boolean, readonly ((id: string) => string)[]]>([
    ['removed here', false, [(id) => `accounts/${id}/remove_from_followers`]],
    ['ended by a block', false, [(id) => `accounts/${id}/block`, (id) => `accounts/${id}/unblock`]],
    ['rejected here', true, [(id) => `follow_requests/${id}/reject`]],
  ])('F24 of a Follow may be that of one that was %s days ago, and is undone late', async (_how, locked, ways) => {
    const { activity, count } = KINDS['Follow']!;
    await client.patch('/api/v1/accounts/update_credentials', { locked }).expect(200);
    await send(mo, activity());
    expect(await count()).toBe(1);
    const id = (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!.id;
    for (const way of ways) await client.post(`/api/v1/${way(id)}`).expect(200);
    await app.drain();
    expect(await count()).toBe(0);
    await client.patch('/api/v1/accounts/update_credentials', { locked: false }).expect(200);
    await app.sql(`update seen_activities set received_at = received_at - interval '3 days'`);
    good.received.length = 0;
    for (const step of [undo(activity()), activity()]) await send(mo, step);
    const answers = good.received.flatMap(({ type }) => (type === 'Update' ? [] : [type]));
    expect([await count(), answers]).toEqual([1, ['Accept']]);
  });

  it('F24 of a Follow may be that of one that was refused, or ended by a Block of its actor', async () => {
    const { activity, count } = KINDS['Follow']!;
    await send(mo, activity());
    const block = made('Block', { object: ada });
    for (const step of [block, undo(activity()), undo(block), activity()]) await send(mo, step);
    expect(await count()).toBe(1);
    const id = (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]))[0]!.id;
    await client.post(`/api/v1/accounts/${id}/block`).expect(200);
    await send(mo, activity());
    await client.post(`/api/v1/accounts/${id}/unblock`).expect(200);
    for (const step of [undo(activity()), activity()]) await send(mo, step);
    expect(await count()).toBe(1);
  });

  it.each(kinds)('F30 of a $name that was undone before it came prevents it', async ({ activity, count }) => {
    await send(mo, undo(activity()));
    await send(mo, activity());
    expect(await count()).toBe(0);
    await app.sql(`update seen_activities set received_at = received_at - interval '6 hours'`);
    await send(mo, activity());
    expect(await count()).toBe(1);
  });

  it.each<[string, readonly string[], number[]]>([
    ['F30 of an Announce that was deleted before it came prevents it', ['Delete', 'Announce'], [0, 0]],
    [
      'F24 of an Announce may be that of an earlier one, deleted twice',
      ['Announce', 'Delete', 'Delete', 'Announce'],
      [1, 0, 0, 1],
    ],
  ])('%s', async (_what, steps, expected) => {
    const { activity, count } = KINDS['Announce']!;
    await send(mo, made('Follow', { object: ada }));
    const counts: number[] = [];
    for (const [at, step] of steps.entries()) {
      const deletion = made('Delete', { id: `${mo.uri}#delete${at}`, object: activity()['id'] });
      await send(mo, step === 'Delete' ? deletion : activity());
      counts.push(await count());
    }
    expect(counts).toEqual(expected);
  });

  it.each(kinds)('F25 of a $name stays valid after a stranger has used it', async ({ activity, count }) => {
    const forged = { ...activity(), type: 'Create', object: note() };
    await send(eve, forged);
    await send(eve, { ...forged, object: undo(activity())['id'] });
    await send(mo, activity());
    expect(await count()).toBe(1);
    await send(eve, { ...forged, id: undo(activity())['id'] });
    await send(mo, undo(activity()));
    expect(await count()).toBe(0);
  });

  it('F25 of a Create, Update or Delete stays valid after a stranger has used it', async () => {
    const content = async () =>
      (await app.sql<{ text: string }>('select content_text as text from statuses where uri = $1', [note().id]))[0]
        ?.text;
    const burn = (id: unknown) => send(eve, { ...made('Create', { object: note() }), id });
    const steps = [
      [made('Create', { object: note() }), 'tea'],
      [made('Update', { object: { ...note('coffee'), updated: new Date().toISOString() } }), 'coffee'],
      [made('Delete', { object: note().id }), undefined],
    ] as const;
    for (const [activity, after] of steps) {
      await burn(activity['id']);
      await send(mo, activity);
      expect(await content()).toBe(after);
    }
  });

  it('F25 of a report stays valid after a stranger has used it to forward a post', async () => {
    const flag = made('Flag', { object: [ada, post], content: 'rude' });
    good.answers.set(new URL(note().id).pathname, note());
    await send(eve, { ...flag, type: 'Create', object: note() });
    expect(await rows('statuses', 'author_id')).toBe(1);
    await send(mo, flag);
    expect(await app.sql('select from reports where comment = $1', ['rude'])).toHaveLength(1);
  });

  it('F25 of a post stays valid after a Delete by another actor of its server', async () => {
    const other = good.actor('other', key);
    const deletion = { id: `${other.uri}#delete`, type: 'Delete', actor: other.uri, object: note().id };
    await send(other, { ...made('Follow', { object: ada }), id: `${other.uri}#follow`, actor: other.uri });
    await send(other, deletion);
    await send(mo, made('Create', { object: note() }));
    expect(await rows('statuses', 'author_id')).toBe(1);
  });

  it('F9 of a Create counts once, also when it is the same as that of its Update', async () => {
    const create = made('Create', { object: note() });
    await send(mo, create);
    await send(mo, { ...create, type: 'Update', object: { ...note('coffee'), updated: new Date().toISOString() } });
    await send(mo, made('Delete', { object: note().id }));
    await send(mo, create);
    expect(await rows('statuses', 'author_id')).toBe(0);
  });

  it('F27 of a post that concerns no local account causes no request, whoever forwards it', async () => {
    const path = new URL(note().id).pathname;
    const stranger = { ...note(), to: ['https://www.w3.org/ns/activitystreams#Public'] };
    good.answers.set(path, stranger);
    await send(eve, made('Create', { object: stranger }));
    expect(good.asked(path)).toBe(0);
    await send(eve, made('Create', { id: `${mo.uri}#2`, object: { ...stranger, cc: [ada] } })); // it does not say so itself
    await send(eve, made('Create', { id: `${mo.uri}#3`, object: note().id }));
    expect(await rows('statuses', 'author_id')).toBe(0);
    good.answers.set(path, { ...stranger, inReplyTo: post });
    await send(eve, made('Create', { id: `${mo.uri}#4`, object: { ...stranger, inReplyTo: post } }));
    expect(await rows('statuses', 'author_id')).toBe(1);
  });
});
