import { applyDecorators, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Answers,
  type Auth,
  BooleanLike,
  ClientApi,
  CurrentAuth,
  Input,
  OptionalAuth,
  OptionalId,
  Public,
  RequiredText,
  Scopes,
  TextShape,
  UpgradeRequired,
} from '../../common/index.js';
import { EventStreamsService } from './event-streams.service.js';

const MAX_TAG = 128;

export class PublicStreamQuery {
  @BooleanLike() only_media?: boolean;

  /** The stream of posts with media, or of all posts. */
  streamName(stream: 'public' | 'public:local'): string {
    return this.only_media ? `${stream}:media` : stream;
  }
}

export class TagStreamQuery {
  @RequiredText({ max: MAX_TAG }) tag: string;
}

export class ListStreamQuery {
  @OptionalId() list?: string;
}

/** A route that responds with a stream. */
const StreamRoute = (path: string, access: MethodDecorator) =>
  applyDecorators(Get(path), access, Answers(TextShape, 'text/event-stream'));

/** The streams as server-sent events, one stream for each request. Browsers send their token as `access_token`. */
@ClientApi('v1', 'streaming')
export class EventStreamsController {
  constructor(private readonly streams: EventStreamsService) {}

  /** A plain request to the address of the WebSockets. */
  @Get()
  @Public()
  connect(): never {
    throw new UpgradeRequired('Connect to this address with a WebSocket');
  }

  /** For clients that check the streams before they connect. */
  @Get('health')
  @Public()
  @Header('Content-Type', 'text/plain')
  @Answers(TextShape, 'text/plain')
  health(): string {
    return 'OK';
  }

  @StreamRoute('user', Scopes('read:statuses'))
  user(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user' }, auth, response);
  }

  @StreamRoute('user/notification', Scopes('read:notifications'))
  notifications(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user:notification' }, auth, response);
  }

  @StreamRoute('public', OptionalAuth('read:statuses'))
  public(
    @CurrentAuth() auth: Auth | undefined,
    @Input(PublicStreamQuery) query: PublicStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: query.streamName('public') }, auth, response);
  }

  @StreamRoute('public/local', OptionalAuth('read:statuses'))
  local(
    @CurrentAuth() auth: Auth | undefined,
    @Input(PublicStreamQuery) query: PublicStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: query.streamName('public:local') }, auth, response);
  }

  @StreamRoute('hashtag', OptionalAuth('read:statuses'))
  hashtag(
    @CurrentAuth() auth: Auth | undefined,
    @Input(TagStreamQuery) { tag }: TagStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'hashtag', tag }, auth, response);
  }

  @StreamRoute('hashtag/local', OptionalAuth('read:statuses'))
  localHashtag(
    @CurrentAuth() auth: Auth | undefined,
    @Input(TagStreamQuery) { tag }: TagStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'hashtag:local', tag }, auth, response);
  }

  @StreamRoute('list', Scopes('read:lists'))
  list(
    @CurrentAuth() auth: Auth,
    @Input(ListStreamQuery) { list }: ListStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'list', list }, auth, response);
  }

  @StreamRoute('direct', Scopes('read:statuses'))
  direct(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'direct' }, auth, response);
  }
}
