import { Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AdminApi, AdminOnly, Answers, type Auth, CurrentAuth, Input, type Json, Summary } from '../common/index.js';
import { ReportGroupsShape, ReportPageShape, StaffReportShape } from './report.shape.js';
import { ReportView } from './report.view.js';
import { HandledReportsQuery, ReportAssigneesBody, ReportNoteBody, ReportStatesBody } from './handled-reports.dto.js';
import { HandledReportsService } from './handled-reports.service.js';

/** `A/reports` (spec §4.1.4). */
@AdminApi('reports')
export class HandledReportsController {
  constructor(
    private readonly reports: HandledReportsService,
    private readonly view: ReportView,
  ) {}

  @Summary('Lists the reports to the staff, the latest first.')
  @Get()
  @AdminOnly('admin:read:reports')
  @Answers(ReportPageShape)
  async list(@CurrentAuth() reader: Auth, @Input(HandledReportsQuery) input: HandledReportsQuery) {
    const { state, assigned_account: assignedId, rule_id: ruleId, page, size } = input;
    const { ids, total } = await this.reports.page({ state, assignedId, ruleId }, size, (page - 1) * size);
    return this.view.page(ids, total, reader);
  }

  @Summary('Shows one report.')
  @Get(':id')
  @AdminOnly('admin:read:reports')
  @Answers(StaffReportShape)
  show(@CurrentAuth() reader: Auth, @Param('id') id: string): Promise<Json> {
    return this.view.one(id, reader);
  }

  @Summary('Changes the states of reports.')
  @Patch()
  @HttpCode(204)
  @AdminOnly('admin:write:reports')
  changeStates(@CurrentAuth() actor: Auth, @Input(ReportStatesBody) { changes }: ReportStatesBody): Promise<void> {
    return this.reports.changeStates(actor, changes);
  }

  @Summary('Assigns reports to members of the staff.')
  @Post('assign_account')
  @HttpCode(204)
  @AdminOnly('admin:write:reports')
  assign(@CurrentAuth() actor: Auth, @Input(ReportAssigneesBody) { changes }: ReportAssigneesBody): Promise<void> {
    return this.reports.assign(actor, changes);
  }

  @Summary('Adds a note of the staff to a report.')
  @Post(':id/notes')
  @HttpCode(204)
  @AdminOnly('admin:write:reports')
  addNote(
    @CurrentAuth() actor: Auth,
    @Param('id') id: string,
    @Input(ReportNoteBody) { content }: ReportNoteBody,
  ): Promise<void> {
    return this.reports.addNote(actor, id, content);
  }

  @Summary('Deletes a note of the staff.')
  @Delete(':report_id/notes/:id')
  @HttpCode(204)
  @AdminOnly('admin:write:reports')
  removeNote(@CurrentAuth() actor: Auth, @Param('report_id') reportId: string, @Param('id') id: string): Promise<void> {
    return this.reports.removeNote(actor, reportId, id);
  }
}

/** `A/grouped_reports` (spec §4.1.4): the open reports by the posts they name. */
@AdminApi('grouped_reports')
export class GroupedReportsController {
  constructor(
    private readonly reports: HandledReportsService,
    private readonly view: ReportView,
  ) {}

  @Summary('Lists the open reports, grouped by the posts they name.')
  @Get()
  @AdminOnly('admin:read:reports')
  @Answers(ReportGroupsShape)
  async list(@CurrentAuth() reader: Auth): Promise<Json> {
    return this.view.groups(await this.reports.groups(), reader);
  }
}
