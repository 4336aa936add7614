import { createHash } from 'node:crypto';
import { Get, Param, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, Input, OptionalId, Public, RootApi } from '../common/index.js';
import { ATOM } from './atom.js';
import { type FeedFormat, PublicFeeds } from './public-feeds.service.js';
import { RSS } from './rss.js';

const TYPES: Readonly<Record<FeedFormat, string>> = { atom: ATOM, rss: RSS };

class FeedQuery {
  /** Posts before this one. */
  @OptionalId() max_id?: string;
}

/** Feeds of accounts and hashtags, for programs that people read news with. `.rss` and `.atom` name the format. */
@RootApi('')
export class PublicFeedsController {
  constructor(private readonly feeds: PublicFeeds) {}

  /** In the format that the program prefers, else Atom. */
  @Get('users/:nickname/feed')
  @Public()
  async ofAccount(
    @Param('nickname') nickname: string,
    @Input(FeedQuery) { max_id: maxId }: FeedQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const format = request.accepts([ATOM, RSS]) === RSS ? 'rss' : 'atom';
    const feed = await this.feeds.ofAccount(nickname, format, maxId);
    send(request, response.vary('Accept'), format, feed);
  }

  @Get('users/:nickname/feed.atom')
  @Public()
  async atomOfAccount(
    @Param('nickname') nickname: string,
    @Input(FeedQuery) { max_id: maxId }: FeedQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    send(request, response, 'atom', await this.feeds.ofAccount(nickname, 'atom', maxId));
  }

  @Get('users/:nickname/feed.rss')
  @Public()
  async rssOfAccount(
    @Param('nickname') nickname: string,
    @Input(FeedQuery) { max_id: maxId }: FeedQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    send(request, response, 'rss', await this.feeds.ofAccount(nickname, 'rss', maxId));
  }

  @Get('tags/:tag.atom')
  @Public()
  async atomOfTag(
    @Param('tag') tag: string,
    @Input(FeedQuery) { max_id: maxId }: FeedQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    send(request, response, 'atom', await this.feeds.tagged(tag, 'atom', maxId));
  }

  @Get('tags/:tag.rss')
  @Public()
  async rssOfTag(
    @Param('tag') tag: string,
    @Input(FeedQuery) { max_id: maxId }: FeedQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    send(request, response, 'rss', await this.feeds.tagged(tag, 'rss', maxId));
  }
}

/** A program that has read the feed as it is now is told just that. */
function send(request: ApiRequest, response: Response, format: FeedFormat, feed: string): void {
  response.set({
    'Content-Type': `${TYPES[format]}; charset=utf-8`,
    'Cache-Control': 'public, max-age=180',
    ETag: `"${createHash('sha256').update(feed).digest('base64url').slice(0, 27)}"`,
  });
  if (request.fresh) response.status(304).end();
  else response.send(Buffer.from(feed));
}
