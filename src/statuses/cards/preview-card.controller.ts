import { Get, Param } from '@nestjs/common';
import { Answers, ClientApi, type Json, OptionalAuth, Summary, ViewerId } from '../../common/index.js';
import { PreviewCardOrNothingShape } from '../rendering/preview-card.shape.js';
import { PreviewCardView } from './preview-card.view.js';
import { PreviewCardsService } from './preview-cards.service.js';

/** `/api/v1/statuses/:id/card`, for apps from before posts contained their cards. */
@ClientApi('v1', 'statuses/:id/card')
export class PreviewCardController {
  constructor(
    private readonly cards: PreviewCardsService,
    private readonly view: PreviewCardView,
  ) {}

  @Summary('Shows the preview card of a post; empty if there is none.', { deprecated: true })
  @Get()
  @OptionalAuth('read:statuses')
  @Answers(PreviewCardOrNothingShape)
  async show(@Param('id') id: string, @ViewerId() viewerId?: string): Promise<Json> {
    return this.view.orNothing(await this.cards.ofStatus(id, viewerId));
  }
}
