import { RetentionService } from '../../../src/retention/index.js';
import { ModeratedStatusesService, StatusesService } from '../../../src/statuses/index.js';
import { type Member, usePair } from '../../support/federation/servers.js';
import { expectCountersToMatchRows, ok } from '../../support/fixtures/statuses.js';

const pair = usePair();
let alice: Member;
let carol: Member;
let bob: Member;

/** Everything that came before this moment is old. */
const ALL = 1e-9;

beforeAll(async () => {
  const { alpha, beta } = pair;
  [alice, carol, bob] = await Promise.all([alpha.member('alice'), alpha.member('carol'), beta.member('bob')]);
  await bob.follow(alice);
  await bob.follow(carol);
  await pair.settle();
});

/** A post of alice that beta has forgotten, though alpha still delivers what happens to it. */
async function forgottenPost(text: string) {
  const post = await alice.write(text);
  await pair.settle();
  const copy = (await bob.copyOf(post))!;
  await pair.beta.sql(`delete from follows f using accounts a where a.id = f.followee_id and a.nickname = 'alice'`);
  const stated = await statedCounts();
  await pair.beta.get(RetentionService).removeNow('posts', ALL);
  expect(await statedCounts()).toEqual(stated);
  return { post, copy };
}
/** The numbers of posts that alpha states of its accounts, which have these posts still. */
const statedCounts = () =>
  pair.beta.sql(
    'select account_id, statuses_count from account_stats where counts_fetched_at is not null order by account_id',
  );
const followAgain = async () => {
  await bob.follow(alice);
  await pair.settle();
};

describe('a remote post that was removed since it is old', () => {
  afterEach(followAgain);

  it('is nowhere any more: not by its id, in timelines, by its hashtag or in a search', async () => {
    const { post, copy } = await forgottenPost('old words #teatime');
    await bob.get(`/api/v1/statuses/${copy.id}`).expect(404);
    expect(await bob.copyOf(post)).toBeUndefined();
    const lists = [
      'timelines/home',
      'timelines/public',
      'timelines/tag/teatime',
      `accounts/${await bob.idOf(alice)}/statuses`,
    ];
    for (const list of lists) expect([list, await ok<object[]>(bob.get(`/api/v1/${list}`))]).toEqual([list, []]);
    expect(await ok(bob.get('/api/v2/search', { q: 'words', type: 'statuses' }))).toMatchObject({ statuses: [] });
    expect(await pair.beta.sql('select from tombstones')).toEqual([]);
  });

  it('is fetched again when a followed account boosts it', async () => {
    const { post } = await forgottenPost('boost me');
    await carol.act(post, 'reblog');
    await pair.settle();
    expect(await bob.copyOf(post)).toMatchObject({ uri: post.uri, content: '<p>boost me</p>' });
    expect((await bob.home())[0]).toMatchObject({ reblog: { uri: post.uri } });
    await expectCountersToMatchRows(pair.beta);
  });

  it('is not harmed by edits, likes and its deletion, which still arrive', async () => {
    const { post } = await forgottenPost('edit me');
    await ok(alice.put(`/api/v1/statuses/${post.id}`, { status: 'edited' }));
    await ok(carol.post(`/api/v1/statuses/${post.id}/favourite`));
    await pair.settle();
    await ok(alice.delete(`/api/v1/statuses/${post.id}`));
    await pair.settle();
    expect(await bob.copyOf(post)).toBeUndefined();
    await expectCountersToMatchRows(pair.beta);
  });
});

it('a remote post that the staff deleted stays away for ever; other traces of remote posts go after a year', async () => {
  const post = await alice.write('rude');
  await pair.settle();
  const { id } = (await bob.copyOf(post))!;
  await carol.act(post, 'reblog');
  await pair.settle();
  await carol.act(post, 'unreblog');
  await pair.settle();
  await pair.beta.get(ModeratedStatusesService).delete(id);
  await pair.beta.sql(`insert into tombstones (uri, former_type, local) values ('https://old.test/1', 'Note', false)`);
  await pair.beta.sql(`update tombstones set deleted_at = now() - interval '2 years'`);
  await pair.beta.get(StatusesService).purgeTombstones();
  expect(await pair.beta.sql('select uri from tombstones')).toEqual([{ uri: post.uri }]);
  await carol.act(post, 'reblog');
  await pair.settle();
  expect(await bob.copyOf(post)).toBeUndefined();
});
