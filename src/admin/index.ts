export { AdminModule } from './admin.module.js';
export type { AdminAppJson, AdminAppsJson } from './apps/admin-apps.shape.js';
export { AdminInstanceService } from './instance/admin-instance.service.js';
export { AdminFrontendsService } from './server/admin-frontends.service.js';
export { AdminQueuesService, type QueuesOverview } from './server/admin-queues.service.js';
export { AdminSettingsService } from './instance/admin-settings.service.js';
export { HostModerationService } from './instances/host-moderation.service.js';
export { InstanceDeletionService } from './instances/instance-deletion.service.js';
export { AdminInvitesService } from './invites/admin-invites.service.js';
export type { WaitingCounts } from './handled-reports.repository.js';
export { HandledReportsService } from './handled-reports.service.js';
export { type LogSubject, ModerationLogEntry } from './log/moderation-log.entity.js';
export { logSentence, type ModerationAction } from './log/moderation-log.messages.js';
export type { LogFilter, LogRow } from './log/moderation-log.repository.js';
export { ModerationLogService, OPERATOR } from './log/moderation-log.service.js';
export { type ModerationLogJson, ModerationLogShape } from './log/moderation-log.shape.js';
export { type AdminUserJson, AdminUserShape } from './users/admin-user.shape.js';
export { AdminStatusesService } from './statuses/admin-statuses.service.js';
export { AdminStatusView } from './statuses/admin-status.view.js';
export { PermissionGroupsService } from './users/permission-groups.service.js';
export { UserAccessService } from './users/user-access.service.js';
export { UserAccountsService } from './users/user-accounts.service.js';
export { AdminUserView } from './users/admin-user.view.js';
export { subjectOf, UserActs } from './users/user-acts.js';
export { UserModerationService } from './users/user-moderation.service.js';
export {
  Report,
  REPORT_CATEGORIES,
  type ReportCategory,
  REPORT_STATES,
  ReportFile,
  ReportNote,
  ReportRule,
  type ReportState,
  ReportStatus,
} from './report.entities.js';
export {
  FiledReportShape,
  type FiledReportJson,
  type ReportGroupsJson,
  type ReportJson,
  type ReportPageJson,
  type StaffReportJson,
  ReportShape,
} from './report.shape.js';
export { ReportView } from './report.view.js';
export { ReportFiled } from './reports.events.js';
export { ReportsService } from './reports.service.js';
