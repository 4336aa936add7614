import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  clientAddress,
  DomainError,
  Input,
  Invalid,
  noticeUrl,
  OptionalAuth,
  Pages,
  RateLimit,
  RootApi,
  TooManyRequests,
  ViewerId,
} from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { AuthorizeQuery, LoginBody, SubscribeBody, SubscribeQuery } from './remote-follow.dto.js';
import { subscribePage } from './remote-follow.pages.js';
import { RemoteFollowService, SUBSCRIBE_PATH } from './remote-follow.service.js';

/** Why a follow failed: the status and the text of the page. */
interface Problem {
  readonly status: number;
  readonly text: 'interact.wrong' | 'interact.failed';
}

const WRONG: Problem = { status: 401, text: 'interact.wrong' };

/** The page to which other servers send local users who want to follow an account there. */
@RootApi('')
export class SubscribeController {
  constructor(
    private readonly remote: RemoteFollowService,
    private readonly pages: Pages,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Get('ostatus_subscribe')
  @OptionalAuth()
  @RateLimit('search')
  async form(
    @Input(SubscribeQuery) { acct }: SubscribeQuery,
    @ViewerId() viewerId: string | undefined,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const found = await this.remote.find(acct, viewerId);
    if (typeof found === 'string') {
      response.redirect(noticeUrl(this.env.baseUrl, found));
      return;
    }
    const t = this.pages.translator(request);
    this.pages.page(t, subscribePage(t, found)).send(response);
  }

  /** Follows with the token of the request, or with a name and a password. */
  @Post('ostatus_subscribe')
  @OptionalAuth('follow', 'write:follows')
  @RateLimit('relations_actions')
  async subscribe(
    @Input(SubscribeBody) { user, authorization }: SubscribeBody,
    @ViewerId() viewerId: string | undefined,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const id = user?.id ?? authorization?.id;
    if (id === undefined) throw new Invalid('Bad Request');
    const accountId = viewerId ?? (await this.signIn(request, authorization));
    const problem = accountId === undefined ? WRONG : await this.follow(accountId, id);
    if (problem === undefined) response.redirect(`${this.env.baseUrl}/users/${id}`);
    else await this.refuse(request, response, id, problem);
  }

  @Get('authorize_interaction')
  @OptionalAuth()
  authorize(@Input(AuthorizeQuery) { uri }: AuthorizeQuery, @Res() response: Response): void {
    response.redirect(`${SUBSCRIBE_PATH}?acct=${encodeURIComponent(uri)}`);
  }

  private signIn(request: ApiRequest, { name, password }: LoginBody = new LoginBody()): Promise<string | undefined> {
    return this.remote.signIn(name, password, clientAddress(request, this.env.trustedProxies));
  }

  /** Why the account cannot follow; undefined when it does. */
  private async follow(accountId: string, id: string): Promise<Problem | undefined> {
    try {
      await this.remote.follow(accountId, id);
      return undefined;
    } catch (error) {
      if (error instanceof DomainError && !(error instanceof TooManyRequests)) {
        return { status: error.status, text: 'interact.failed' };
      }
      throw error;
    }
  }

  private async refuse(request: ApiRequest, response: Response, id: string, { status, text }: Problem): Promise<void> {
    const account = await this.remote.followee(id);
    const t = this.pages.translator(request);
    this.pages.page(t, subscribePage(t, account, t.text(text))).send(response.status(status));
  }
}
