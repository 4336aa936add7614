import type { AccountJson, CredentialAccountJson } from '../../../src/accounts/index.js';
import {
  type ConversationJson,
  type PlainStatusJson,
  RemoteStatusesService,
  StatusesService,
  Visibility,
} from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { expectCountersToMatchRows, ok, post, reblog, remoteStatus } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/statuses';

const app = useApp({ people: ['alice', 'bob', 'carol'] });
let alice: Client;
let bob: Client;

beforeEach(async () => {
  alice = await app.world.as('alice');
  bob = await app.world.as('bob');
});

const accountOf = (nickname: string) =>
  ok<AccountJson>(app.world.anonymous.get(`/api/v1/accounts/${app.world.id(nickname)}`));

describe('deleting a post', () => {
  it('returns it with its source text, and leaves a tombstone with its URI', async () => {
    const made = await post(app, 'alice', '**tea** #tea @bob', { content_type: 'text/markdown' });
    const body = await ok(alice.delete(`${PATH}/${made.id}`));
    expect(body).toEqual({
      ...made,
      account: body.account,
      text: '**tea** #tea @bob',
      svc: { ...made.svc, content_type: 'text/markdown' },
    });
    await alice.get(`${PATH}/${made.id}`).expect(404);
    await alice.delete(`${PATH}/${made.id}`).expect(404, { error: 'Record not found' });
    expect(await app.sql('select uri, former_type, local from tombstones')).toEqual([
      { uri: made.uri, former_type: 'Note', local: true },
    ]);
  });

  it('deletes its boosts and favourites but not its replies, and corrects all counters', async () => {
    const parent = await post(app, 'carol', 'root');
    const { id } = await post(app, 'alice', 'tea', { in_reply_to_id: parent.id });
    const boost = await reblog(app, 'bob', id);
    await bob.post(`${PATH}/${id}/favourite`).expect(200);
    const answer = await post(app, 'bob', 'yes', { in_reply_to_id: id });
    await alice.delete(`${PATH}/${id}`).expect(200);
    await bob.get(`${PATH}/${boost.id}`).expect(404);
    expect(await ok(bob.get(`${PATH}/${answer.id}`))).toMatchObject({ in_reply_to_id: null });
    expect(await ok(bob.get(`${PATH}/${parent.id}`))).toMatchObject({ replies_count: 0 });
    expect(await accountOf('bob')).toMatchObject({ statuses_count: 1 });
    await expectCountersToMatchRows(app);
  });

  it.each(['direct', 'list'])('changes no counter for a post that was not counted: %s', async (kind) => {
    const { id } = await post(app, 'alice', 'tea?');
    await post(app, 'bob', 'yes', { in_reply_to_id: id, quote_id: id });
    const { id: list } = await ok<{ id: string }>(bob.post('/api/v1/lists', { title: 'tea' }));
    const visibility = kind === 'list' ? `list:${list}` : kind;
    const quiet = await post(app, 'bob', '@alice psst', { in_reply_to_id: id, quote_id: id, visibility });
    const counts = async () => [await ok(alice.get(`${PATH}/${id}`)), (await accountOf('bob')).statuses_count];
    const before = await counts();
    expect(before).toMatchObject([{ replies_count: 1, quotes_count: 1 }, 1]);
    await bob.delete(`${PATH}/${quiet.id}`).expect(200);
    expect(await counts()).toEqual(before);
    await expectCountersToMatchRows(app);
  });

  it.each(['its author', 'expiry', 'its server'])(
    'by %s leaves a conversation read when its last post is one of the reader again, and unread otherwise',
    async (by) => {
      const remote = app.get(RemoteStatusesService);
      const eve = await app.world.remote('eve', 'far.test');
      const facts = {
        visibility: Visibility.direct,
        contextUri: 'https://far.test/context',
        mentions: [{ accountId: app.world.id('bob'), silent: false }],
      };
      const write = async (n: number, options = {}): Promise<string> => {
        if (by !== 'its server')
          return (await post(app, 'alice', 'psst @bob', { ...options, visibility: 'direct', expires_in: 7_200 })).id;
        const made = await remote.create(remoteStatus({ uri: `https://far.test/${n}`, authorId: eve.id }, facts));
        return made!.statusId;
      };
      const end = async (id: string, n: number): Promise<void> => {
        if (by === 'its server') await remote.delete(`https://far.test/${n}`, eve.id);
        else if (by === 'its author') await alice.delete(`${PATH}/${id}`).expect(200);
        else {
          await app.sql(`update statuses set expires_at = now() - interval '1 second' where id = $1`, [id]);
          await app.get(StatusesService).expire({ statusId: id });
        }
      };
      const seen = async () => {
        const [shown] = await ok<ConversationJson[]>(bob.get('/api/v1/conversations'));
        const { svc } = await ok<CredentialAccountJson>(bob.get('/api/v1/accounts/verify_credentials'));
        return [shown?.last_status?.id, shown?.unread, svc.unread_conversation_count];
      };
      const first = await write(1);
      const answer = await post(app, 'bob', 'yes @alice', { in_reply_to_id: first, visibility: 'direct' });
      const second = await write(2, { in_reply_to_id: answer.id });
      const third = await write(3, { in_reply_to_id: answer.id });
      await end(third, 3);
      expect(await seen()).toEqual([second, true, 1]);
      await end(second, 2);
      expect(await seen()).toEqual([answer.id, false, 0]);
    },
  );

  it('leaves a conversation read when its last post is one that was read, unless it was marked as unread later', async () => {
    const write = (options = {}) => post(app, 'alice', 'psst @bob', { ...options, visibility: 'direct' });
    const end = async ({ id }: PlainStatusJson): Promise<unknown> => {
      await alice.delete(`${PATH}/${id}`).expect(200);
      const [shown] = await ok<ConversationJson[]>(bob.get('/api/v1/conversations'));
      return [shown?.last_status?.id, shown?.unread];
    };
    const first = await write();
    const next = () => write({ in_reply_to_id: first.id });
    const mark = async (as: string): Promise<unknown> => {
      const [{ id }] = await ok<[ConversationJson]>(bob.get('/api/v1/conversations'));
      return bob.post(`/api/v1/conversations/${id}/${as}`).expect(200);
    };
    await mark('read');
    const [second, third] = [await next(), await next()];
    expect(await end(third)).toEqual([second.id, true]);
    expect(await end(second)).toEqual([first.id, false]);
    const fourth = await next();
    await mark('read');
    await mark('unread');
    expect(await end(fourth)).toEqual([first.id, true]);
  });

  it('removes a boost when the id is that of the boost', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const boost = await reblog(app, 'bob', id);
    expect(await ok(bob.delete(`${PATH}/${boost.id}`))).toMatchObject({ id: boost.id, text: null });
    expect(await ok(bob.get(`${PATH}/${id}`))).toMatchObject({ reblogged: false, reblogs_count: 0 });
    await expectCountersToMatchRows(app);
  });

  it('is allowed only to its author', async () => {
    const { id } = await post(app, 'alice', 'tea');
    await bob.delete(`${PATH}/${id}`).expect(404, { error: 'Record not found' });
    await app.world.anonymous.delete(`${PATH}/${id}`).expect(401);
    await (await app.world.as('alice', 'read')).delete(`${PATH}/${id}`).expect(403);
    await alice.get(`${PATH}/${id}`).expect(200);
  });

  it('leaves no boosts and correct counters when replies, boosts and favourites run concurrently', async () => {
    const { id } = await post(app, 'alice', 'tea');
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => bob.post(`${PATH}/${id}/reblog`)),
      ...Array.from({ length: 6 }, () => bob.post(PATH, { status: 'yes', in_reply_to_id: id })),
      alice.delete(`${PATH}/${id}`),
      ...Array.from({ length: 6 }, () => bob.post(`${PATH}/${id}/favourite`)),
      ...Array.from({ length: 6 }, () => bob.post(`${PATH}/${id}/reblog`)),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 404].includes(status))).toEqual([]);
    expect(await app.sql('select from statuses where reblog_of_id is not null')).toEqual([]);
    await expectCountersToMatchRows(app);
  });
});

