import {
  type AccountJson,
  AccountShape,
  type SuggestionJson,
  SuggestionShape,
  SuggestionsService,
} from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp();
let alice: Client;

beforeEach(async () => {
  for (const name of ['alice', 'bob', 'carol', 'dora']) await app.world.person(name);
  await app.world.remote('zoe', 'b.example');
  alice = await app.world.as('alice');
});

const id = (nickname: string) => app.world.id(nickname);
const deactivate = (name: string) => app.sql('update accounts set deactivated_at = now() where id = $1', [id(name)]);

/** Actions of alice or of other accounts that hide an account from her. */
const REASONS: readonly [string, (name: string) => Promise<unknown>][] = [
  ['whom one blocks', (name) => alice.post(`/api/v1/accounts/${name}/block`).expect(200)],
  ['whom one mutes', (name) => alice.post(`/api/v1/accounts/${name}/mute`).expect(200)],
  [
    'by whom one is blocked',
    (name) => app.sql('insert into blocks (account_id, target_id) values ($1, $2)', [id(name), id('alice')]),
  ],
  ['whose server one blocks', () => alice.post('/api/v1/domain_blocks', { domain: 'b.example' }).expect(200)],
  ['who is deactivated', deactivate],
];

describe('the directory', () => {
  const names = async (query = {}, client: Client = app.world.anonymous): Promise<string[]> => {
    const body = (await client.get('/api/v1/directory', query).expect(200)).body as unknown;
    for (const account of body as unknown[]) expect(checkShape(AccountShape, account)).toEqual([]);
    return (body as AccountJson[]).map(({ acct }) => acct);
  };

  beforeEach(async () => {
    const findable = ['bob', 'carol', 'zoe@b.example'].map(id);
    await app.sql('update accounts set discoverable = true where id = any($1)', [findable]);
    await app.sql(
      `update account_stats set last_status_at = '2026-01-01'::timestamptz + array_position($1::text[], account_id) * interval '1 day'
       where account_id = any($1)`,
      [[id('carol'), id('bob')]],
    );
  });

  it('lists discoverable accounts by last post or by age', async () => {
    expect(await names()).toEqual(['bob', 'carol', 'zoe@b.example']);
    expect(await names({ order: 'active', local: true })).toEqual(['bob', 'carol']);
    expect(await names({ order: 'new' })).toEqual(['zoe@b.example', 'carol', 'bob']);
    expect(await names({ order: 'new', local: '1' })).toEqual(['carol', 'bob']);
    await app.http.get('/api/v1/directory?order=old').expect(400);
  });

  it('is paged by an offset', async () => {
    expect(await names({ limit: 1, offset: 1 })).toEqual(['carol']);
    expect(await names({ offset: 2 })).toEqual(['zoe@b.example']);
    expect(await names({ offset: 100_000 })).toEqual([]);
  });

  it.each(REASONS)('V10 V15 leaves out accounts: %s', async (_, decide) => {
    await decide('zoe@b.example');
    expect(await names({}, alice)).toEqual(['bob', 'carol']);
  });

  it('leaves out accounts that moved', async () => {
    await app.sql('update accounts set moved_to_id = $2 where id = $1', [id('bob'), id('carol')]);
    expect(await names()).toEqual(['carol', 'zoe@b.example']);
  });
});

describe('the list of suggestions', () => {
  const suggested = async (client = alice): Promise<string[]> => {
    const body = (await client.get('/api/v2/suggestions').expect(200)).body as unknown;
    for (const one of body as unknown[]) expect(checkShape(SuggestionShape, one)).toEqual([]);
    return (body as SuggestionJson[]).map(({ account }) => account.acct);
  };

  beforeEach(async () => {
    for (const name of ['bob', 'zoe@b.example']) await app.get(SuggestionsService).suggest(id(name));
  });

  it('lists the accounts that the staff suggests, the latest first', async () => {
    expect(await suggested()).toEqual(['zoe@b.example', 'bob']);
    expect(await suggested(await app.world.as('bob'))).toEqual(['zoe@b.example']);
    await app.get(SuggestionsService).suggest(id('bob'));
    await app.get(SuggestionsService).unsuggest(id('zoe@b.example'));
    expect(await suggested()).toEqual(['bob']);
    await app.http.get('/api/v2/suggestions').expect(401);
    expect((await alice.get('/api/v1/suggestions').expect(200)).body).toEqual([]);
  });

  it.each(REASONS)('leaves out accounts: %s', async (_, decide) => {
    await decide('zoe@b.example');
    expect(await suggested()).toEqual(['bob']);
  });

  it('leaves out followees and accounts with a pending follow request', async () => {
    await app.world.follow('alice', 'zoe@b.example');
    await app.world.follow('alice', 'bob');
    expect(await suggested()).toEqual([]);
  });

  it('drops dismissed accounts for good, for each viewer separately', async () => {
    const dismiss = (name: string) => alice.delete(`/api/v1/suggestions/${id(name)}`);
    for (let times = 0; times < 2; times += 1) expect((await dismiss('bob').expect(200)).body).toEqual({});
    await dismiss('carol').expect(200); // carol was never suggested
    expect(await suggested()).toEqual(['zoe@b.example']);
    expect(await suggested(await app.world.as('carol'))).toEqual(['zoe@b.example', 'bob']);
    await alice.delete('/api/v1/suggestions/999999999999999999').expect(404);
    expect(await app.sql('select 1 from dismissed_suggestions')).toHaveLength(1);
  });

  it('lists a dismissed account again after a new suggestion by the staff', async () => {
    await alice.delete(`/api/v1/suggestions/${id('bob')}`).expect(200);
    await app.get(SuggestionsService).unsuggest(id('bob'));
    expect(await app.sql('select 1 from dismissed_suggestions')).toEqual([]);
    await app.get(SuggestionsService).suggest(id('bob'));
    expect(await suggested()).toEqual(['bob', 'zoe@b.example']);
  });
});
