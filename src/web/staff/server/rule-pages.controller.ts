import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminInstanceService } from '../../../admin/index.js';
import {
  type ApiRequest,
  Input,
  IntLike,
  OptionalText,
  type PageContent,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { RulesService } from '../../../instance/index.js';
import { SentFormBody } from '../../frame/sent-form.dto.js';
import { StaffPages, type StaffVisit } from '../frame/staff-pages.js';
import { type RuleDraft, RULES_PATH, staffRulesPage } from './rules.page.js';

const MAX_RULE = 5_000;
const MAX_PRIORITY = 1_000_000;

class RuleFormBody extends SentFormBody {
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
  list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    return this.pages.open(request, response, (visit) => this.page(visit));
  }

  @Post()
  @SignedIn('admin:write')
  create(
    @Input(RuleFormBody) body: RuleFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { text, hint, priority } = body;
    const create = async ({ auth }: StaffVisit) => {
      await this.changes.createRule(auth, { text, hint, priority });
      return RULES_PATH;
    };
    return this.pages.submit(request, response, body, create, (visit, alarm) =>
      this.page(visit, { alarm, typed: body }),
    );
  }

  @Post(':id')
  @SignedIn('admin:write')
  update(
    @Param('id') id: string,
    @Input(RuleFormBody) body: RuleFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { text, hint, priority } = body;
    const update = async ({ auth }: StaffVisit) => {
      await this.changes.updateRule(auth, id, { text, hint, priority });
      return RULES_PATH;
    };
    const retry = (visit: StaffVisit, alarm: string) => this.page(visit, { alarm, id, typed: body });
    return this.pages.submit(request, response, body, update, retry);
  }

  @Post(':id/delete')
  @SignedIn('admin:write')
  remove(
    @Param('id') id: string,
    @Input(SentFormBody) body: SentFormBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.pages.act(request, response, body, ({ auth }) => this.changes.deleteRule(auth, id));
  }

  private async page({ t, session, may }: StaffVisit, draft?: RuleDraft): Promise<PageContent> {
    return staffRulesPage(t, session, await this.rules.all(), may('admin:write'), draft);
  }
}
