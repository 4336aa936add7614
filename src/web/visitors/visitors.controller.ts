import { Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  type HtmlPage,
  Input,
  NotFound,
  type PageContent,
  Pages,
  prefersDocument,
  Public,
  RootApi,
  type Translator,
} from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { FrontendPagesService } from '../frontends/frontend-pages.service.js';
import { ATOM } from './atom.js';
import { filePart } from '../parts/status.part.js';
import { herePage } from './here.page.js';
import { statusPage, titleOf } from './status.page.js';
import { profilePage } from './profile.page.js';
import { PublicFeedsService } from './public-feeds.service.js';
import { RSS } from './rss.js';
import { sendFeed } from './send-feed.js';
import { playable, tagPageUrl } from '../parts/shown.js';
import { tagPage } from './tag.page.js';
import { VisitorQuery } from './visitor.dto.js';
import { VisitorsService } from './visitors.service.js';

/** Short, since deleted and hidden posts should vanish soon. */
const PAGE_CACHE = 'public, max-age=60';

/** Pages of accounts, posts and hashtags for visitors without an app. They need no script. */
@RootApi('')
export class VisitorsController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly pages: Pages,
    private readonly visitors: VisitorsService,
    private readonly feeds: PublicFeedsService,
    private readonly files: MediaUrls,
    private readonly frontends: FrontendPagesService,
  ) {}

  @Get('@:nickname')
  @Public()
  async profile(
    @Param('nickname') nickname: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.answer(request, response, async (t) => {
      const account = await this.visitors.account(nickname);
      if (prefersDocument(request)) return account.apId;
      const [profile, page] = await Promise.all([
        this.visitors.profile(account),
        this.visitors.statusesOf(account, maxId),
      ]);
      return profilePage(t, profile, page, `${this.env.baseUrl}/users/${account.nickname}/feed`);
    });
  }

  /** The local accounts and their posts. */
  @Get('main/public')
  @Public()
  async here(
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.answer(request, response, async (t) => herePage(t, await this.visitors.here(maxId)));
  }

  /** Redirects a boost to its post, and a remote post to its own page. */
  @Get('notice/:id')
  @Public()
  async post(@Param('id') id: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.answer(request, response, async (t) => {
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
    await this.answer(request, response, async (t) => {
      const page = await this.visitors.tagged(tag, maxId);
      return tagPage(t, page, tagPageUrl(this.env.baseUrl, page.name));
    });
  }

  /**
   * Sends the page, or that of the frontend that the visitor sees: there people who are signed in may see more.
   * @param content gives the page, or the address to redirect to, which negotiates the format too
   */
  private async answer(
    request: ApiRequest,
    response: Response,
    content: (t: Translator) => Promise<PageContent | string>,
  ): Promise<void> {
    const t = this.pages.translator(request);
    response.vary('Accept');
    const page = await content(t).catch((error: unknown) => {
      if (error instanceof NotFound && !prefersDocument(request)) return error;
      throw error;
    });
    if (typeof page === 'string') {
      response.redirect(page);
      return;
    }
    if (await this.frontends.sendPage(request, response, page instanceof NotFound ? undefined : page)) return;
    if (page instanceof NotFound) throw page;
    response.set('Cache-Control', PAGE_CACHE);
    this.pages.page(t, { ...page, sources: this.files.sources }).send(response);
  }
}
