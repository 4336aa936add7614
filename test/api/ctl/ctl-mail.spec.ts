import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { runCtl } from '../../support/servers/ctl.js';
import { useMails } from '../../support/servers/mails.js';

describe('mail test', () => {
  const mails = useMails();
  const app = useApp({ once: [] });

  beforeAll(async () => {
    await app.get(SettingsService).update([
      { path: 'instance.name', value: 'Näher\r\n\x1bBcc: eve@mail.test' },
      { path: 'instance.notify_email', value: 'post@svc.test' },
    ]);
  });

  const ctl = (address: string, smtp: Record<string, string> = { SMTP_URL: mails.url }) =>
    runCtl({ ...app.variables, ...smtp }, ...['mail', 'test', address]);

  it('sends a mail in the name of the server', async () => {
    const out = 'The mail server took the letter to zoe@mail.test.';
    expect(await ctl('zoe@mail.test')).toEqual({ code: 0, out, err: '' });
    const [mail] = mails.to('zoe@mail.test');
    expect(mail!.from).toBe('post@svc.test');
    expect(mail!.headers.get('subject')).toBe('Mail from Näher Bcc: eve@mail.test arrives');
    expect(mail!.headers.has('bcc')).toBe(false);
    expect(mail!.text).toContain('Go to the server:\nhttps://svc.test');
    expect(mail!.html).toContain('href="https://svc.test">Go to the server</a>');
  });

  it('is missed by doctor while new accounts need a letter', async () => {
    const doctor = async (smtp: Record<string, string> = {}) =>
      (await runCtl({ ...app.variables, ...smtp }, 'doctor')).out.split('\n').filter((line) => line.includes(' mail'));
    const needed = (value: boolean) =>
      app.get(SettingsService).update([{ path: 'instance.account_activation_required', value }]);
    expect(await doctor()).toEqual([expect.stringMatching(/^ok /)]);
    await needed(true);
    expect(await doctor()).toEqual([
      expect.stringMatching(/^WRONG {2}mail: instance\.account_activation_required .*SMTP_URL/),
    ]);
    expect(await doctor({ SMTP_URL: mails.url })).toEqual([expect.stringMatching(/^ok /)]);
    await needed(false);
  });

  it('explains a failure', async () => {
    const failed = (err: string) => ({ code: 1, out: '', err });
    expect(await ctl('zoe@mail.test', {})).toEqual(failed('There is no mail server: SMTP_URL is not set.'));
    expect(await ctl('zoe')).toEqual(failed('This is no mail address.'));
    mails.refuse('RCPT', '550 nobody');
    expect(await ctl('zoe@mail.test')).toEqual(failed('The mail server answered 550 to RCPT TO.'));
    expect(mails.all).toEqual([]);
  });
});
