import { Get, Post } from '@nestjs/common';
import { AdminSettingsService } from '../../../admin/index.js';
import { Input, type PageAnswer, RootApi, SignedIn } from '../../../common/index.js';
import { Settings } from '../../../config/index.js';
import { Mailer } from '../../../platform/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import type { Said } from '../parts/staff.part.js';
import { changesIn, fieldsOf, SettingsBody, type SettingsFields, shownIn } from './settings.dto.js';
import { settingsPage } from './settings.page.js';

/** The main settings of the server; the configuration API has all. */
@RootApi('app/staff/settings')
export class SettingsPagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly settings: Settings,
    private readonly changes: AdminSettingsService,
    private readonly mailer: Mailer,
  ) {}

  @Get()
  @SignedIn('admin:read')
  show(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit, fieldsOf(this.settings)));
  }

  @Post()
  @SignedIn('admin:write')
  save(@Input(SettingsBody) body: SettingsBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const save = async () => {
      await this.changes.change(visit.auth, changesIn(body, this.settings));
      return this.page(visit, fieldsOf(this.settings), { notice: visit.t.text('staff.saved') });
    };
    const retry = (alarm: string) => this.page(visit, body, { alarm }, body.shown);
    return this.pages.submit(visit, save, retry);
  }

  private page({ t, session, may }: Visit, fields: SettingsFields, said?: Said, shown = shownIn(fields)) {
    const options = { isChangeable: may('admin:write'), sendsMail: this.mailer.isOn };
    return settingsPage(t, session, { ...fields, shown }, options, said);
  }
}
