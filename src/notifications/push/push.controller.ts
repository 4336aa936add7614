import { Delete, Get, Post, Put } from '@nestjs/common';
import {
  Answers,
  type Auth,
  ClientApi,
  CurrentAuth,
  CurrentToken,
  Input,
  NothingShape,
  Scopes,
  Summary,
  Unauthorized,
} from '../../common/index.js';
import { PushChangesBody, PushSubscriptionBody } from './push.dto.js';
import type { PushSubscriptionJson } from './push-subscription.shape.js';
import { PushSubscriptionView } from './push-subscription.view.js';
import { PushSubscriptionsService } from './push-subscriptions.service.js';
import { PushSubscriptionShape } from './push-subscription.shape.js';

/** `/api/v1/push/subscription` (spec §4.3): the one subscription of the caller's token. */
@ClientApi('v1', 'push/subscription')
export class PushController {
  constructor(
    private readonly subscriptions: PushSubscriptionsService,
    private readonly view: PushSubscriptionView,
  ) {}

  @Summary("Shows the push subscription of the caller's token.")
  @Get()
  @Scopes('push')
  @Answers(PushSubscriptionShape)
  async show(@CurrentAuth() auth: Auth): Promise<PushSubscriptionJson> {
    return this.view.one(await this.subscriptions.ofToken(tokenIdOf(auth)));
  }

  @Summary("Creates or replaces the push subscription of the caller's token.")
  @Post()
  @Scopes('push')
  @Answers(PushSubscriptionShape)
  async subscribe(
    @CurrentAuth() auth: Auth,
    @CurrentToken() token: string,
    @Input(PushSubscriptionBody) input: PushSubscriptionBody,
  ): Promise<PushSubscriptionJson> {
    const subscriber = { tokenId: tokenIdOf(auth), token };
    return this.view.one(await this.subscriptions.subscribe(subscriber, input.target(), input.choice()));
  }

  @Summary("Changes which notifications the token's subscription pushes.")
  @Put()
  @Scopes('push')
  @Answers(PushSubscriptionShape)
  async change(
    @CurrentAuth() auth: Auth,
    @Input(PushChangesBody) input: PushChangesBody,
  ): Promise<PushSubscriptionJson> {
    return this.view.one(await this.subscriptions.change(tokenIdOf(auth), input.choice()));
  }

  @Summary("Ends the push subscription of the caller's token.")
  @Delete()
  @Scopes('push')
  @Answers(NothingShape)
  async unsubscribe(@CurrentAuth() auth: Auth): Promise<object> {
    await this.subscriptions.unsubscribe(tokenIdOf(auth));
    return {};
  }
}

function tokenIdOf({ tokenId }: Auth): string {
  if (tokenId === null) throw new Unauthorized();
  return tokenId;
}
