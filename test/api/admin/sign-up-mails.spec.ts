import { UserAdmissionService, UsersService } from '../../../src/accounts/index.js';
import { useApp } from '../../support/servers/app.js';
import { useMails } from '../../support/servers/mails.js';
import { PASSWORD } from '../../support/fixtures/world.js';

const mails = useMails();
const app = useApp({ people: ['alice'], env: () => ({ SMTP_URL: mails.url }) });

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.world.person('mod', { admin: true });
  await app.sql(`update users set locale = 'de' where account_id = $1`, [app.world.id('root')]);
  await app.drain();
  mails.all.length = 0;
});

async function signUp(isApproved = false, isConfirmed = true): Promise<string> {
  const { id } = await app.get(UsersService).create({
    ...{ nickname: 'newbie', email: 'newbie@mail.test', password: PASSWORD, reason: 'private <b>words</b>' },
    ...{ isConfirmed, isApproved },
  });
  return id;
}

/** All mails after all jobs, as recipient and subject. */
async function sent(): Promise<[string, string | undefined][]> {
  await app.drain();
  return mails.all
    .map(({ to, headers }): [string, string | undefined] => [to, headers.get('subject')])
    .sort(([a], [b]) => a.localeCompare(b));
}

describe('a user that waits for approval', () => {
  it('is announced to the staff with the reason for the sign-up, and gets a mail about the wait', async () => {
    await signUp();
    expect(await sent()).toEqual([
      ['mod@mail.test', '@newbie would like to join svc'],
      ['newbie@mail.test', 'Your registration on svc'],
      ['root@mail.test', '@newbie möchte bei svc mitmachen'],
    ]);
    const [letter] = mails.to('mod@mail.test');
    expect(letter!.text).toContain('The reason given: private <b>words</b>');
    expect(letter!.html).toContain('private &lt;b&gt;words&lt;/b&gt;');
    expect(mails.to('newbie@mail.test')[0]!.text).not.toContain('private');
    const [, unsubscribe = ''] = /<(https:[^>]+)>/.exec(letter!.headers.get('list-unsubscribe') ?? '') ?? [];
    await app.http.post(new URL(unsubscribe).pathname).expect(200);
    expect(await app.sql(`select muted_mails from users where muted_mails <> '{}'`)).toEqual([
      { muted_mails: ['sign-up'] },
    ]);
  });

  it.each([
    ['its owner', (id: string) => app.get(UsersService).confirm(id, 'newbie@mail.test')],
    ['the staff', (id: string) => app.get(UserAdmissionService).confirm(id)],
  ])('is announced once, when %s has confirmed the address', async (_who, confirm) => {
    const id = await signUp(false, false);
    const withoutLink = async () => (await sent()).filter(([, subject]) => !subject?.startsWith('Confirm'));
    expect(await withoutLink()).toEqual([]);
    await confirm(id);
    await confirm(id);
    expect((await withoutLink()).map(([to]) => to)).toEqual(['mod@mail.test', 'newbie@mail.test', 'root@mail.test']);
  });

  it('is announced once it is activated when its address is confirmed while it is deactivated', async () => {
    const id = await signUp(false, false);
    await sent();
    mails.all.length = 0;
    await app.get(UsersService).setActive(id, false);
    await app.get(UserAdmissionService).confirm(id);
    expect(await sent()).toEqual([]);
    for (const active of [true, false, true]) await app.get(UsersService).setActive(id, active);
    expect((await sent()).map(([to]) => to)).toEqual(['mod@mail.test', 'newbie@mail.test', 'root@mail.test']);
  });

  it('is not announced again when it is activated', async () => {
    const id = await signUp();
    expect(await sent()).toHaveLength(3);
    for (const active of [false, true, false, true]) await app.get(UsersService).setActive(id, active);
    expect(await sent()).toHaveLength(3);
  });

  const approve = (id: string) => app.get(UserAdmissionService).approve(id);
  const confirm = (id: string) => app.get(UserAdmissionService).confirm(id);
  it.each<
    [string, isApproved: boolean, isConfirmed: boolean, letters: number, ...((id: string) => Promise<boolean>)[]]
  >([
    ['one letter when it is approved', false, true, 1, approve],
    ['one letter when it is confirmed and approved', false, false, 1, confirm, approve],
    ['one letter when it is approved and confirmed', false, false, 1, approve, confirm],
    ['one letter when it is approved and not confirmed', false, false, 1, approve],
    ['no letter when it is confirmed and needs no approval', true, false, 0, confirm],
  ])('gets %s while it is deactivated, once it is activated', async (_, isApproved, isConfirmed, letters, ...steps) => {
    const id = await signUp(isApproved, isConfirmed);
    await sent();
    mails.all.length = 0;
    await app.get(UsersService).setActive(id, false);
    for (const step of steps) await step(id);
    expect(await sent()).toEqual([]);
    for (const active of [true, false, true]) await app.get(UsersService).setActive(id, active);
    expect(await sent()).toEqual(Array(letters).fill(['newbie@mail.test', 'Welcome to svc']));
  });

  it('is not announced when no approval is needed', async () => {
    await signUp(true);
    expect(await sent()).toEqual([]);
  });

  it('gets one mail when it is approved', async () => {
    const id = await signUp();
    const admission = app.get(UserAdmissionService);
    await admission.approve(id);
    await admission.approve(id);
    expect(await sent()).toEqual([['newbie@mail.test', 'Welcome to svc']]);
    expect(mails.all[0]!.text).toContain('https://svc.test/auth/sign_in');
  });

  it('gets a mail when it is rejected, and its data are deleted', async () => {
    const id = await signUp();
    expect(await app.get(UserAdmissionService).reject(id)).toBe(true);
    expect(await sent()).toEqual([['newbie@mail.test', 'Your registration on svc']]);
    expect(await app.sql('select from accounts where id = $1', [id])).toEqual([]);
    expect(await app.get(UserAdmissionService).reject(id)).toBe(false);
  });
});
