import { applyDecorators, Get, Header, HttpCode, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Answers,
  type Auth,
  BooleanLike,
  ClientApi,
  CurrentAuth,
  Describe,
  Input,
  OptionalAuth,
  OptionalId,
  Public,
  RequiredText,
  Scopes,
  Summary,
  TextShape,
  UpgradeRequired,
} from '../../common/index.js';
import { EventStreamsService } from './event-streams.service.js';

const MAX_TAG = 128;

export class PublicStreamQuery {
  @Describe('Whether to stream only posts with media.')
  @BooleanLike()
  only_media?: boolean;

  /** The stream of posts with media, or of all posts. */
  streamName(stream: 'public' | 'public:local'): string {
    return this.only_media ? `${stream}:media` : stream;
  }
}

export class TagStreamQuery {
  @Describe('The hashtag, without `#`.')
  @RequiredText({ max: MAX_TAG })
  tag: string;
}

export class ListStreamQuery {
  @Describe('The id of the list.')
  @OptionalId()
  list?: string;
}

/** A route that responds with a stream. */
const StreamRoute = (path: string, access: MethodDecorator) =>
  applyDecorators(Get(path), access, Answers(TextShape, 'text/event-stream'));

/** The streams as server-sent events, one stream for each request. Browsers send their token as `access_token`. */
@ClientApi('v1', 'streaming')
export class EventStreamsController {
  constructor(private readonly streams: EventStreamsService) {}

  @Summary('Opens a WebSocket for the streams; a plain request gets 426.')
  @Get()
  @HttpCode(101)
  @Public()
  connect(): never {
    throw new UpgradeRequired('Connect to this address with a WebSocket');
  }

  @Summary('Shows that streams are available.')
  @Get('health')
  @Public()
  @Header('Content-Type', 'text/plain')
  @Answers(TextShape, 'text/plain')
  health(): string {
    return 'OK';
  }

  @Summary("Streams the caller's home timeline and notifications.")
  @StreamRoute('user', Scopes('read:statuses'))
  user(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user' }, auth, response);
  }

  @Summary("Streams the caller's notifications.")
  @StreamRoute('user/notification', Scopes('read:notifications'))
  notifications(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'user:notification' }, auth, response);
  }

  @Summary('Streams all public posts.')
  @StreamRoute('public', OptionalAuth('read:statuses'))
  public(
    @CurrentAuth() auth: Auth | undefined,
    @Input(PublicStreamQuery) query: PublicStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: query.streamName('public') }, auth, response);
  }

  @Summary('Streams the public posts of this server.')
  @StreamRoute('public/local', OptionalAuth('read:statuses'))
  local(
    @CurrentAuth() auth: Auth | undefined,
    @Input(PublicStreamQuery) query: PublicStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: query.streamName('public:local') }, auth, response);
  }

  @Summary('Streams the public posts with a hashtag.')
  @StreamRoute('hashtag', OptionalAuth('read:statuses'))
  hashtag(
    @CurrentAuth() auth: Auth | undefined,
    @Input(TagStreamQuery) { tag }: TagStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'hashtag', tag }, auth, response);
  }

  @Summary('Streams the public posts of this server with a hashtag.')
  @StreamRoute('hashtag/local', OptionalAuth('read:statuses'))
  localHashtag(
    @CurrentAuth() auth: Auth | undefined,
    @Input(TagStreamQuery) { tag }: TagStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'hashtag:local', tag }, auth, response);
  }

  @Summary("Streams the posts of one of the caller's lists.")
  @StreamRoute('list', Scopes('read:lists'))
  list(
    @CurrentAuth() auth: Auth,
    @Input(ListStreamQuery) { list }: ListStreamQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open({ stream: 'list', list }, auth, response);
  }

  @Summary("Streams the caller's direct messages.")
  @StreamRoute('direct', Scopes('read:statuses'))
  direct(@CurrentAuth() auth: Auth, @Res() response: Response): Promise<void> {
    return this.streams.open({ stream: 'direct' }, auth, response);
  }
}
