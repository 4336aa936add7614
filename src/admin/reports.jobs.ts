import { Injectable } from '@nestjs/common';
import { NotificationDispatcher } from '../notifications/index.js';
import { Subscribes } from '../platform/index.js';
import { ReportFiled } from './reports.events.js';

/** Notifies the staff of reports: the service that does it stands in a module before this one, and knows no reports. */
@Injectable()
export class ReportsJobs {
  constructor(private readonly notifications: NotificationDispatcher) {}

  @Subscribes(ReportFiled, { job: 'admin.notify-of-report', queue: 'notify' })
  async notify({ reportId }: ReportFiled): Promise<void> {
    await this.notifications.ofReport(reportId);
  }
}
