import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/index.js';
import { SignInModule } from '../../sign-in/index.js';
import { StatusesModule } from '../../statuses/index.js';
import { FetchModule } from '../fetch/fetch.module.js';
import { PoliciesModule } from '../policies/policies.module.js';
import { RemoteFollowService } from './remote-follow.service.js';
import { RemoteFollowController, RemoteInteractionController } from './remote-interaction.controller.js';
import { SubscribeController } from './subscribe.controller.js';

/** Follows and answers that begin on a page of one server and end on another. */
@Module({
  imports: [AccountsModule, FetchModule, PoliciesModule, SignInModule, StatusesModule],
  controllers: [RemoteFollowController, RemoteInteractionController, SubscribeController],
  providers: [RemoteFollowService],
})
export class RemoteFollowModule {}
