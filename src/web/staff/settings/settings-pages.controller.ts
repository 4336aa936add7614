import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminSettingsService } from '../../../admin/index.js';
import { type ApiRequest, Input, RootApi, SignedIn } from '../../../common/index.js';
import { Settings } from '../../../config/index.js';
import { StaffPages, type StaffVisit } from '../frame/staff-pages.js';
import type { Said } from '../parts/staff.part.js';
import { changesIn, fieldsOf, SettingsBody, type SettingsFields } from './settings.dto.js';
import { settingsPage } from './settings.page.js';

/** The main settings of the server; the configuration API has all. */
@RootApi('app/staff/settings')
export class SettingsPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly settings: Settings,
    private readonly changes: AdminSettingsService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, (visit) => Promise.resolve(this.page(visit, fieldsOf(this.settings))));
  }

  @Post()
  @SignedIn('admin:write')
  save(@Input(SettingsBody) body: SettingsBody, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const save = async (visit: StaffVisit) => {
      await this.changes.change(visit.auth, changesIn(body, this.settings));
      return this.page(visit, fieldsOf(this.settings), { notice: visit.t.text('staff.saved') });
    };
    const retry = (visit: StaffVisit, alarm: string) => Promise.resolve(this.page(visit, body, { alarm }));
    return this.pages.submit(request, response, body, save, retry);
  }

  private page({ t, session, may }: StaffVisit, fields: SettingsFields, said?: Said) {
    return settingsPage(t, session, fields, may('admin:write'), said);
  }
}
