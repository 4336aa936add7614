import { HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import { type ApiRequest, OwnBody, Public, RootApi } from '../../common/index.js';
import { InboxService } from './inbox.service.js';
import { FederatingGuard } from '../signatures/federating.guard.js';

const ACCEPTED = 202;

/** Where other servers send activities (ActivityPub §7). The answer says only that an activity was received. */
@RootApi('')
@UseGuards(FederatingGuard)
export class InboxController {
  constructor(private readonly inbox: InboxService) {}

  @Post('inbox')
  @Public()
  @OwnBody()
  @HttpCode(ACCEPTED)
  async shared(@Req() request: ApiRequest): Promise<void> {
    await this.inbox.receive(request, null);
  }

  @Post('users/:nickname/inbox')
  @Public()
  @OwnBody()
  @HttpCode(ACCEPTED)
  async personal(@Req() request: ApiRequest, @Param('nickname') nickname: string): Promise<void> {
    await this.inbox.receive(request, nickname);
  }

  /** The inboxes of actors that are no accounts. */
  @Post(['internal/fetch/inbox', 'relay/inbox'])
  @Public()
  @OwnBody()
  @HttpCode(ACCEPTED)
  async ofServer(@Req() request: ApiRequest): Promise<void> {
    await this.inbox.receive(request, null);
  }
}
