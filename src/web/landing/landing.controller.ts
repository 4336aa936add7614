import { Get, Header, Req } from '@nestjs/common';
import { type ApiRequest, type HtmlPage, Pages, Public, RootApi } from '../../common/index.js';
import { LandingService } from './landing.service.js';
import { landingPage } from './landing.page.js';

/** The operator's HTML may hold pictures from any host. */
const OPERATORS_CHOICE = ['https:'];

@RootApi('')
export class LandingController {
  constructor(
    private readonly pages: Pages,
    private readonly landing: LandingService,
  ) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'no-cache')
  async show(@Req() request: ApiRequest): Promise<HtmlPage> {
    const t = this.pages.translator(request);
    return this.pages.page(t, { ...landingPage(t, await this.landing.facts()), sources: OPERATORS_CHOICE });
  }
}
