import { Injectable } from '@nestjs/common';
import { StaffRights } from '../access/index.js';
import { NotificationDispatcher } from '../notifications/index.js';
import { Subscribes } from '../platform/index.js';
import { READ_REPORTS } from './report.view.js';
import { ReportFiled } from './reports.events.js';

/** Notifies those of the staff who may read reports: the service that does it stands in a module before this one, and knows no reports. */
@Injectable()
export class ReportsJobs {
  constructor(
    private readonly notifications: NotificationDispatcher,
    private readonly rights: StaffRights,
  ) {}

  @Subscribes(ReportFiled, { job: 'admin.notify-of-report', queue: 'notify' })
  async notify({ reportId }: ReportFiled): Promise<void> {
    await this.notifications.ofReport(reportId, this.rights.admitsModerators(READ_REPORTS));
  }
}
