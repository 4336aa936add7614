import { makeStatuses } from '../support/fixtures/factories.js';
import { ok } from '../support/fixtures/statuses.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

const PEOPLE = 5_000;
const EMOJI = ['🍵', '🍰', '🎉', '👍', '😀'];

const app = useApp({ people: ['alice', 'bob'] });
let post: string;

beforeEach(async () => {
  [post = ''] = await makeStatuses(app, 'alice', 1);
  await app.sql(
    `insert into accounts (id, nickname, ap_id) select 'l' || n, 'l' || n, 'https://svc.test/' || n from generate_series(1, $1) n`,
    [PEOPLE],
  );
});

async function react(from: number, to: number): Promise<void> {
  await app.sql(
    `insert into reactions (status_id, account_id, name) select $1, 'l' || n, ($4::text[])[n % 5 + 1] from generate_series($2::int, $3) n`,
    [post, from, to, EMOJI],
  );
  await app.sql('update status_stats set reactions = $2 where status_id = $1', [post, to]);
}

it.each([
  ['the state of its viewers', 'statuses.viewer', () => ['l1', [], [], [], [], [], [], [post], [2_000], false]],
  ['the list of them', 'reactions.of_status', () => ['l1', post, false, null, true, true]],
  ['another reaction', 'reactions.insert', () => ['l1', post, '🥪', true, null, null]],
] as const)('a post reads no more of its reactions for %s when there are more', async (_, statement, values) => {
  await react(1, 2_000);
  const read = await rowsRead(app, statement, values());
  await react(2_001, PEOPLE);
  expect(await rowsRead(app, statement, values())).toBeLessThanOrEqual(read);
});

it('a post shows about the number of its reactions with each emoji, which is of the viewer, and takes more', async () => {
  await react(1, PEOPLE);
  await app.sql('update reactions set account_id = $1 where account_id = $2', [app.world.id('bob'), 'l4999']);
  const bob = await app.world.as('bob');
  const shown = async () => (await ok(bob.get(`/api/v1/statuses/${post}`))).emoji_reactions;
  const before = await shown();
  expect(before.map(({ name }) => name).toSorted()).toEqual(EMOJI.toSorted());
  for (const { name, count, me } of before) {
    expect(Math.abs(count - PEOPLE / 5)).toBeLessThan(PEOPLE / 50);
    expect(me).toBe(name === EMOJI[4]);
  }
  const listed = (of = '') => ok<object[]>(bob.get(`/api/v1/svc/statuses/${post}/reactions${of}`));
  expect(await listed()).toMatchObject(before);
  expect(await listed(`/${EMOJI[4]}`)).toMatchObject(before.filter(({ me }) => me));
  for (const name of ['🥪', '🍵']) await ok(bob.put(`/api/v1/svc/statuses/${post}/reactions/${name}`));
  expect((await shown()).flatMap(({ name, me }) => (me ? [name] : [])).toSorted()).toEqual(
    ['🍵', '😀', '🥪'].toSorted(),
  );
});
