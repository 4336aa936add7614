import { UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { OwnerLocks, UnitOfWork } from '../../../src/platform/index.js';
import { ConfirmationsService } from '../../../src/sign-in/index.js';
import { pathOf } from '../../support/fixtures/uploads.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';
import { holding, waitersOf } from '../../support/locks.js';
import { useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';

const OLD = 'alice@mail.test';
const NEW = 'new@mail.test';
const NOTICE = 'The address of your account on svc has changed';

const mails = useMails();
const app = useApp({ people: ['alice', 'bob'], env: () => ({ SMTP_URL: mails.url }) });
let alice: Client;

beforeEach(async () => {
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

it('a change or removal of an address is reported to the former address', async () => {
  await change(NEW);
  await change('');
  expect([subjects(OLD), subjects(NEW), await email()]).toEqual([[NOTICE], [NOTICE], null]);
  await change(NEW);
  expect(mails.all).toHaveLength(2);
});

describe('a new address that needs confirmation', () => {
  beforeEach(demand);

  it('is used after its confirmation, and the former address is notified then', async () => {
    await change(NEW);
    expect([subjects(OLD), await email()]).toEqual([[], OLD]);
    await follow(linkTo(NEW)).expect(302);
    await follow(linkTo(NEW)).expect(302);
    await app.drain();
    expect([subjects(OLD), await email()]).toEqual([[NOTICE], NEW]);
  });

  it('is reported to the former address once when its link is opened several times at once', async () => {
    await change(NEW);
    const link = linkTo(NEW);
    await holding(app, async (holder) => {
      await holder.query('select from users where account_id = $1 for update', [app.world.id('alice')]);
      const opened = Promise.all([1, 2, 3].map(() => follow(link).expect(302)));
      await waitersOf(holder, 3);
      await holder.query('commit');
      await opened;
    });
    await app.drain();
    expect([subjects(OLD), await email()]).toEqual([[NOTICE], NEW]);
  });

  it('is used at once when only its letter case is new, and ends the link of an earlier request', async () => {
    await change(NEW);
    await change('Alice@mail.test');
    expect([subjects(OLD), await email()]).toEqual([[], 'Alice@mail.test']);
    expect(mails.all.map(({ to }) => to)).toEqual([NEW]);
    await follow(linkTo(NEW)).expect(400);
  });

  it('is the one of the last request, even before a mail was sent', async () => {
    await ask('first@mail.test');
    await change(NEW);
    expect(mails.all.map(({ to }) => to)).toEqual([NEW]);
    const link = linkTo(NEW);
    await change('third@mail.test');
    await follow(link).expect(400);
    expect(await email()).toBe(OLD);
  });

  it('O13 is one of at most three an hour that get a mail', async () => {
    for (const n of [1, 2, 3, 4, 5]) await change(`victim${n}@mail.test`);
    expect(mails.all).toHaveLength(3);
  });

  it('gets its mail later when three others had one within the hour, whose links have ended', async () => {
    for (const address of ['first@mail.test', 'second@mail.test', 'third@mail.test']) await change(address);
    const link = linkTo('third@mail.test');
    await change(NEW);
    await follow(link).expect(400);
    await app.sql(`update email_confirmations set created_at = created_at - interval '61 minutes'`);
    await app.sql('update jobs set run_at = now()');
    await app.drain();
    expect(mails.all).toHaveLength(4);
    await follow(linkTo(NEW)).expect(302);
    expect(await email()).toBe(NEW);
  });

  it('O13 is one of at most three an hour that get a mail, also when two are asked for at once', async () => {
    for (const n of [1, 2]) await change(`victim${n}@mail.test`);
    const send = (to: string) =>
      app.get(ConfirmationsService).sendToNew({ accountId: app.world.id('alice'), email: to });
    await holding(app, async (holder) => {
      await holder.query('select from accounts where id = $1 for update', [app.world.id('alice')]);
      const sending = Promise.all([send('victim3@mail.test'), send('victim4@mail.test')]);
      await waitersOf(holder, 2);
      await holder.query('commit');
      await sending;
    });
    expect(mails.all).toHaveLength(3);
  });

  it('O25 cannot be confirmed when another change, which ends its link, comes first', async () => {
    await change(NEW);
    const link = linkTo(NEW);
    const answer = await holding(app, async (holder) => {
      await holder.query(`update users set email = 'right@mail.test' where account_id = $1`, [app.world.id('alice')]);
      const following = follow(link).then(({ status }) => status);
      await waitersOf(holder, 1);
      await holder.query('update email_confirmations set token_hash = sha256(token_hash)');
      await holder.query('commit');
      return following;
    });
    expect([answer, await email()]).toEqual([400, 'right@mail.test']);
  });

  it('O25 gets no letter when the request for it ends while the letter is being made', async () => {
    const uow = app.get(UnitOfWork);
    await ask(NEW);
    const sending = await holding(app, (holder) =>
      uow.run(async () => {
        await app.get(OwnerLocks).lock('confirmations', app.world.id('alice'));
        const draining = uow.outside(() => app.drain());
        await waitersOf(holder, 1);
        await app.get(ConfirmationsService).forget(app.world.id('alice'));
        return { draining };
      }),
    );
    await sending.draining;
    expect(mails.all).toEqual([]);
  });

  it('O25 cannot be confirmed when its link is being stored while another change ends it', async () => {
    await ask(NEW);
    await holding(app, async (holder) => {
      await holder.query('select from accounts where id = $1 for update', [app.world.id('alice')]);
      const sending = app.drain();
      await waitersOf(holder, 1);
      const ending = app.get(ConfirmationsService).forget(app.world.id('alice'));
      await waitersOf(holder, 2);
      await holder.query('commit');
      await Promise.all([sending, ending]);
    });
    await follow(linkTo(NEW)).expect(400);
    expect(await email()).toBe(OLD);
  });

  it('cannot be confirmed when another user has it by then', async () => {
    await change(NEW);
    await app.sql('update users set email = $1 where account_id = $2', [NEW, app.world.id('bob')]);
    await follow(linkTo(NEW)).expect(400);
    expect(await email()).toBe(OLD);
  });
});
