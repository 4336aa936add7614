import { Delete, Get, Param, Put } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Describe,
  Input,
  type Json,
  type Page,
  PageQuery,
  RequiredText,
  Scopes,
  Summary,
} from '../../common/index.js';
import { ScheduledService } from './scheduled.service.js';
import { ScheduledView } from './scheduled.view.js';
import { ScheduledStatusShape } from './scheduled.shape.js';

const WORD_LENGTH = 255;

/** `PUT /api/v1/scheduled_statuses/:id`. */
export class RescheduleBody {
  @Describe('The new time (ISO 8601), at least five minutes ahead.')
  @RequiredText({ max: WORD_LENGTH })
  scheduled_at: string;
}

/** `/api/v1/scheduled_statuses`: the caller's scheduled posts. */
@ClientApi('v1', 'scheduled_statuses')
export class ScheduledController {
  constructor(
    private readonly scheduled: ScheduledService,
    private readonly view: ScheduledView,
  ) {}

  @Summary("Lists the caller's scheduled posts.")
  @Get()
  @Scopes('read:statuses')
  @Answers([ScheduledStatusShape])
  async list(@CurrentAccount() accountId: string, @Input(PageQuery) query: PageQuery): Promise<Page<Json>> {
    const page = await this.scheduled.page(accountId, query);
    return page.map((row) => this.view.one(row));
  }

  @Summary('Shows one scheduled post.')
  @Get(':id')
  @Scopes('read:statuses')
  @Answers(ScheduledStatusShape)
  async one(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.scheduled.one(id, accountId));
  }

  @Summary('Changes the time of a scheduled post, to one at least five minutes ahead.')
  @Put(':id')
  @Scopes('write:statuses')
  @Answers(ScheduledStatusShape)
  async move(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(RescheduleBody) input: RescheduleBody,
  ): Promise<Json> {
    await this.scheduled.move(id, accountId, input.scheduled_at);
    return this.view.one(await this.scheduled.one(id, accountId));
  }

  @Summary('Cancels a scheduled post.')
  @Delete(':id')
  @Scopes('write:statuses')
  @Answers(ScheduledStatusShape)
  async remove(@CurrentAccount() accountId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.scheduled.remove(id, accountId));
  }
}
