import { RecordedMails } from '../../../test/support/servers/mails.js';
import { readEnv } from '../env/env.js';
import { Mailer } from './mail.js';

const letter = { to: 'zoe@mail.test', subject: 'Grüße', text: 'Hällo\n.\nthere', html: '<p>Hällo</p>' };

describe('Mailer', () => {
  let mails: RecordedMails;
  let mailer: Mailer;

  beforeAll(async () => {
    mails = await RecordedMails.start();
    mailer = new Mailer(readEnv({ BASE_URL: 'https://svc.test', SMTP_URL: mails.url }));
  });
  afterEach(() => {
    mails.refuse();
    mails.all.length = 0;
  });
  afterAll(() => mails.close());

  it('sends a letter in both forms, from the configured name and address', async () => {
    mailer.configure({ from: { name: 'Näher dran', address: 'mail@svc.test' } });
    expect(mailer.isOn).toBe(true);
    expect(await mailer.deliver(letter)).toEqual({ kind: 'done' });
    const [mail] = mails.all;
    expect(mail).toMatchObject({ from: 'mail@svc.test', to: letter.to, text: letter.text, html: letter.html });
    expect(mail!.headers.get('from')).toBe('Näher dran <mail@svc.test>');
    expect(mail!.headers.get('to')).toBe(letter.to);
    expect(mail!.headers.get('subject')).toBe(letter.subject);
    expect(mail!.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('uses an address at the host of the base URL by default', async () => {
    const fresh = new Mailer(readEnv({ BASE_URL: 'https://svc.test:8443', SMTP_URL: mails.url }));
    await fresh.deliver(letter);
    expect(mails.all[0]!.from).toBe('no-reply@svc.test');
  });

  it('is off without a mail server and sends nothing', async () => {
    const off = new Mailer(readEnv({}));
    expect(off.isOn).toBe(false);
    expect(await off.deliver(letter)).toEqual({ kind: 'skip', reason: 'There is no mail server: SMTP_URL is not set' });
  });

  it.each([
    ['a second header', { to: 'zoe@mail.test\r\nBcc: eve@mail.test' }],
    ['a line break', { to: 'zoe@mail.test\n' }],
    ['a second address', { to: 'zoe@mail.test,eve@mail.test' }],
    ['a name', { to: 'Zoe <zoe@mail.test>' }],
    ['a group', { to: 'all:zoe@mail.test;' }],
    ['a quoted part', { to: '"zoe eve"@mail.test' }],
    ['two at signs', { to: 'zoe@eve@mail.test' }],
    ['no address', { to: 'zoe' }],
    ['an empty address', { to: '' }],
    ['a header in the subject', { subject: 'Hi\r\nBcc: eve@mail.test' }],
    ['a line break in the subject', { subject: 'Hi\nthere' }],
    ['a NUL in the subject', { subject: 'Hi\0' }],
  ])('H13 refuses %s', async (_case, fault) => {
    expect(await mailer.deliver({ ...letter, ...fault })).toMatchObject({
      kind: 'fail',
      reason: expect.stringMatching(/^This is no (mail address|subject of a mail)$/),
    });
    expect(mails.all).toEqual([]);
  });

  it('H13 allows no header in the name of the server', async () => {
    mailer.configure({ from: { name: 'Here" <eve@mail.test>\r\nBcc: eve@mail.test', address: 'mail@svc.test' } });
    await mailer.deliver(letter);
    expect(mails.all).toHaveLength(1);
    expect(mails.all[0]!.from).toBe('mail@svc.test');
    expect(mails.all[0]!.headers.has('bcc')).toBe(false);
  });

  it.each([
    ['RCPT', '550 no mailbox of zoe@mail.test', { kind: 'fail', reason: 'The mail server answered 550 to RCPT TO' }],
    ['RCPT', '450 zoe@mail.test is full', { kind: 'retry', reason: 'The mail server answered 450 to RCPT TO' }],
    ['DATA', '554 no', { kind: 'fail', reason: 'The mail server answered 554 to DATA' }],
    ['EHLO', '421 busy', { kind: 'retry', reason: 'The mail server answered 421 to EHLO' }],
  ])('P8 reports a refused %s (%s) without addresses', async (command, reply, outcome) => {
    mails.refuse(command, reply);
    expect(await mailer.deliver(letter)).toEqual(outcome);
  });

  it('retries when the mail server refuses the log-in', async () => {
    mails.refuse('AUTH', '535 svc is not known');
    const known = new Mailer(readEnv({ SMTP_URL: mails.url.replace('//', '//svc:secret@') }));
    expect(await known.deliver(letter)).toEqual({
      kind: 'retry',
      reason: 'The mail server answered 535 to AUTH PLAIN',
    });
  });

  it('retries when the mail server is unreachable', async () => {
    const gone = await RecordedMails.start();
    const { url } = gone;
    await gone.close();
    const reason = 'The mail server does not answer: ECONNREFUSED';
    expect(await new Mailer(readEnv({ SMTP_URL: url })).deliver(letter)).toEqual({ kind: 'retry', reason });
  });
});