describe('a post that expires', () => {
  const jobs = () => app.sql<{ run_at: string }>(`select run_at from jobs where name = 'statuses.expire'`);
  const makeDue = () => app.sql(`update jobs set run_at = now() where name = 'statuses.expire'`);

  it('shows its expiry only to its author, and is deleted at that time', async () => {
    const made = await post(app, 'alice', 'tea', { expires_in: 7200 });
    const { expires_at: expiresAt } = made.svc;
    expect(Date.parse(expiresAt ?? '') - Date.parse(made.created_at)).toBeGreaterThan(7_100_000);
    expect(await jobs()).toEqual([{ run_at: expiresAt }]);
    expect(await ok(bob.get(`${PATH}/${made.id}`))).toMatchObject({ svc: { expires_at: null } });
    await app.sql(`update statuses set expires_at = now() - interval '1 second'`);
    await makeDue();
    await app.drain();
    await alice.get(`${PATH}/${made.id}`).expect(404);
    expect(await app.sql('select uri from tombstones')).toEqual([{ uri: made.uri }]);
    await expectCountersToMatchRows(app);
  });

  it('removes its job and that of its poll when the poll or the post is deleted early', async () => {
    const made = await post(app, 'alice', 'tea', { expires_in: 7200, poll: { options: ['a', 'b'], expires_in: 3600 } });
    await app.drain();
    await alice
      .put(`${PATH}/${made.id}`, { status: 'tea', poll: { options: ['c', 'd'], expires_in: 3600 } })
      .expect(200);
    await app.drain();
    const waiting = () => app.sql('select name from jobs order by name');
    expect(await waiting()).toEqual([{ name: 'polls.close' }, { name: 'statuses.expire' }]);
    await alice.put(`${PATH}/${made.id}`, { status: 'tea', poll: null }).expect(200);
    await app.drain();
    expect(await waiting()).toEqual([{ name: 'statuses.expire' }]);
    await alice
      .put(`${PATH}/${made.id}`, { status: 'tea', poll: { options: ['c', 'd'], expires_in: 3600 } })
      .expect(200);
    await alice.delete(`${PATH}/${made.id}`).expect(200);
    await app.drain();
    expect(await waiting()).toEqual([]);
  });

  it('is not deleted by a job that runs too early', async () => {
    const { id } = await post(app, 'alice', 'tea', { expires_in: 7200 });
    await makeDue();
    await app.drain();
    await alice.get(`${PATH}/${id}`).expect(200);
    expect(await jobs()).toEqual([]);
  });
});
