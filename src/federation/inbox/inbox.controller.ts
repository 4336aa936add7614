import { HttpCode, Param, Post, Req } from '@nestjs/common';
import { type ApiRequest, Public, RootApi } from '../../common/index.js';
import { InboxService } from './inbox.service.js';

const ACCEPTED = 202;

/** The inboxes: where other servers send activities (ActivityPub §7). */
@RootApi('')
export class InboxController {
  constructor(private readonly inbox: InboxService) {}

  @Post('inbox')
  @Public()
  @HttpCode(ACCEPTED)
  async shared(@Req() request: ApiRequest): Promise<void> {
    await this.receive(request, undefined);
  }

  @Post('users/:nickname/inbox')
  @Public()
  @HttpCode(ACCEPTED)
  async personal(@Req() request: ApiRequest, @Param('nickname') nickname: string): Promise<void> {
    await this.receive(request, nickname);
  }

  private receive(request: ApiRequest, nickname: string | undefined): Promise<void> {
    const { method, originalUrl: url, headers, rawBody, sent: json } = request;
    return this.inbox.receive({ method, url, headers, rawBody, json, nickname });
  }
}
