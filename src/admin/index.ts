export { AdminModule } from './admin.module.js';
export { Report, ReportNote, ReportRule, ReportStatus } from './report.entities.js';
export { FiledReportShape, type FiledReportJson, type ReportJson, ReportShape } from './report.shape.js';
export { ReportView } from './report.view.js';
export { ReportFiled } from './reports.events.js';
export { ReportsService } from './reports.service.js';
