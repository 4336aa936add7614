import { UsersService } from '../../../src/accounts/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

/** Polls of other servers, and answers to polls of this one. */
describe('A poll', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let mo: RawActor;
  let names = 0;
  const key = newKey();

  beforeEach(() => {
    mo = peer.actor(`mo${(names += 1)}`, key);
  });

  const send = (type: string, object: Json) => sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, type, object });
  const idOf = async (uri: string) =>
    (await app.sql<{ id: string }>('select id from statuses where uri = $1', [uri]))[0]?.id;
  const read = async (id: string | undefined) =>
    (await (await app.world.as('ada')).get(`/api/v1/statuses/${id}`).expect(200)).body as {
      poll: { id: string; votes_count: number; svc: { non_anonymous: boolean } };
    };
  const optionsOf = (...titles: readonly string[]) => titles.map((name) => ({ type: 'Note', name }));
  const question = (titles: readonly string[], form: Json = {}): Json => ({
    id: `${mo.uri}/notes/1`,
    type: 'Question',
    attributedTo: mo.uri,
    content: 'Tea?',
    to: [PUBLIC, `${app.env.baseUrl}/users/ada`],
    oneOf: optionsOf(...titles),
    ...form,
  });
  const vote = async () => {
    const { poll } = await read(await idOf(`${mo.uri}/notes/1`));
    await (await app.world.as('ada')).post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] }).expect(200);
  };

  it.each<[string, Json, boolean]>([
    ['nothing', {}, false],
    ['"nonAnonymous": true', { nonAnonymous: true }, true],
    ['"nonAnonymous": false', { nonAnonymous: false }, false],
    ['"anonymous": false', { anonymous: false }, true],
  ])('whose Question says %s shows whether its votes are anonymous', async (_what, form, expected) => {
    await send('Create', question(['yes', 'no'], form));
    const id = await idOf(`${mo.uri}/notes/1`);
    expect((await read(id)).poll.svc.non_anonymous).toBe(expected);
    await send('Update', question(['yes', 'no'], { nonAnonymous: !expected }));
    await app.dropBodies();
    expect((await read(id)).poll.svc.non_anonymous).toBe(!expected);
  });

  it('that is asked anew gets the new vote of an account, and each vote once', async () => {
    const votes = () => peer.received.splice(0).map(({ object }) => (object as { name: string }).name);
    peer.answers.set(`/users/mo${names}/inbox`, { status: 202 });
    for (const [type, options] of [
      ['Create', ['yes', 'no']],
      ['Update', ['green', 'black']],
    ] as const) {
      await send(type, question(options, { updated: new Date().toISOString() }));
      await vote();
      await app.sql(
        `insert into jobs (name, queue, payload) select name, queue, payload from jobs where name = 'federation.send-vote'`,
      );
      await app.drain();
      expect(votes()).toEqual([options[0]]);
    }
  });

  it.each<[string, Json]>([
    ['has another end', {}],
    ['is asked anew with another end', { oneOf: ['green', 'black'].map((name) => ({ type: 'Note', name })) }],
  ])('that %s tells its voters of that end, once', async (_what, form) => {
    const options = ['yes', 'no'];
    const inHours = (hours: number) => ({ endTime: new Date(Date.now() + hours * 3_600_000).toISOString() });
    const run = async () => {
      await app.sql(`update jobs set run_at = now() where name = 'polls.close'`);
      await app.drain();
    };
    const notified = async () =>
      (await app.sql(`select from notifications where type = 'poll' and status_id = $1`, [id])).length;
    await send('Create', question(options, inHours(1)));
    const id = await idOf(`${mo.uri}/notes/1`);
    await send('Update', question(options, { ...inHours(2), updated: new Date().toISOString(), ...form }));
    await vote();
    const ends = await app.sql<{ isLate: boolean }>(
      `select run_at > now() + interval '90 minutes' as "isLate" from jobs where key = $1`,
      [`poll-end:${id}`],
    );
    expect(ends).toEqual([{ isLate: true }]);
    await app.sql(`update polls set expires_at = now() where status_id = $1`, [id]);
    await run();
    await send('Update', question(options, { ...inHours(0), ...form }));
    await run();
    expect(await notified()).toBe(1);
  });

  it('that ends while its author is deactivated here tells its voters once the author is activated', async () => {
    await send('Create', question(['yes', 'no'], { endTime: new Date(Date.now() + 3_600_000).toISOString() }));
    const id = await idOf(`${mo.uri}/notes/1`);
    await vote();
    const [author] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
    const notified = async (isActive: boolean) => {
      await app.get(UsersService).setActive(author!.id, isActive);
      await app.sql(`update jobs set run_at = now() where name = 'polls.close'`);
      await app.drain();
      return app.sql(`select type from notifications where status_id = $1 and type = 'poll'`, [id]);
    };
    await app.sql(`update polls set expires_at = now() where status_id = $1`, [id]);
    expect(await notified(false)).toEqual([]);
    expect(await notified(true)).toEqual([{ type: 'poll' }]);
  });

  it('whose end is moved ahead after it was announced is open until then', async () => {
    await send('Create', question(['yes', 'no'], { endTime: new Date().toISOString() }));
    const id = await idOf(`${mo.uri}/notes/1`);
    expect(await app.sql('select closed from polls where status_id = $1', [id])).toEqual([{ closed: true }]);
    await send('Update', question(['yes', 'no'], { endTime: new Date(Date.now() + 3_600_000).toISOString() }));
    await vote();
    expect(await app.sql('select from jobs where key = $1', [`poll-end:${id}`])).toHaveLength(1);
  });

  it.each<[string, Json, number]>([
    ['states its number of voters', { votersCount: 0 }, 0],
    ['states none, and lets them choose several options', { oneOf: [], anyOf: optionsOf('yes', 'no') }, 1],
  ])(
    'that does not count a vote of this server, and %s, shows the voters that are known',
    async (_what, form, voters) => {
      await send('Create', question(['yes', 'no'], form));
      await vote();
      await send('Update', question(['yes', 'no'], form));
      app.invalidateReads();
      const { poll } = await read(await idOf(`${mo.uri}/notes/1`));
      expect(poll).toMatchObject({ votes_count: 0, voters_count: voters });
    },
  );

  const picture: Json = { type: 'Image', mediaType: 'image/png', url: 'https://pics.example/tea.png' };

  it.each<[string, Json, { votes: number; isPost: boolean }]>([
    ['a name alone', {}, { votes: 1, isPost: false }],
    ['a name and an empty text', { content: '' }, { votes: 1, isPost: false }],
    ['a name and an empty list of files', { attachment: [] }, { votes: 1, isPost: false }],
    ['a name and a picture', { attachment: [picture] }, { votes: 0, isPost: true }],
    ['a name and a text', { content: 'because' }, { votes: 0, isPost: true }],
  ])('treats an answer with %s as a vote or as a post', async (_what, form, { votes, isPost }) => {
    const client = await app.world.as('ada');
    const poll = { options: ['yes', 'no'], expires_in: 600 };
    const { body } = await client.post('/api/v1/statuses', { status: 'tea?', poll }).expect(200);
    const { id, uri } = body as { id: string; uri: string };
    const to = [`${app.env.baseUrl}/users/ada`];
    const answer = { id: `${mo.uri}/votes/1`, type: 'Note', name: 'yes', attributedTo: mo.uri, inReplyTo: uri, to };
    await send('Create', { ...answer, ...form });
    expect((await read(id)).poll.votes_count).toBe(votes);
    expect((await idOf(answer.id)) !== undefined).toBe(isPost);
  });
});
