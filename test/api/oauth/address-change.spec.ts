import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { pathOf } from '../../support/fixtures/uploads.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { RecordedMails } from '../../support/servers/mails.js';

const OLD = 'alice@mail.test';
const NEW = 'new@mail.test';
const NOTICE = 'The address of your account on svc has changed';

let app: TestApp;
let mails: RecordedMails;
let alice: Client;

beforeAll(async () => {
  mails = await RecordedMails.start();
  app = await startApp({ SMTP_URL: mails.url });
});
afterAll(async () => {
  await app.close();
  await mails.close();
});
beforeEach(async () => {
  await app.reset();
  await app.world.persons('alice', 'bob');
  alice = await app.world.as('alice');
  await app.drain();
  mails.all.length = 0;
});

const demand = () => app.get(SettingsService).update([{ path: 'instance.account_activation_required', value: true }]);
const ask = (email: string) =>
  alice.post('/api/svc/change_email', { password: PASSWORD, email }).expect(200, { status: 'success' });
const change = async (email: string) => {
  await ask(email);
  await app.drain();
};
const email = async () => (await app.get(UsersService).facts(app.world.id('alice'))).email;
const linkTo = (address: string) => pathOf(/https:\S+confirm_email\S+/.exec(mails.to(address).at(-1)!.text)![0]);
const follow = (link: string) => app.http.get(link).set('accept', 'application/json');
const subjects = (address: string) => mails.to(address).map(({ headers }) => headers.get('subject'));

it('the earlier address is told of a change and of a removal', async () => {
  await change(NEW);
  await change('');
  expect([subjects(OLD), subjects(NEW), await email()]).toEqual([[NOTICE], [NOTICE], null]);
  await change(NEW);
  expect(mails.all).toHaveLength(2);
});

describe('where addresses are confirmed', () => {
  beforeEach(demand);

  it('a new one counts from its confirmation on; the earlier one is told then', async () => {
    await change(NEW);
    expect([subjects(OLD), await email()]).toEqual([[], OLD]);
    await follow(linkTo(NEW)).expect(302);
    await follow(linkTo(NEW)).expect(302);
    await app.drain();
    expect([subjects(OLD), await email()]).toEqual([[NOTICE], NEW]);
  });

  it('the last request counts, also before a letter went out', async () => {
    await ask('first@mail.test');
    await change(NEW);
    expect(mails.all.map(({ to }) => to)).toEqual([NEW]);
    const link = linkTo(NEW);
    await change('third@mail.test');
    await follow(link).expect(400);
    expect(await email()).toBe(OLD);
  });

  it('O13 three letters an hour are sent, to any addresses', async () => {
    for (const n of [1, 2, 3, 4, 5]) await change(`victim${n}@mail.test`);
    expect(mails.all).toHaveLength(3);
  });

  it('an address that somebody else got meanwhile stays theirs', async () => {
    await change(NEW);
    await app.sql('update users set email = $1 where account_id = $2', [NEW, app.world.id('bob')]);
    await follow(linkTo(NEW)).expect(400);
    expect(await email()).toBe(OLD);
  });
});
