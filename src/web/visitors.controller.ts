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
} from '../common/index.js';
import { MediaUrls } from '../media/index.js';
import { ENV, type Env } from '../platform/index.js';
import { ATOM } from './atom.js';
import { filePart } from './post.part.js';
import { postPage, titleOf } from './post.page.js';
import { profilePage } from './profile.page.js';
import { PublicFeedsService } from './public-feeds.service.js';
import { RSS } from './rss.js';
import { sendFeed } from './send-feed.js';
import { playable, tagPageUrl } from './shown.js';
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
  ) {}

  @Get('@:nickname')
  @Public()
  async profile(
    @Param('nickname') nickname: string,
    @Input(VisitorQuery) { max_id: maxId }: VisitorQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const account = await this.visitors.account(nickname);
    if (prefersDocument(request)) {
      sentOn(response, account.ap_id);
      return;
    }
    const [profile, page] = await Promise.all([this.visitors.profile(account), this.visitors.postsOf(account, maxId)]);
    const feedUrl = `${this.env.baseUrl}/users/${account.nickname}/feed`;
    this.send(request, response, (t) => profilePage(t, profile, page, feedUrl));
  }

  /** Redirects a boost to its post, and a remote post to its own page. */
  @Get('notice/:id')
  @Public()
  async post(@Param('id') id: string, @Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const post = await this.visitors.post(id);
    if (prefersDocument(request)) sentOn(response, post.uri);
    else if (!post.isLocal || post.id !== id) sentOn(response, post.url);
    else {
      const thread = await this.visitors.thread(id);
      this.send(request, response, (t) => postPage(t, post, thread));
    }
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
    const page = await this.visitors.tagged(tag, maxId);
    this.send(request, response, (t) => tagPage(t, page, tagPageUrl(this.env.baseUrl, page.name)));
  }

  private send(request: ApiRequest, response: Response, content: (t: Translator) => PageContent): void {
    const t = this.pages.translator(request);
    response.set('Cache-Control', PAGE_CACHE).vary('Accept');
    this.pages.page(t, { ...content(t), sources: this.files.sources }).send(response);
  }
}

/** Redirects; the target negotiates the format too. */
function sentOn(response: Response, url: string): void {
  response.vary('Accept').redirect(url);
}
