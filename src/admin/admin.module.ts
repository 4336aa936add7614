import { Module } from '@nestjs/common';
import { OauthModule } from '../oauth/index.js';
import { AccountsModule } from '../accounts/index.js';
import { FederationModule } from '../federation/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { StatusesModule } from '../statuses/index.js';
import { AdminEmojiController } from './admin-emoji.controller.js';
import { ModerationLogController } from './log/moderation-log.controller.js';
import { ModerationLogRepository } from './log/moderation-log.repository.js';
import { ModerationLogService } from './log/moderation-log.service.js';
import { ReportMailsService } from './report-mails.service.js';
import { ReportRepository } from './report.repository.js';
import { ReportView } from './report.view.js';
import { ReportedStatuses } from './reported-statuses.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { ReportsJobs } from './reports.jobs.js';

/** Administration: reports and the staff's tools. */
@Module({
  imports: [AccountsModule, FederationModule, NotificationsModule, StatusesModule, OauthModule],
  controllers: [AdminEmojiController, ModerationLogController, ReportsController],
  providers: [
    ModerationLogRepository,
    ModerationLogService,
    ReportRepository,
    ReportView,
    ReportedStatuses,
    ReportMailsService,
    ReportsService,
    ReportsJobs,
  ],
  exports: [ModerationLogService, ReportsService, ReportView],
})
export class AdminModule {}
