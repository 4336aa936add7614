import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  DomainError,
  Input,
  Invalid,
  OptionalAuth,
  Pages,
  Public,
  RateLimit,
  RootApi,
  TooManyRequests,
  ViewerId,
} from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { BrowserSessions, codeNeededPage } from '../../sign-in/index.js';
import { AuthorizeQuery, LoginBody, SubscribeBody, SubscribeQuery } from './remote-follow.dto.js';
import { subscribePage } from './remote-follow.pages.js';
import { RemoteFollowService, SUBSCRIBE_PATH } from './remote-follow.service.js';

const UNAUTHORIZED = 401;

/** Why a follow failed. */
interface Problem {
  readonly status: number;
  readonly text: 'interact.wrong' | 'interact.failed';
  readonly isSignedIn: boolean;
}

/** The page to which other servers send local users who want to follow an account there. */
@RootApi('')
export class SubscribeController {
  constructor(
    private readonly remote: RemoteFollowService,
    private readonly sessions: BrowserSessions,
    private readonly pages: Pages,
    private readonly anonymous: AnonymousAccess,
  ) {}

  /**
   * The browser comes from another server, so the guards do not let its cookie stand for its owner (threat O18): the page
   * looks for the session itself, since it changes nothing. Posts are answered on the page of signed-in people.
   */
  @Get('ostatus_subscribe')
  @Public()
  @RateLimit('search')
  async form(
    @Input(SubscribeQuery) { acct }: SubscribeQuery,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { sessions, anonymous } = this;
    const session = anonymous.closesServer ? await sessions.require(request) : await sessions.find(request);
    const viewerId = session?.accountId ?? undefined;
    const found = await this.remote.find(acct, viewerId);
    if (typeof found === 'string') {
      response.redirect(`/app/posts/${found}`);
      return;
    }
    const t = this.pages.translator(request);
    this.pages.page(t, subscribePage(t, found, viewerId !== undefined)).send(response);
  }

  /** Follows as the caller, or signs in with a name and a password first: with a second factor the page comes again (threat O28). */
  @Post('ostatus_subscribe')
  @OptionalAuth('follow', 'write:follows')
  @RateLimit('relations_actions', 'follows')
  async subscribe(
    @Input(SubscribeBody) { user, authorization }: SubscribeBody,
    @ViewerId() viewerId: string | undefined,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    const id = user?.id ?? authorization?.id;
    if (id === undefined) throw new Invalid('Bad Request');
    const accountId = viewerId ?? (await this.signIn(id, authorization, request, response));
    if (accountId === undefined) return;
    const status = await this.problemOf(accountId, id);
    if (status === undefined) response.redirect(`/app/people/${id}`);
    else await this.refuse(request, response, id, { status, text: 'interact.failed', isSignedIn: true });
  }

  @Get('authorize_interaction')
  @Public()
  authorize(@Input(AuthorizeQuery) { uri }: AuthorizeQuery, @Res() response: Response): void {
    response.redirect(`${SUBSCRIBE_PATH}?acct=${encodeURIComponent(uri)}`);
  }

  /** The account that signs in; undefined when a page was sent instead. */
  private async signIn(
    id: string,
    { name, password }: LoginBody = new LoginBody(),
    request: ApiRequest,
    response: Response,
  ): Promise<string | undefined> {
    this.sessions.requireOwnForm(request);
    const { apId: acct } = await this.remote.followee(id);
    const next = { return_to: `${SUBSCRIBE_PATH}?${new URLSearchParams({ acct }).toString()}` };
    const result = await this.sessions.signIn({ login: name, password, next }, request, response);
    if (result.kind === 'signed-in') return result.session.accountId;
    if (result.kind === 'code-needed') {
      const t = this.pages.translator(request);
      this.pages
        .page(t, codeNeededPage(t, { challenge: result.challenge, type: 'totp', returnTo: next.return_to }))
        .send(response);
    } else
      await this.refuse(request, response, id, { status: UNAUTHORIZED, text: 'interact.wrong', isSignedIn: false });
    return undefined;
  }

  /** The status of the reason why an account cannot follow; undefined when it does. */
  private async problemOf(accountId: string, id: string): Promise<number | undefined> {
    try {
      await this.remote.follow(accountId, id);
      return undefined;
    } catch (error) {
      if (error instanceof DomainError && !(error instanceof TooManyRequests)) return error.status;
      throw error;
    }
  }

  private async refuse(request: ApiRequest, response: Response, id: string, problem: Problem): Promise<void> {
    const account = await this.remote.followee(id);
    const t = this.pages.translator(request);
    const page = subscribePage(t, account, problem.isSignedIn, t.text(problem.text));
    this.pages.page(t, page).send(response.status(problem.status));
  }
}
