import { Param, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Describe,
  DurationSeconds,
  Input,
  type Json,
  Scopes,
  Summary,
} from '../../common/index.js';
import { PlainStatusShape } from '../rendering/status.shape.js';
import { StatusView } from '../rendering/status.view.js';
import { ThreadMutesService } from './thread-mutes.service.js';

class ThreadMuteBody {
  @Describe('After how many seconds it ends; 0: never.')
  @DurationSeconds()
  expires_in = 0;
}

/** `/api/v1/statuses/:id/mute` and `unmute`: for the thread of the status. */
@ClientApi('v1', 'statuses/:id')
export class ThreadMutesController {
  constructor(
    private readonly mutes: ThreadMutesService,
    private readonly view: StatusView,
  ) {}

  @Summary('Mutes the notifications of a thread, for good or for a time.')
  @Post('mute')
  @Scopes('write:mutes')
  @Answers(PlainStatusShape)
  async mute(
    @CurrentAccount() viewerId: string,
    @Param('id') id: string,
    @Input(ThreadMuteBody) { expires_in: expiresIn }: ThreadMuteBody,
  ): Promise<Json> {
    return this.view.one(await this.mutes.mute(id, viewerId, expiresIn), { viewerId });
  }

  @Summary('Unmutes the notifications of a thread.')
  @Post('unmute')
  @Scopes('write:mutes')
  @Answers(PlainStatusShape)
  async unmute(@CurrentAccount() viewerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.mutes.unmute(id, viewerId), { viewerId });
  }
}
