import { Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Answers, type Auth, ClientApi, CurrentAuth, Input, OptionalAuth, Scopes, TextShape } from '../common/index.js';
import { EventStreams } from './event-streams.service.js';
import { ListStreamQuery, PublicStreamQuery, TagStreamQuery } from './streaming.dto.js';

/** The streams as server-sent events (reference): one for each request. Browsers give their token as `access_token`. */
@ClientApi('v1', 'streaming')
export class EventStreamsController {
  constructor(private readonly streams: EventStreams) {}

  @Get('user')
  @Scopes('read:statuses')
  @Answers(TextShape, 'text/event-stream')
  user(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user' }, auth, response);
  }

  @Get('user/notification')
  @Scopes('read:notifications')
  @Answers(TextShape, 'text/event-stream')
  notifications(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user:notification' }, auth, response);
  }

  @Get('public')
  @OptionalAuth('read:statuses')
  @Answers(TextShape, 'text/event-stream')
  public(
    @CurrentAuth() auth: Auth | undefined,
    @Input(PublicStreamQuery) query: PublicStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: query.of('public') }, auth, response);
  }

  @Get('public/local')
  @OptionalAuth('read:statuses')
  @Answers(TextShape, 'text/event-stream')
  local(
    @CurrentAuth() auth: Auth | undefined,
    @Input(PublicStreamQuery) query: PublicStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: query.of('public:local') }, auth, response);
  }

  @Get('hashtag')
  @OptionalAuth('read:statuses')
  @Answers(TextShape, 'text/event-stream')
  hashtag(
    @CurrentAuth() auth: Auth | undefined,
    @Input(TagStreamQuery) { tag }: TagStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'hashtag', tag }, auth, response);
  }

  @Get('hashtag/local')
  @OptionalAuth('read:statuses')
  @Answers(TextShape, 'text/event-stream')
  localHashtag(
    @CurrentAuth() auth: Auth | undefined,
    @Input(TagStreamQuery) { tag }: TagStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'hashtag:local', tag }, auth, response);
  }

  @Get('list')
  @Scopes('read:lists')
  @Answers(TextShape, 'text/event-stream')
  list(
    @CurrentAuth() auth: Auth,
    @Input(ListStreamQuery) { list }: ListStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'list', list }, auth, response);
  }

  @Get('direct')
  @Scopes('read:statuses')
  @Answers(TextShape, 'text/event-stream')
  direct(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'direct' }, auth, response);
  }
}
