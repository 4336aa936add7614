import { Get, Inject, Req } from '@nestjs/common';
import { type ApiRequest, type HtmlPage, NotFound, Pages, Public, RootApi } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { partsPage } from './parts.page.js';

/** The page of all parts of pages, only with `PARTS_PAGE`. */
@RootApi('pages/parts')
export class PartsController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  show(@Req() request: ApiRequest): HtmlPage {
    if (!this.env.showsParts) throw new NotFound();
    const t = this.pages.translator(request);
    return this.pages.page(t, partsPage(t));
  }
}
