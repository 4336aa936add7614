import { Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Static, Type } from 'typebox';
import {
  Answers,
  type ApiRequest,
  Described,
  type HtmlPage,
  Input,
  Pages,
  Public,
  RateLimit,
  RefusalShape,
  RootApi,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { BrowserSessions } from '../../sign-in/index.js';
import { RemoteFollowBody, RemoteInteractionBody, SubjectQuery } from './remote-follow.dto.js';
import { remoteFollowPage } from './remote-follow.pages.js';
import { RemoteFollowService } from './remote-follow.service.js';

/** An unknown visitor is answered with 200 too. */
const RemoteInteractionShape = Type.Union([
  Type.Object(
    { url: Described(Type.String({ pattern: '^https?://' }), "The address of the page on the visitor's server.") },
    { additionalProperties: false },
  ),
  RefusalShape,
]);

const UNPROCESSABLE = 422;

/** Sends visitors with an account elsewhere to their server (spec §4.2). */
@SvcApi('')
export class RemoteInteractionController {
  constructor(private readonly remote: RemoteFollowService) {}

  @Summary("Finds the page on a visitor's own server where a post or an account is shown.")
  @Post('remote_interaction')
  @Public()
  @RateLimit('search')
  @Answers(RemoteInteractionShape)
  async interact(
    @Input(RemoteInteractionBody) { ap_id: uri, profile }: RemoteInteractionBody,
  ): Promise<Static<typeof RemoteInteractionShape>> {
    const url = await this.remote.pageFor(profile, uri);
    return url === undefined ? { error: "Couldn't find user" } : { url };
  }
}

/** The same for visitors without an app. */
@RootApi('main/ostatus')
export class RemoteFollowController {
  constructor(
    private readonly remote: RemoteFollowService,
    private readonly sessions: BrowserSessions,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  async form(
    @Input(SubjectQuery) { nickname, status_id: statusId }: SubjectQuery,
    @Req() request: ApiRequest,
  ): Promise<HtmlPage> {
    const subject = await this.remote.subject(nickname, statusId);
    const t = this.pages.translator(request);
    return this.pages.page(t, remoteFollowPage(t, subject, undefined));
  }

  @Post()
  @Public()
  @RateLimit('search')
  async send(
    @Input(RemoteFollowBody) body: RemoteFollowBody,
    @Req() request: ApiRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.sessions.requireOwnForm(request);
    const { user, status } = body;
    const named = { nickname: user?.nickname ?? body.nickname, statusId: status?.status_id ?? body.status_id };
    const profile = user?.profile ?? status?.profile ?? body.profile ?? '';
    const subject = await this.remote.subject(named.nickname, named.statusId);
    const page = await this.remote.pageFor(profile, subject.uri);
    if (page !== undefined) {
      response.redirect(page);
      return;
    }
    const t = this.pages.translator(request);
    this.pages.page(t, remoteFollowPage(t, subject, profile)).send(response.status(UNPROCESSABLE));
  }
}
