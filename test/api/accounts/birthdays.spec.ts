import { type AccountJson, AccountShape, UsersService } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import type { Client } from '../../support/fixtures/world.js';

const BIRTHDAYS = '/api/v1/svc/birthdays';
const UPDATE = '/api/v1/accounts/update_credentials';

const app = useApp({ people: ['reader', 'alice', 'bob'] });
let reader: Client;

beforeEach(async () => {
  reader = await app.world.as('reader');
  await born('alice', '1990-12-31');
  await app.world.follow('reader', 'alice');
});

async function born(name: string, birthday: string, show_birthday = true): Promise<void> {
  await (await app.world.as(name)).patch(UPDATE, { birthday, show_birthday }).expect(200);
}

async function namesOn(day: number, month: number): Promise<string[]> {
  const accounts = (await reader.get(BIRTHDAYS, { day, month }).expect(200)).body as AccountJson[];
  for (const account of accounts) expect(checkShape(AccountShape, account)).toEqual([]);
  return accounts.map(({ username }) => username).sort();
}

describe('the birthday list', () => {
  it('lists followees by day and month', async () => {
    await born('bob', '2001-12-31');
    expect(await namesOn(31, 12)).toEqual(['alice']);
    await app.world.follow('reader', 'bob');
    expect(await namesOn(31, 12)).toEqual(['alice', 'bob']);
    expect(await namesOn(30, 12)).toEqual([]);
    expect(await namesOn(12, 1)).toEqual([]);
    await reader.get('/api/svc/birthdays', { day: '31', month: '12' }).expect(200);
  });

  it('includes February 29', async () => {
    await born('alice', '1992-02-29');
    expect(await namesOn(29, 2)).toEqual(['alice']);
    expect(await namesOn(1, 3)).toEqual([]);
  });

  it('includes remote accounts', async () => {
    const { id } = await app.world.remote('zoe', 'b.example');
    await app.sql(`update accounts set birthday = '1980-05-06', show_birthday = true where id = $1`, [id]);
    await app.world.follow('reader', 'zoe@b.example');
    expect(await namesOn(6, 5)).toEqual([]); // the follow is not accepted yet
    await app.sql('update follows set state = 1');
    expect(await namesOn(6, 5)).toEqual(['zoe']);
  });

  it('leaves out accounts that hide their birthday or are muted, deactivated or not followed yet', async () => {
    await born('alice', '1990-12-31', false);
    expect(await namesOn(31, 12)).toEqual([]);
    await born('alice', '1990-12-31');
    await reader.post(`/api/v1/accounts/${app.world.id('alice')}/mute`).expect(200);
    expect(await namesOn(31, 12)).toEqual([]);
    await app.sql(`update mutes set expires_at = now() - interval '1 second'`);
    expect(await namesOn(31, 12)).toEqual(['alice']);
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    expect(await namesOn(31, 12)).toEqual([]);
    await app.get(UsersService).setActive(app.world.id('alice'), true);
    expect(await namesOn(31, 12)).toEqual(['alice']);
    await app.sql('update follows set state = 0');
    expect(await namesOn(31, 12)).toEqual([]);
  });

  it('requires a calendar day, a user and the scope', async () => {
    for (const query of [{}, { day: 1 }, { month: 1 }, { day: '', month: 1 }, { day: 'x', month: 1 }]) {
      await reader.get(BIRTHDAYS, query).expect(400);
    }
    for (const query of [
      { day: 0, month: 1 },
      { day: 32, month: 1 },
      { day: 1, month: 13 },
      { day: -1, month: 1 },
    ]) {
      await reader.get(BIRTHDAYS, query).expect(400);
    }
    await app.world.anonymous.get(BIRTHDAYS, { day: 1, month: 1 }).expect(401);
    await (await app.world.as('reader', 'read:statuses')).get(BIRTHDAYS, { day: 1, month: 1 }).expect(403);
  });
});
