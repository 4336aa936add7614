import { UnsubscribeService } from '../../../src/sign-in/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { pathOf } from '../../support/fixtures/uploads.js';
import { useApp } from '../../support/servers/app.js';
import { type RecordedMail, useMails } from '../../support/servers/mails.js';

const mails = useMails();
const app = useApp({ people: ['alice', 'bob'], env: () => ({ SMTP_URL: mails.url }) });

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.drain();
});

/** The mails about a new report. */
async function report(): Promise<readonly RecordedMail[]> {
  mails.all.length = 0;
  await (await app.world.as('alice')).post('/api/v1/reports', { account_id: app.world.id('bob') }).expect(200);
  await app.drain();
  return mails.to('root@mail.test');
}
const linkOf = ({ headers }: RecordedMail) => pathOf(headers.get('list-unsubscribe')!.slice(1, -1));

it('a mail contains the unsubscribe link in its header and its text, and the page stops the mails', async () => {
  const [mail] = await report();
  const link = linkOf(mail!);
  expect(mail!.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(mail!.text).toContain(`https://svc.test${link}`);
  expect(mail!.html).toContain(`href="https://svc.test${link}"`);

  const visit = new BrowserVisit(app);
  const page = await visit.get(link);
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(await report()).toHaveLength(1);
  expect((await visit.submit()).text).toContain('These mails are stopped');
  expect(await report()).toEqual([]);
  expect((await visit.submit()).text).toContain('These mails are sent again');
  expect(await report()).toHaveLength(1);
});

it('the button of mail programs stops the mails, even when it is pressed twice', async () => {
  const [mail] = await report();
  const press = () => app.http.post(linkOf(mail!)).type('form').send({ 'List-Unsubscribe': 'One-Click' }).expect(200);
  await press();
  await press();
  expect(await report()).toEqual([]);
});

it('security mails have no unsubscribe link', async () => {
  await app.http.post('/auth/password').send({ email: 'alice' }).expect(204);
  mails.all.length = 0;
  await app.drain();
  expect(mails.all).toHaveLength(1);
  expect(mails.all[0]!.headers.has('list-unsubscribe')).toBe(false);
});

it('a token with a wrong signature changes nothing', async () => {
  const token = app.get(UnsubscribeService).urlFor(app.world.id('root'), 'report').split('/').at(-1)!;
  const [, , signature] = token.split('.');
  const forged = [`${app.world.id('alice')}.report.${signature}`, token.replace('report', 'backup'), `${token}x`, 'x'];
  for (const wrong of forged) {
    expect((await app.http.get(`/mailer/unsubscribe/${wrong}`)).status).toBe(404);
    expect((await app.http.post(`/mailer/unsubscribe/${wrong}`)).status).toBe(404);
  }
  expect(await app.sql(`select from users where muted_mails <> '{}'`)).toEqual([]);
});

it('a token of a deleted account changes nothing', async () => {
  const path = pathOf(app.get(UnsubscribeService).urlFor('AAAAAAAAAAAAAAAAAA', 'report'));
  await app.http.post(path).expect(200);
});
