import { UserAdmissionService, UsersService } from '../../../src/accounts/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { RecordedMails } from '../../support/servers/mails.js';
import { PASSWORD } from '../../support/fixtures/world.js';

let app: TestApp;
let mails: RecordedMails;

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
  await app.world.persons('alice');
  await app.world.person('root', { admin: true });
  await app.world.person('mod', { admin: true });
  await app.sql(`update users set locale = 'de' where account_id = $1`, [app.world.id('root')]);
  await app.drain();
  mails.all.length = 0;
});

async function signUp(isApproved = false): Promise<string> {
  const { id } = await app.get(UsersService).create({
    ...{ nickname: 'newbie', email: 'newbie@mail.test', password: PASSWORD, reason: 'private words' },
    ...{ isConfirmed: true, isApproved },
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
  it('is announced to the staff, without the reason for the sign-up', async () => {
    await signUp();
    expect(await sent()).toEqual([
      ['mod@mail.test', '@newbie would like to join svc'],
      ['root@mail.test', '@newbie möchte bei svc mitmachen'],
    ]);
    const [letter] = mails.to('mod@mail.test');
    expect(letter!.text + letter!.html).not.toContain('private words');
    const [, unsubscribe = ''] = /<(https:[^>]+)>/.exec(letter!.headers.get('list-unsubscribe') ?? '') ?? [];
    await app.http.post(new URL(unsubscribe).pathname).expect(200);
    expect(await app.sql(`select muted_mails from users where muted_mails <> '{}'`)).toEqual([
      { muted_mails: ['sign-up'] },
    ]);
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
