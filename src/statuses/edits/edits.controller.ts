import { Get, Param, Put } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  OptionalAuth,
  RateLimit,
  Scopes,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { StatusEditShape } from './edit.shape.js';
import { EditView } from './edit.view.js';
import { EditsService } from './edits.service.js';
import { PlainStatusShape } from '../rendering/status.shape.js';
import { StatusView } from '../rendering/status.view.js';
import { EditStatusBody } from './edits.dto.js';

/** `/api/v1/statuses/:id`: edits of a post, and its history. */
@ClientApi('v1', 'statuses/:id')
export class EditsController {
  constructor(
    private readonly edits: EditsService,
    private readonly view: StatusView,
    private readonly editView: EditView,
  ) {}

  @Summary('Edits a post of the caller; the former version stays in its history.')
  @Put()
  @Answers(PlainStatusShape)
  @Scopes('write:statuses')
  @RateLimit('statuses_actions')
  async edit(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(EditStatusBody) input: EditStatusBody,
  ): Promise<Json> {
    await this.edits.edit(id, accountId, input.options());
    return this.view.one(id, { viewerId: accountId });
  }

  @Summary('Lists the versions of a post, the oldest first.')
  @Get('history')
  @Answers([StatusEditShape])
  @OptionalAuth('read:statuses')
  async history(@ViewerId() viewerId: string | undefined, @Param('id') id: string): Promise<Json[]> {
    return this.editView.many(await this.edits.history(id, viewerId), { viewerId });
  }
}
