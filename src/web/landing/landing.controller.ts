import { Get, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, CurrentAccount, Pages, prefersActor, Public, RootApi, SignedIn } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { InstanceActors, sendServiceDocument } from '../../federation/index.js';
import { BrowserSessions } from '../../sign-in/index.js';
import { PageChoicesService } from '../frame/page-choices.js';
import { FrontendPagesService } from '../frontends/frontend-pages.service.js';
import { LandingService } from './landing.service.js';
import { landingPage } from './landing.page.js';

/** The operator's HTML may hold pictures from any host. */
export const OPERATORS_CHOICE = ['https:'];

@RootApi('')
export class LandingController {
  constructor(
    private readonly pages: Pages,
    private readonly landing: LandingService,
    private readonly frontends: FrontendPagesService,
    private readonly actors: InstanceActors,
    private readonly settings: Settings,
    private readonly sessions: BrowserSessions,
    private readonly choices: PageChoicesService,
  ) {}

  /** Leads signed-in people to the page that they begin with. */
  @Get('app')
  @SignedIn()
  async begin(@CurrentAccount() accountId: string, @Res() response: Response): Promise<void> {
    response.redirect(302, await this.choices.startPath(accountId));
  }

  @Get()
  @Public()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    response.vary('Accept');
    if (prefersActor(request) && this.settings.get('instance.federating')) {
      sendServiceDocument(response, await this.actors.atRoot());
      return;
    }
    response.vary('Cookie');
    const t = this.pages.translator(request);
    const page = landingPage(t, await this.landing.facts());
    if (await this.frontends.sendPage(request, response, page)) return;
    const session = await this.sessions.find(request);
    if (session) {
      response.redirect(302, await this.choices.startPath(session.accountId));
      return;
    }
    this.pages.page(t, { ...page, sources: OPERATORS_CHOICE }).send(response.set('Cache-Control', 'no-cache'));
  }
}
