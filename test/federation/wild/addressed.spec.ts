import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** Who may see a post when the post and the activity that brings it do not address the same people. */
describe('A post of another server', () => {
  const peer = usePeer('forum.example');
  const app = useBeside([peer], { once: ['ada', 'ben', 'eve'] });
  let mo: RawActor;
  let names = 0;
  const key = newKey();
  const local = (name: string) => `${app.env.baseUrl}/users/${name}`;
  const followers = () => `${mo.uri}/followers`;

  beforeEach(() => {
    names += 1;
    mo = peer.actor(`mo${names}`, key, { followers: `${peer.url}/users/mo${names}/followers` });
  });

  const note = (changes: Json = {}): Json => {
    return { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, content: 'tea', ...changes };
  };
  const send = (activity: Json, path?: string) =>
    sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, type: 'Create', ...activity }, path);
  /** The visibility of the post, and who of ada, ben and eve may see it. */
  async function seen(): Promise<[string | undefined, string]> {
    const [row] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [`${mo.uri}/notes/1`]);
    if (!row) return [undefined, ''];
    let visibility: string | undefined;
    const readers: string[] = [];
    for (const name of ['ada', 'ben', 'eve']) {
      const { status, body } = await (await app.world.as(name)).get(`/api/v1/statuses/${row.id}`);
      if (status !== 200) continue;
      readers.push(name);
      ({ visibility } = body as { visibility: string });
    }
    return [visibility, readers.join(' ')];
  }
  const everybody = 'ada ben eve';

  it.each<[string, () => Json, () => Json, [string, string]]>([
    [
      'without addressees of its own is public in a public Create',
      () => ({ to: [PUBLIC], cc: [local('ada')] }),
      () => ({}),
      ['public', everybody],
    ],
    [
      'is also shown to a further addressee of its Create',
      () => ({ to: [local('ada')], cc: [local('ben')] }),
      () => ({ to: [local('ada')] }),
      ['direct', 'ada ben'],
    ],
    [
      'for one account stays direct in a public Create',
      () => ({ to: [PUBLIC] }),
      () => ({ to: [local('ada')] }),
      ['direct', 'ada'],
    ],
    [
      'for one account stays direct in a Create for followers',
      () => ({ cc: [followers()] }),
      () => ({ to: [local('ada')] }),
      ['direct', 'ada'],
    ],
    [
      'that is public stays public in a Create for one account',
      () => ({ to: [local('ada')] }),
      () => ({ to: [PUBLIC] }),
      ['public', everybody],
    ],
    [
      'stays direct with a hidden public collection',
      () => ({ bto: [PUBLIC] }),
      () => ({ to: [local('ada')], bcc: [PUBLIC] }),
      ['direct', 'ada'],
    ],
  ])('%s', async (_which, activity, object, expected) => {
    await send({ ...activity(), object: note(object()) });
    expect(await seen()).toEqual(expected);
  });

  it('that names nobody is shown to the owner of the inbox that received it, also after an edit', async () => {
    await send({ object: note({ to: [], cc: [] }) }, '/users/ben/inbox');
    expect(await seen()).toEqual(['direct', 'ben']);
    const object = note({ to: [], content: 'coffee', updated: new Date().toISOString() });
    await send({ type: 'Update', object }, '/users/ben/inbox');
    expect(await seen()).toEqual(['direct', 'ben']);
  });

  it('that is for followers is not shown to the owner of the inbox that received it', async () => {
    await send({ object: note({ to: [followers()] }) }, '/users/ben/inbox');
    expect((await seen())[1]).toBe('');
  });

  it.each([
    ['its own server', () => peer.host, 1],
    ['another server', () => 'else.example', 2],
  ])(
    'stands in the conversation that a tag: URI names, if that is one of its server: %s',
    async (_whose, host, count) => {
      const context = `tag:${host()},2026-01-01:objectId=${names}:objectType=Conversation`;
      const uris = [1, 2].map((at) => `${mo.uri}/notes/${at}`);
      for (const id of uris)
        await send({ object: note({ id, to: [local('ada')], conversation: context, inReplyTo: `${id}/unknown` }) });
      const stored = 'select distinct conversation_id from statuses where uri = any($1::text[])';
      expect(await app.sql(stored, [uris])).toHaveLength(count);
    },
  );

  it('whose Create contains only its address is fetched', async () => {
    const path = new URL(`${mo.uri}/notes/1`).pathname;
    peer.answers.set(path, note({ to: [PUBLIC] }));
    await send({ to: [PUBLIC], object: note()['id'] });
    expect(peer.asked(path)).toBe(0); // nobody here is concerned
    await send({ to: [PUBLIC], cc: [local('ada')], object: note()['id'] });
    expect(await seen()).toEqual(['public', everybody]);
    peer.answers.set(path, note({ to: [PUBLIC], content: 'coffee', updated: new Date().toISOString() }));
    await send({ type: 'Update', object: note()['id'] });
    const [{ text } = { text: '' }] = await app.sql<{ text: string }>(
      'select content_text as text from statuses where uri = $1',
      [note()['id']],
    );
    expect(text).toBe('coffee');
  });
});
