import { Get, Param } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  Input,
  type Json,
  OptionalAuth,
  type Page,
  PageQuery,
  Summary,
  SvcApi,
  ViewerId,
} from '../../common/index.js';
import { QuotesService } from './quotes.service.js';
import { PlainStatusShape } from '../rendering/status.shape.js';
import { StatusView } from '../rendering/status.view.js';

/** `C/statuses/:id/quotes` (spec §4.2). */
@SvcApi('statuses/:id/quotes')
export class QuotesController {
  constructor(
    private readonly quotes: QuotesService,
    private readonly view: StatusView,
  ) {}

  @Summary('Lists the posts that quote a post, the latest first.')
  @Get()
  @OptionalAuth('read:statuses')
  @Answers([PlainStatusShape])
  async list(
    @ViewerId() viewerId: string | undefined,
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
  ): Promise<Page<Json>> {
    return this.view.page(await this.quotes.of(id, query, viewerId), query, { viewerId });
  }
}

/** `/api/v1/statuses/:id/quotes`: the same under the path of the reference. */
@ClientApi('v1', 'statuses/:id/quotes')
export class StatusQuotesController extends QuotesController {}
