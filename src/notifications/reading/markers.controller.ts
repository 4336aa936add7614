import { Get, Post } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, Input, type Json, Scopes, Summary } from '../../common/index.js';
import { MarkerView } from './marker.view.js';
import { MarkersService } from './markers.service.js';
import { MarkersBody, MarkersQuery } from './notifications.dto.js';
import { MarkersShape } from './marker.shape.js';

/** `/api/v1/markers` (reference): the caller's reading positions. */
@ClientApi('v1', 'markers')
export class MarkersController {
  constructor(
    private readonly markers: MarkersService,
    private readonly view: MarkerView,
  ) {}

  @Summary("Shows the caller's reading positions on timelines.")
  @Get()
  @Scopes('read:statuses')
  @Answers(MarkersShape)
  async show(@CurrentAccount() accountId: string, @Input(MarkersQuery) query: MarkersQuery): Promise<Json> {
    return this.view.many(accountId, await this.markers.of(accountId, query.timelines()));
  }

  @Summary("Saves the caller's reading positions on timelines.")
  @Post()
  @Scopes('write:statuses')
  @Answers(MarkersShape)
  async save(@CurrentAccount() accountId: string, @Input(MarkersBody) input: MarkersBody): Promise<Json> {
    return this.view.many(accountId, await this.markers.save(accountId, input.positions()));
  }
}
