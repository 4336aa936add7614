import { BlocksService } from '../../src/accounts/index.js';
import { useApp } from '../support/servers/app.js';
import { makeFavourites, makeStatuses } from '../support/fixtures/factories.js';
import { type PartyRow, partyRows, TARGETS, VIEWERS } from '../support/fixtures/parties.js';
import type { Client } from '../support/fixtures/world.js';

type Viewer = (typeof VIEWERS)[number];
type Target = (typeof TARGETS)[number];

/** The accounts that the requests are about. */
const SETTLED = ['alice', 'locked', 'hidden', 'remote@far.test', 'gone', 'pending', 'stranger'];
/** The tables that the endpoints change. */
const RELATIONS = ['follows', 'blocks', 'mutes', 'domain_blocks', 'notifications', 'dismissed_suggestions', 'jobs'];

describe('an endpoint about another account', () => {
  const rows = partyRows();
  const app = useApp({ once: ['alice', 'fan', 'keen', ...VIEWERS.slice(1), 'hidden', 'gone', 'pending'] });
  let cells = 0;

  beforeAll(async () => {
    await app.world.person('locked', { locked: true });
    await app.world.remote('remote', 'far.test');
    await app.sql(
      `update accounts set version = version + 1, hide_followers = nickname = 'hidden', hide_follows = nickname = 'hidden',
         hide_favorites = nickname = 'hidden', deactivated_at = case when nickname in ('gone', 'deactivated') then now() end`,
    );
    await app.sql('update users set is_approved = false where account_id = $1', [app.world.id('pending')]);
    for (const name of SETTLED) await makeStatuses(app, name, 1);
    const settled = SETTLED.map((name) => app.world.id(name));
    const [favoured] = await makeStatuses(app, 'fan', 1);
    await makeFavourites(app, settled, favoured!);
    await app.sql(
      `update accounts set discoverable = true, birthday = '2000-01-01', show_birthday = true where id = any($1::text[])`,
      [settled],
    );
    await app.sql('insert into suggested_accounts (account_id) select unnest($1::text[])', [settled]);
  });
  afterAll(() => {
    console.log(`parties: ${rows.length} endpoints, ${cells} cells`);
  });
  beforeEach(async () => {
    await app.sql(RELATIONS.map((table) => `delete from ${table};`).join(' '));
    for (const name of SETTLED) await surround(name);
    await app.world.follow('follower', 'alice');
    const blocks = app.get(BlocksService);
    const id = (name: string) => app.world.id(name);
    await blocks.block(id('alice'), id('blocked'), {});
    await blocks.block(id('blocker'), id('alice'), {});
    await blocks.mute(id('alice'), id('muted'), {});
    await blocks.mute(id('muter'), id('alice'), {});
  });

  /** Gives an account two followers, and one account that it follows and endorses. */
  async function surround(name: string): Promise<void> {
    await app.sql(
      `insert into follows (follower_id, followee_id) select a, b from (values ($1, $3), ($2, $3), ($3, $1)) as pair(a, b)`,
      [app.world.id('fan'), app.world.id('keen'), app.world.id(name)],
    );
    await app.sql('insert into endorsements (account_id, target_id) values ($1, $2)', [
      app.world.id(name),
      app.world.id('fan'),
    ]);
  }

  async function cell(client: Client, { call, input }: PartyRow, name: string): Promise<string> {
    const [method = '', path = ''] = call.split(' ');
    const filled = (text: string) => text.replace('{id}', app.world.id(name)).replace('{acct}', name);
    const values = Object.fromEntries([...input].map(([key, value]) => [key, filled(value)]));
    const answer = await client[method.toLowerCase() as 'get'](path.replace(':id', app.world.id(name)), values);
    const body = answer.body as unknown;
    cells += 1;
    return Array.isArray(body) ? `${answer.status}:${body.length}` : String(answer.status);
  }
  const viewer = (name: Viewer): Promise<Client> | Client =>
    name === 'anonymous' ? app.world.anonymous : app.world.as(name);
  const target = (name: Target) => (name === 'self' ? 'stranger' : name === 'remote' ? 'remote@far.test' : name);

  it.each(rows)('answers each viewer about each account as in the table: $call', async (row) => {
    const viewers: string[] = [];
    for (const name of VIEWERS) viewers.push(await cell(await viewer(name), row, 'alice'));
    const targets: string[] = [];
    for (const name of TARGETS) targets.push(await cell(await app.world.as('stranger'), row, target(name)));
    expect({ viewers: named(VIEWERS, viewers), targets: named(TARGETS, targets) }).toEqual({
      viewers: row.viewers,
      targets: row.targets,
    });
  });
});

const named = (names: readonly string[], cells: readonly string[]) =>
  Object.fromEntries(names.map((name, at) => [name, cells[at]]));
