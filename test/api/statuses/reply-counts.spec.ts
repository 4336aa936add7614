import { FollowsService } from '../../../src/accounts/index.js';
import { RemoteActors } from '../../../src/federation/fetch/remote-actors.js';
import { OpenCounts1764000150000 } from '../../../src/migrations/statuses/1764000150000-open-counts.js';
import { type PlainStatusJson, StatusCounterRepairService } from '../../../src/statuses/index.js';
import { cavageHeaders, newKey, type RawActor, usePeer } from '../../support/federation/raw-peer.js';
import { expectCountersToMatchRows, ok, post } from '../../support/fixtures/statuses.js';
import { countQueries } from '../../support/queries.js';
import { useApp } from '../../support/servers/app.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const PATH = '/api/v1/statuses';

const peer = usePeer();
const app = useApp({ people: ['alice', 'bob'], env: () => ({ ALLOWED_PRIVATE_ADDRESSES: peer.host }) });
let mo: RawActor;
let number = 0;
const key = newKey();

beforeEach(() => app.world.person('staff', { admin: true }));

const countsOf = async ({ id }: { readonly id: string }) => {
  const { replies_count: replies, quotes_count: quotes } = await ok((await app.world.as('alice')).get(`${PATH}/${id}`));
  return { replies, quotes };
};
const references = ({ id }: PlainStatusJson) => ({ in_reply_to_id: id, quote_id: id });
const both = (count: number) => ({ replies: count, quotes: count });

/** The numbers are right, and a repair finds them right. */
async function expectCounts(parent: { readonly id: string }, count: object): Promise<void> {
  expect(await countsOf(parent)).toMatchObject(count);
  await expectCountersToMatchRows(app);
  expect(await app.get(StatusCounterRepairService).statuses({ fix: false })).toBe(0);
}

describe('V2 the numbers of replies and quotes', () => {
  it.each([
    ['public', 'public', 1],
    ['public', 'unlisted', 1],
    ['public', 'local', 0],
    ['public', 'private', 0],
    ['public', 'direct', 0],
    ['unlisted', 'public', 1],
    ['local', 'public', 1],
    ['local', 'local', 1],
    ['local', 'private', 0],
  ])('of a %s post count a %s answer: %i', async (visibility, answered, counted) => {
    const parent = await post(app, 'alice', 'tea?', { visibility });
    const answer = await post(app, 'bob', '@alice yes', { ...references(parent), visibility: answered });
    await expectCounts(parent, both(counted));
    await (await app.world.as('bob')).delete(`${PATH}/${answer.id}`).expect(200);
    await expectCounts(parent, both(0));
  });

  it.each([
    ['public', 'private', 0],
    ['private', 'public', 1],
    ['private', 'unlisted', 1],
    ['unlisted', 'public', 1],
  ])('change when a moderator turns a %s answer into a %s one', async (before, visibility, counted) => {
    const parent = await post(app, 'alice', 'tea?');
    const { id } = await post(app, 'bob', 'yes', { ...references(parent), visibility: before });
    const staff = await app.world.as('staff', 'read', 'write', 'admin:read', 'admin:write');
    await staff.put(`/api/v1/svc/admin/statuses/${id}`, { visibility }).expect(200);
    await expectCounts(parent, both(counted));
  });

  it('are corrected by the migration for answers that an earlier release counted', async () => {
    const parent = await post(app, 'alice', 'tea?');
    for (const visibility of ['public', 'private', 'local'])
      await post(app, 'bob', 'yes', { ...references(parent), visibility });
    await app.sql('update status_stats set replies = 3, quotes = 3 where status_id = $1', [parent.id]);
    await app.sql((new OpenCounts1764000150000() as unknown as { statements: string }).statements);
    await expectCounts(parent, both(1));
  });
});

describe('V2 the numbers of replies and quotes from another server', () => {
  let ada: string;
  let followers: string;

  beforeEach(async () => {
    ada = `${app.env.baseUrl}/users/alice`;
    mo = peer.actor(`mo${(number += 1)}`, key, {});
    followers = `${mo.uri}/followers`;
    mo = peer.actor(`mo${number}`, key, { followers });
    const account = await app.get(RemoteActors).resolve(mo.uri);
    await app.get(FollowsService).follow(app.world.id('alice'), account!.id, {});
    await app.sql('update follows set state = 1');
  });

  const noteId = () => `${mo.uri}/notes/${(number += 1)}`;
  const audiences = (): Record<string, object> => ({
    public: { to: [PUBLIC], cc: [followers, ada] },
    unlisted: { to: [followers, ada], cc: [PUBLIC] },
    private: { to: [followers], cc: [ada] },
    direct: { to: [ada] },
  });

  async function deliver(id: string, rest: object): Promise<void> {
    const object = { id, type: 'Note', attributedTo: mo.uri, content: 'yes', ...rest };
    const body = JSON.stringify({ ...rest, id: `${id}#create`, type: 'Create', actor: mo.uri, object });
    const headers = cavageHeaders(mo, `${app.env.baseUrl}/inbox`, { body });
    await app.http.post('/inbox').set(headers).send(body).expect(202);
    await app.drain();
  }

  it.each([
    ['public', 1],
    ['unlisted', 1],
    ['private', 0],
    ['direct', 0],
  ])('count a %s answer: %i', async (audience, counted) => {
    const parent = await post(app, 'alice', 'tea?');
    await deliver(noteId(), { ...audiences()[audience], inReplyTo: parent.uri, quoteUrl: parent.uri });
    expect(await app.sql('select from statuses where not local')).toHaveLength(1);
    await expectCounts(parent, both(counted));
  });

  it.each([
    ['public', 1],
    ['unlisted', 1],
    ['private', 0],
    ['direct', 0],
  ])('count a %s answer that arrived before its parent: %i', async (audience, counted) => {
    const parent = noteId();
    await deliver(noteId(), { ...audiences()[audience], inReplyTo: parent, quoteUrl: parent });
    await deliver(parent, audiences()['public']!);
    const [stored] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [parent]);
    await expectCounts(stored!, both(counted));
  });

  it('count very many answers that arrived before their parent, which a job attaches in parts', async () => {
    const parent = noteId();
    await deliver(noteId(), { ...audiences()['public'], inReplyTo: parent, quoteUrl: parent });
    await app.sql(
      `insert into statuses (id, author_id, uri, visibility, in_reply_to_uri, quote_uri, local)
       select id || n, author_id, uri || n, visibility, in_reply_to_uri, quote_uri, local
       from statuses, generate_series(1, 1100) n where in_reply_to_uri = $1`,
      [parent],
    );
    const { statements } = await countQueries(() => deliver(parent, audiences()['public']!));
    expect(statements.filter((name) => name === 'remote_posts.adopt_replies')).toHaveLength(3);
    const [stored] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [parent]);
    expect(await countsOf(stored!)).toEqual(both(1101));
    expect(
      await app.sql('select from statuses where in_reply_to_id = $1 and quote_of_id = $1', [stored!.id]),
    ).toHaveLength(1101);
  });
});
