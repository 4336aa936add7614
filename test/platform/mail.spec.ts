import { Injectable } from '@nestjs/common';
import {
  Database,
  Handles,
  job,
  JobRepository,
  Jobs,
  Mailer,
  type Outcome,
  UnitOfWork,
  Worker,
} from '../../src/platform/index.js';
import { RecordedMails } from '../support/servers/mails.js';
import { type Platform, startPlatform } from '../support/servers/platform.js';

const invitation = job<{ personId: string }>('test.mail-invitation', 'mail');

/** Acts like a higher module: writes the mail, with a new secret, when it is sent. */
@Injectable()
class Invitations {
  private made = 0;

  constructor(private readonly mailer: Mailer) {}

  @Handles(invitation)
  send({ personId }: { personId: string }): Promise<Outcome> {
    const text = `https://svc.test/invitation/secret-${++this.made}`;
    return this.mailer.deliver({ to: `${personId}@mail.test`, subject: 'Come in', text, html: `<p>${text}</p>` });
  }
}

describe('a mail', () => {
  let mails: RecordedMails;
  let platform: Platform;
  const jobs = () =>
    platform
      .get(Database)
      .query<{ payload: unknown; failed: boolean; last_error: string | null }>(
        `select payload, parked_at is not null as failed, last_error from jobs where queue = 'mail' order by id`,
      );
  const invite = (personId: string) =>
    platform.get(UnitOfWork).run(() => {
      platform.get(Jobs).enqueue(invitation, { personId });
      return Promise.resolve();
    });

  beforeAll(async () => {
    mails = await RecordedMails.start();
    platform = await startPlatform([Invitations], { SMTP_URL: mails.url });
  });
  afterAll(async () => {
    await platform.close();
    await mails.close();
  });

  it('is stored as a job with ids only, and its text is written when it is sent', async () => {
    await invite('zoe');
    expect(await jobs()).toMatchObject([{ payload: { personId: 'zoe' } }]);
    await platform.get(Worker).drain();
    expect(mails.to('zoe@mail.test').map(({ text }) => text)).toEqual(['https://svc.test/invitation/secret-1']);
    expect(await jobs()).toEqual([]);
  });

  it('waits while the mail server cannot accept it, and is sent later with a new secret', async () => {
    mails.refuse('RCPT', '451 later');
    await invite('amy');
    await platform.get(Worker).drain();
    expect(await jobs()).toMatchObject([{ failed: false, last_error: 'The mail server answered 451 to RCPT TO' }]);
    mails.refuse();
    await platform.get(Database).query(`update jobs set run_at = now() where queue = 'mail'`);
    await platform.get(Worker).drain();
    expect(mails.to('amy@mail.test').map(({ text }) => text)).toEqual(['https://svc.test/invitation/secret-3']);
  });

  it('is sent by a mail server that was away for half a day', async () => {
    mails.refuse('RCPT', '451 later');
    await invite('kim');
    for (let tries = 0; tries < 20; tries += 1) {
      await platform.get(Database).query(`update jobs set run_at = now() where queue = 'mail'`);
      await platform.get(Worker).drain();
    }
    expect(await jobs()).toMatchObject([{ failed: false }]);
    mails.refuse();
    await platform.get(Database).query(`update jobs set run_at = now() where queue = 'mail'`);
    await platform.get(Worker).drain();
    expect(mails.to('kim@mail.test')).toHaveLength(1);
    expect(await jobs()).toEqual([]);
  });

  it('fails for good when the mail server refuses it', async () => {
    mails.refuse('RCPT', '550 nobody of that name');
    await invite('eve');
    await platform.get(Worker).drain();
    expect(await jobs()).toMatchObject([{ failed: true, last_error: 'The mail server answered 550 to RCPT TO' }]);
    expect(await platform.get(JobRepository).listFailed(10)).toHaveLength(1);
  });
});
