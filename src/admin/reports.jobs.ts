import { Injectable } from '@nestjs/common';
import { ReportReceived } from '../federation/index.js';
import { NotificationDispatcher } from '../notifications/index.js';
import { Handles, type Outcome, Recurs, Subscribes } from '../platform/index.js';
import { type MailReport, MailReportJob, ReportMailsService } from './report-mails.service.js';
import { HandledReportsService } from './handled-reports.service.js';
import { ReportFiled } from './reports.events.js';
import { ReportsService } from './reports.service.js';

const DAILY = 24 * 60;

/** Notifies the staff of reports, by notification and by mail, and other servers on request. */
@Injectable()
export class ReportsJobs {
  constructor(
    private readonly notifications: NotificationDispatcher,
    private readonly mails: ReportMailsService,
    private readonly reports: ReportsService,
    private readonly handled: HandledReportsService,
  ) {}

  @Subscribes(ReportFiled, { job: 'admin.notify-of-report', queue: 'notify' })
  async notify({ reportId }: ReportFiled): Promise<void> {
    await this.notifications.ofReport(reportId);
  }

  @Subscribes(ReportFiled, { job: 'admin.announce-report', queue: 'mail' })
  async announce({ reportId }: ReportFiled): Promise<void> {
    await this.mails.announce(reportId);
  }

  @Subscribes(ReportFiled, { job: 'admin.forward-report', queue: 'federate', when: ({ forward }) => forward })
  async forward({ reportId }: ReportFiled): Promise<void> {
    await this.reports.forward(reportId);
  }

  @Subscribes(ReportReceived, { job: 'admin.file-received-report', queue: 'federate' })
  async fileReceived(report: ReportReceived): Promise<void> {
    await this.reports.fileReceived(report);
  }

  @Recurs({ job: 'admin.purge-reported-posts', everyMinutes: DAILY })
  purge(): Promise<void> {
    return this.handled.purgeStatuses();
  }

  @Handles(MailReportJob)
  send(letter: MailReport): Promise<Outcome> {
    return this.mails.send(letter);
  }
}
