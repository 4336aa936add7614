import { Param, Post } from '@nestjs/common';
import { Answers, ClientApi, CurrentAccount, type Json, Scopes, Summary } from '../../common/index.js';
import { PlainStatusShape } from '../rendering/status.shape.js';
import { StatusView } from '../rendering/status.view.js';
import { PinsService } from './pins.service.js';

/** `/api/v1/statuses/:id/pin` and `unpin`. */
@ClientApi('v1', 'statuses/:id')
export class PinsController {
  constructor(
    private readonly pins: PinsService,
    private readonly view: StatusView,
  ) {}

  @Summary('Pins a post of the caller to the profile.')
  @Post('pin')
  @Scopes('write:accounts')
  @Answers(PlainStatusShape)
  async pin(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.pins.pin(id, viewerId), { viewerId });
  }

  @Summary('Unpins a post from the profile.')
  @Post('unpin')
  @Scopes('write:accounts')
  @Answers(PlainStatusShape)
  async unpin(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.pins.unpin(id, viewerId), { viewerId });
  }
}
