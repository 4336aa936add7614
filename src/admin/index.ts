export { AdminModule } from './admin.module.js';
export type { AdminAppJson, AdminAppsJson } from './apps/admin-apps.shape.js';
export { ModerationLogEntry } from './log/moderation-log.entity.js';
export type { ModerationAction } from './log/moderation-log.messages.js';
export { ModerationLogService, OPERATOR } from './log/moderation-log.service.js';
export { type ModerationLogJson, ModerationLogShape } from './log/moderation-log.shape.js';
export { type AdminUserJson, AdminUserShape } from './users/admin-user.shape.js';
export { AdminUserView } from './users/admin-user.view.js';
export { subjectOf, UserActs } from './users/user-acts.js';
export { UserModerationService } from './users/user-moderation.service.js';
export {
  Report,
  REPORT_CATEGORIES,
  type ReportCategory,
  ReportNote,
  ReportRule,
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
