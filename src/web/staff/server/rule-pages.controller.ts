import { Get, Param, Post } from '@nestjs/common';
import { AdminInstanceService } from '../../../admin/index.js';
import {
  Input,
  IntLike,
  OptionalText,
  type PageAnswer,
  type PageContent,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { RulesService } from '../../../instance/index.js';
import type { Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { StaffPages } from '../frame/staff-pages.js';
import { type RuleDraft, RULES_PATH, staffRulesPage } from './rules.page.js';

const MAX_RULE = 5_000;
const MAX_PRIORITY = 1_000_000;

class RuleFormBody {
  @OptionalText({ max: MAX_RULE }) text = '';
  @OptionalText({ max: MAX_RULE }) hint = '';
  @IntLike({ min: -MAX_PRIORITY, max: MAX_PRIORITY }) priority = 0;
}

/** The rules of the server, by the services of the API. */
@RootApi('app/staff/rules')
export class RulePagesController {
  constructor(
    private readonly pages: StaffPages,
    private readonly rules: RulesService,
    private readonly changes: AdminInstanceService,
  ) {}

  @Get()
  @SignedIn('admin:read')
  list(@Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.page(visit));
  }

  @Post()
  @SignedIn('admin:write')
  create(@Input(RuleFormBody) body: RuleFormBody, @Visiting() visit: Visit): Promise<PageAnswer> {
    const { text, hint, priority } = body;
    const create = async ({ auth }: Visit) => {
      await this.changes.createRule(auth, { text, hint, priority });
      return RULES_PATH;
    };
    return this.pages.submit(visit, create, (alarm) => this.page(visit, { alarm, typed: body }));
  }

  @Post(':id')
  @SignedIn('admin:write')
  update(
    @Param('id') id: string,
    @Input(RuleFormBody) body: RuleFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { text, hint, priority } = body;
    const update = async ({ auth }: Visit) => {
      await this.changes.updateRule(auth, id, { text, hint, priority });
      return RULES_PATH;
    };
    const retry = (alarm: string) => this.page(visit, { alarm, id, typed: body });
    return this.pages.submit(visit, update, retry);
  }

  @Post(':id/delete')
  @SignedIn('admin:write')
  remove(@Param('id') id: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.act(visit, ({ auth }) => this.changes.deleteRule(auth, id));
  }

  private async page({ t, session, may }: Visit, draft?: RuleDraft): Promise<PageContent> {
    return staffRulesPage(t, session, await this.rules.all(), may('admin:write'), draft);
  }
}
