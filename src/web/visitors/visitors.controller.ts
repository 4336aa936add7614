import { Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  type HtmlPage,
  Input,
  NotFound,
  Pages,
  prefersDocument,
  Public,
  RateLimit,
  RootApi,
} from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { ATOM } from './atom.js';
import { filePart } from '../parts/status.part.js';
import { explorePage } from './explore.page.js';
import { herePage } from './here.page.js';
import { peoplePage, type Relation } from './people.page.js';
import { statusPage, titleOf } from './status.page.js';
import { profilePage } from './profile.page.js';
import { PublicFeedsService } from './public-feeds.service.js';
import { RSS } from './rss.js';
import { sendFeed } from './send-feed.js';
import { playable, tagPageUrl } from '../parts/shown.js';
import { tagPage } from './tag.page.js';
import { ProfileQuery, VisitorQuery } from './visitor.dto.js';
import { PAGE_CACHE, VisitorPagesService } from './visitor-pages.service.js';
import { VisitorsService } from './visitors.service.js';

/** Pages of accounts, posts and hashtags for visitors without an app. They need no script. */
@RootApi('')
export class VisitorsController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly pages: Pages,
    private readonly visitors: VisitorsService,
    private readonly feeds: PublicFeedsService,
    private readonly files: MediaUrls,
    private readonly send: VisitorPagesService,
  ) {}

  @Get('@:nickname')
  @Public()
  async profile(
    @Param('nickname') nickname: string,
    @Input(ProfileQuery) { max_id: maxId, show: tab = 'posts' }: ProfileQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.send.answer(request, response, async (t) => {
      const account = await this.visitors.account(nickname);
      if (prefersDocument(request)) return account.apId;
      const [profile, page] = await Promise.all([
        this.visitors.profile(account),
        this.visitors.statusesOf(account, tab, maxId),
      ]);
      return profilePage(t, profile, page, `${this.env.baseUrl}/users/${account.nickname}/feed`);
    });
  }

  /** The followers of an account, where its owner shows them. */
  @Get('@:nickname/followers')
  @Public()
  async followers(
    @Param('nickname') nickname: string,
    @Input(VisitorQuery) query: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.people(nickname, 'followers', query, request, response);
  }

  /** The accounts that an account follows, like its followers. */
  @Get('@:nickname/following')
  @Public()
  async following(
    @Param('nickname') nickname: string,
    @Input(VisitorQuery) query: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.people(nickname, 'following', query, request, response);
  }

  /** Trending hashtags and posts, and people. */
  @Get('explore')
  @Public()
  @RateLimit('timeline:public')
  async explore(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.send.answer(request, response, async (t) => explorePage(t, await this.visitors.trends()));
  }

  /** The address of the local timeline on other servers. */
  @Get('public')
  @Public()
  async public(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.send.answer(request, response, () => Promise.resolve('/main/public'));
  }

  /** The local accounts and their posts. */
  @Get('main/public')
  @Public()
  @RateLimit('timeline:public')
  async here(
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.send.answer(request, response, async (t) => herePage(t, await this.visitors.here(maxId)));
  }

  /** Redirects a boost to its post, and a remote post to its own page. */
  @Get('notice/:id')
  @Public()
  async post(@Param('id') id: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.send.answer(request, response, async (t) => {
      const post = await this.visitors.post(id);
      if (prefersDocument(request)) return post.uri;
      if (!post.isLocal || post.id !== id) return post.url;
      return statusPage(t, post, await this.visitors.thread(id));
    });
  }

  /** The player of a post's video or recording, for previews that embed it. */
  @Get('notice/:id/embed_player')
  @Public()
  async player(
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HtmlPage> {
    const post = await this.visitors.post(id);
    const file = post.isLocal ? playable(post) : undefined;
    if (!file) throw new NotFound('Not found');
    const t = this.pages.translator(request);
    response.set('Cache-Control', PAGE_CACHE);
    const { sources } = this.files;
    return this.pages.bare(t, { title: titleOf(t, post), main: filePart(t, file), sources });
  }

  /** The page of a tag, or its feed for clients that ask for one. Apps and posts use the address without the `s`. */
  @Get(['tags/:tag', 'tag/:tag'])
  @Public()
  @RateLimit('timeline:tag')
  async tag(
    @Param('tag') tag: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    response.vary('Accept');
    const type = request.accepts(['html', ATOM, RSS]);
    if (type === ATOM || type === RSS) {
      const format = type === ATOM ? 'atom' : 'rss';
      sendFeed(request, response, format, await this.feeds.tagged(tag, format, maxId));
      return;
    }
    await this.send.answer(request, response, async (t) => {
      const page = await this.visitors.tagged(tag, maxId);
      return tagPage(t, page, tagPageUrl(this.env.baseUrl, page.name));
    });
  }

  private async people(
    nickname: string,
    relation: Relation,
    { max_id: maxId }: VisitorQuery,
    request: ApiRequest,
    response: Response,
  ): Promise<void> {
    await this.send.answer(request, response, async (t) => {
      const account = await this.visitors.account(nickname);
      if (prefersDocument(request)) return `${account.apId}/${relation}`;
      const [profile, page] = await Promise.all([
        this.visitors.profile(account),
        this.visitors.related(account, relation, maxId),
      ]);
      return peoplePage(t, profile, relation, page);
    });
  }
}
