import type { ListJson } from '../../src/accounts/index.js';
import { Database, sql, type Statement } from '../../src/platform/index.js';
import { INPUTS } from '../data/inputs.js';
import { useApp } from '../support/servers/app.js';
import { bodyWith, Caller } from '../support/bad-input.js';
import { builtEndpoints, type Endpoint } from '../support/fixtures/endpoints.js';
import { Subscriber } from '../support/servers/push-service.js';
import { makeChat } from '../support/fixtures/chats.js';
import { ok, post } from '../support/fixtures/statuses.js';

/*
 * Mass assignment (threat V13): every writing route is sent a valid request with a field for every column of the database, in
 * snake case and in camel case. None of these fields may be stored.
 */

const { keys: KEYS } = new Subscriber('https://push.example/a');
const FORGED = 'forged7';
const LONG_AGO = '2001-02-03T04:05:06.000Z';
/** Frontends may store any fields there. */
const KEEPS_ANYTHING = /\/settings\/:app$/;
/** Data of accounts that only the server sets. */
const PROTECTED = `select a.id, a.nickname, a.domain, a.ap_id, a.created_at, a.deactivated_at, a.tags, a.moved_to_id, u.email,
    u.password_hash, u.is_admin, u.is_moderator, u.is_confirmed, u.is_approved
  from accounts a left join users u on u.account_id = a.id order by a.id`;

/** Valid values for routes that have none in `INPUTS`. */
const GOOD: readonly (readonly [RegExp, Record<string, unknown>])[] = [
  [/lists.:id.accounts$/, { account_ids: [':carol'] }],
  [/conversations.:id$/, { recipients: [':carol'] }],
  [/domain_blocks$/, { domain: 'far.test' }],
  [/aliases$/, { alias: 'carol' }],
  [/delete_account$/, { password: 'a wrong one' }],
  [/v1.follows$/, { uri: 'carol' }],
  [/v1.reports$/, { account_id: ':carol' }],
  [/_import$/, { list: 'carol@svc.test' }],
  [/notifications.read$/, { max_id: '1' }],
  [/notifications.dismiss$/, { id: '1' }],
  [/destroy_multiple$/, { ids: ['1'] }],
  [/push.subscription$/, { subscription: { endpoint: 'https://push.example/a', keys: KEYS } }],
];
const goodFor = (path: string) => GOOD.find(([pattern]) => pattern.test(path))?.[1] ?? {};

const keyOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const writing = builtEndpoints()
  .filter(({ method, access, path }) => method !== 'GET' && access === 'user' && !KEEPS_ANYTHING.test(path))
  .sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));

const app = useApp({ once: ['alice', 'bob', 'carol'] });
let caller: Caller;
let extras: Record<string, unknown>;
let traces: Statement<object>;
const taken = new Map<string, boolean>();
/** The state after the last route: nothing happens until the next one. */
let last: unknown;

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The forged value of a column: bob for an id, true for a flag, else a word that the test can find. */
function forged(name: string): unknown {
  if (/^(is|has|was)_|^(locked|verified|trusted|standard)$/.test(name)) return true;
  if (/_at$/.test(name)) return LONG_AGO;
  if (/_id$/.test(name)) return app.world.id('bob');
  return FORGED;
}

beforeAll(async () => {
  await app.world.follow('alice', 'carol');
  const alice = await app.world.as('alice');
  const list = await ok<ListJson>(alice.post('/api/v1/lists', { title: 'people' }));
  const status = await post(app, 'alice', 'here');
  const { svc } = await post(app, 'alice', 'psst @carol', { visibility: 'direct' });
  const account = app.world.id('carol');
  caller = new Caller(app, {
    account,
    ...(await makeChat(app, 'alice', 'carol')),
    conversation: svc.direct_conversation_id!,
    list: list.id,
    status: status.id,
    uuid: '',
  });
  const tables = await app.sql<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = 'public' group by 1 order by 1`,
  );
  const names = new Set(tables.flatMap(({ columns }) => columns));
  traces = tracesIn(tables);
  last = await state();
  extras = Object.fromEntries([...names].flatMap((name) => [name, camel(name)].map((key) => [key, forged(name)])));
});
afterAll(() => {
  const took = [...taken.values()].filter(Boolean).length;
  console.log(
    `mass assignment: ${Object.keys(extras).length} names, ${writing.length} routes, ${took} of which took the rest`,
  );
});

/** What a forged field could change. */
const state = async () => [await app.sql(PROTECTED), await app.get(Database).rows(traces)];

/**
 * For every table, the number of rows with a forged value and of rows that belong to bob. Prepared, since planning takes
 * longest; PostgreSQL may read the tables in parallel.
 */
function tracesIn(tables: readonly { name: string; columns: string[] }[]): Statement<object> {
  const owner = (columns: string[]) =>
    ['account_id', 'author_id', 'follower_id'].find((name) => columns.includes(name));
  const parts = tables.map(({ name, columns }) => {
    const theirs = owner(columns);
    const count = (condition: string) => `count(*) filter (where ${condition})::int`;
    return `select '${name}' as name, ${count(`t::text ~ '${FORGED}|2001-02-03'`)} as forged,
      ${theirs ? count(`t.${theirs}::text = '${app.world.id('bob')}'`) : '0'} as bobs from "${name}" t`;
  });
  return sql('test.traces', `${parts.join(' union all ')} order by name`);
}

it.each(writing)('V13 $method $path stores nothing but its own fields', async (route) => {
  const { fields, beside } = INPUTS[keyOf(route)]!;
  const good = JSON.parse(
    JSON.stringify({ ...goodFor(route.path), ...beside }).replaceAll(':carol', app.world.id('carol')),
  ) as object;
  const declared = new Set([...Object.keys(fields).map((name) => name.split('.')[0]!), ...Object.keys(good)]);
  const more = Object.fromEntries(Object.entries(extras).filter(([name]) => !declared.has(name)));
  const nested = Object.entries(fields).filter(([name, kind]) => kind === 'object' && !name.endsWith('_store'));
  for (const inside of [{}, ...nested.map(([name]) => bodyWith(name, more))]) {
    const { status } = await caller.send(route, undefined, { ...more, ...inside, ...good });
    expect(status).toBeLessThan(500);
    taken.set(keyOf(route), status === 200 || taken.get(keyOf(route)) === true);
  }
  const [before, after] = [last, await state()];
  last = after;
  expect(after).toEqual(before);
});
