import { Get, Param } from '@nestjs/common';
import { Answers, ClientApi, type Json, OptionalAuth, ViewerId } from '../../common/index.js';
import { CardOrNothingShape } from '../rendering/card.shape.js';
import { CardView } from './card.view.js';
import { CardsService } from './cards.service.js';

/** `/api/v1/statuses/:id/card`, from before cards stood in their posts. */
@ClientApi('v1', 'statuses/:id/card')
export class CardController {
  constructor(
    private readonly cards: CardsService,
    private readonly view: CardView,
  ) {}

  @Get()
  @OptionalAuth('read:statuses')
  @Answers(CardOrNothingShape)
  async show(@Param('id') id: string, @ViewerId() viewerId?: string): Promise<Json> {
    return this.view.orNothing(await this.cards.ofStatus(id, viewerId));
  }
}
