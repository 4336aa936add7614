import { Post } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Input, type Json, RateLimit, Scopes, Summary } from '../common/index.js';
import { ReportView } from './report.view.js';
import { ReportBody } from './reports.dto.js';
import { ReportsService } from './reports.service.js';
import { FiledReportShape } from './report.shape.js';

/** `POST /api/v1/reports`: reports an account to the staff (reference). */
@ClientApi('v1', 'reports')
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly view: ReportView,
  ) {}

  @Summary('Reports an account to the staff, with posts and broken rules, and on request to its own server.')
  @Post()
  @Scopes('write:reports')
  @RateLimit('report')
  @Answers(FiledReportShape)
  async file(@CurrentAccount() accountId: string, @Input(ReportBody) input: ReportBody): Promise<Json> {
    return this.view.filed(await this.reports.file(accountId, input.report()), { viewerId: accountId });
  }
}
