import { Inject, Injectable } from '@nestjs/common';
import { StaffRights } from '../access/index.js';
import { localeOf, Pages, translatorOf } from '../common/index.js';
import { UnsubscribeService } from '../sign-in/index.js';
import {
  ENV,
  type Env,
  Handles,
  job,
  Jobs,
  Mailer,
  type Outcome,
  skip,
  Subscribes,
  UnitOfWork,
} from '../platform/index.js';
import { ReportRepository } from './report.repository.js';
import { READ_REPORTS } from './report.view.js';
import { ReportFiled } from './reports.events.js';

export interface MailReport {
  readonly reportId: string;
  /** The receiver. */
  readonly accountId: string;
}

export const MailReportJob = job<MailReport>('mail.report', 'mail');

/** Mails those of the staff who may read reports about one, without its content: mail is not confidential. */
@Injectable()
export class ReportMailsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly reports: ReportRepository,
    private readonly unsubscribes: UnsubscribeService,
    private readonly rights: StaffRights,
  ) {}

  /** Creates one job for each mail, once: a repetition would mail those again who have theirs. Does nothing without a mail server. */
  @Subscribes(ReportFiled, { job: 'admin.announce-report', queue: 'mail' })
  async announce({ reportId }: ReportFiled): Promise<void> {
    if (!this.mailer.isOn) return;
    const staff = await this.reports.staffAddresses('report', this.rights.admitsModerators(READ_REPORTS));
    await this.uow.run(async () => {
      await this.jobs.endRunning();
      for (const { accountId } of staff) {
        this.jobs.enqueue(MailReportJob, { reportId, accountId }, { key: `mail.report:${reportId}:${accountId}` });
      }
    });
  }

  /** Sends one mail, if the report and the receiver still exist. */
  @Handles(MailReportJob)
  async send({ reportId, accountId }: MailReport): Promise<Outcome> {
    const [reader, parties] = await Promise.all([
      this.reports.staffAddress('report', this.rights.admitsModerators(READ_REPORTS), accountId),
      this.reports.parties(reportId),
    ]);
    if (!reader || !parties) return skip('There is no recipient or no report');
    const locale = reader.locale === null ? undefined : localeOf(reader.locale);
    const t = locale ? translatorOf(locale) : this.pages.translator();
    const { account, actor } = parties;
    return this.mailer.deliver({
      to: reader.email,
      ...this.pages.letter(t, {
        subject: t.text('mail.report.subject', { account }),
        paragraphs: [t.text('mail.report.text', { account, actor })],
        action: { label: t.text('mail.report.action'), url: this.env.baseUrl },
        unsubscribe: this.unsubscribes.urlFor(accountId, 'report'),
      }),
    });
  }
}
