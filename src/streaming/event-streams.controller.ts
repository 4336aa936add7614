import { Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Auth, ClientApi, CurrentAuth, Input, OptionalAuth, Scopes } from '../common/index.js';
import { EventStreams } from './event-streams.service.js';
import { ListStreamQuery, TagStreamQuery } from './streaming.dto.js';

/** The streams as server-sent events (reference): one for each request. Browsers give their token as `access_token`. */
@ClientApi('v1', 'streaming')
export class EventStreamsController {
  constructor(private readonly streams: EventStreams) {}

  @Get('user')
  @Scopes('read:statuses')
  user(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user' }, auth, response);
  }

  @Get('user/notification')
  @Scopes('read:notifications')
  notifications(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user:notification' }, auth, response);
  }

  @Get('public')
  @OptionalAuth('read:statuses')
  public(@CurrentAuth() auth: Auth | undefined, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'public' }, auth, response);
  }

  @Get('public/local')
  @OptionalAuth('read:statuses')
  local(@CurrentAuth() auth: Auth | undefined, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'public:local' }, auth, response);
  }

  @Get('hashtag')
  @OptionalAuth('read:statuses')
  hashtag(
    @CurrentAuth() auth: Auth | undefined,
    @Input(TagStreamQuery) { tag }: TagStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'hashtag', tag }, auth, response);
  }

  @Get('list')
  @Scopes('read:lists')
  list(
    @CurrentAuth() auth: Auth,
    @Input(ListStreamQuery) { list }: ListStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'list', list }, auth, response);
  }

  @Get('direct')
  @Scopes('read:statuses')
  direct(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'direct' }, auth, response);
  }
}
