import { Get, Param, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, Input, Public, RateLimit, RootApi } from '../../common/index.js';
import { ATOM } from './atom.js';
import { PublicFeedsService } from './public-feeds.service.js';
import { RSS } from './rss.js';
import { sendFeed } from './send-feed.js';
import { VisitorQuery } from './visitor.dto.js';

/** Feeds of accounts and hashtags for feed readers. `.rss` and `.atom` name the format. */
@RootApi('')
export class PublicFeedsController {
  constructor(private readonly feeds: PublicFeedsService) {}

  /** In the format that the client prefers, else Atom. */
  @Get('users/:nickname/feed')
  @Public()
  async ofAccount(
    @Param('nickname') nickname: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const format = request.accepts([ATOM, RSS]) === RSS ? 'rss' : 'atom';
    const feed = await this.feeds.ofAccount(nickname, format, maxId);
    sendFeed(request, response.vary('Accept'), format, feed);
  }

  @Get('users/:nickname/feed.atom')
  @Public()
  async atomOfAccount(
    @Param('nickname') nickname: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendFeed(request, response, 'atom', await this.feeds.ofAccount(nickname, 'atom', maxId));
  }

  @Get('users/:nickname/feed.rss')
  @Public()
  async rssOfAccount(
    @Param('nickname') nickname: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendFeed(request, response, 'rss', await this.feeds.ofAccount(nickname, 'rss', maxId));
  }

  @Get('tags/:tag.atom')
  @Public()
  @RateLimit('timeline:tag')
  async atomOfTag(
    @Param('tag') tag: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendFeed(request, response, 'atom', await this.feeds.tagged(tag, 'atom', maxId));
  }

  @Get('tags/:tag.rss')
  @Public()
  @RateLimit('timeline:tag')
  async rssOfTag(
    @Param('tag') tag: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    sendFeed(request, response, 'rss', await this.feeds.tagged(tag, 'rss', maxId));
  }
}
