import { Param, Post, Put } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  RateLimit,
  Scopes,
  Summary,
} from '../../common/index.js';
import { PlainStatusShape } from '../rendering/status.shape.js';
import { StatusView } from '../rendering/status.view.js';
import { InteractionPolicyBody } from './quote-consent.dto.js';
import { QuoteConsentService } from './quote-consent.service.js';

/** `/api/v1/statuses/:id/interaction_policy`: who may quote a post. */
@ClientApi('v1', 'statuses/:id/interaction_policy')
export class QuoteConsentController {
  constructor(
    private readonly consent: QuoteConsentService,
    private readonly view: StatusView,
  ) {}

  @Summary('Changes who may quote a post of the caller.')
  @Put()
  @Answers(PlainStatusShape)
  @Scopes('write:statuses')
  @RateLimit('statuses_actions')
  async choose(
    @CurrentAccount() accountId: string,
    @Param('id') id: string,
    @Input(InteractionPolicyBody) input: InteractionPolicyBody,
  ): Promise<Json> {
    await this.consent.choose(id, accountId, input.policy());
    return this.view.one(id, { viewerId: accountId });
  }
}

/** The two posts of a quote. */
interface QuoteParams {
  readonly id: string;
  readonly quoting_status_id: string;
}

/** `/api/v1/statuses/:id/quotes/:quoting_status_id/revoke`: the author of a quoted post takes the consent back. */
@ClientApi('v1', 'statuses/:id/quotes/:quoting_status_id/revoke')
export class QuoteRevocationController {
  constructor(
    private readonly consent: QuoteConsentService,
    private readonly view: StatusView,
  ) {}

  @Summary("Takes back the consent to a quote of the caller's post.")
  @Post()
  @Answers(PlainStatusShape)
  @Scopes('write:statuses')
  @RateLimit('statuses_actions')
  async revoke(@CurrentAccount() accountId: string, @Param() { id, quoting_status_id }: QuoteParams): Promise<Json> {
    await this.consent.revoke(id, quoting_status_id, accountId);
    return this.view.one(quoting_status_id, { viewerId: accountId });
  }
}
