import { Get, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, Pages, prefersActor, Public, RootApi } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { InstanceActors, sendServiceDocument } from '../../federation/index.js';
import { BrowserSessions } from '../../sign-in/index.js';
import { HOME_PATH } from '../frame/app-nav.js';
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
  ) {}

  @Get()
  @Public()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    response.vary('Accept');
    if (prefersActor(request) && this.settings.get('instance.federating')) {
      sendServiceDocument(response, await this.actors.atRoot());
      return;
    }
    const t = this.pages.translator(request);
    const page = landingPage(t, await this.landing.facts());
    if (await this.frontends.sendPage(request, response, page)) return;
    if (await this.sessions.find(request)) {
      response.redirect(302, HOME_PATH);
      return;
    }
    this.pages.page(t, { ...page, sources: OPERATORS_CHOICE }).send(response.set('Cache-Control', 'no-cache'));
  }
}
