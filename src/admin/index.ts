export { AdminModule } from './admin.module.js';
export { ModerationLogEntry } from './log/moderation-log.entity.js';
export { type Actor, ModerationLogService, OPERATOR } from './log/moderation-log.service.js';
export { type ModerationLogJson, ModerationLogShape } from './log/moderation-log.shape.js';
export { Report, ReportNote, ReportRule, ReportStatus } from './report.entities.js';
export { FiledReportShape, type FiledReportJson, type ReportJson, ReportShape } from './report.shape.js';
export { ReportView } from './report.view.js';
export { ReportFiled } from './reports.events.js';
export { ReportsService } from './reports.service.js';
