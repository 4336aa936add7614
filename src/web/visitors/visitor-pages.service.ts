import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  NotFound,
  type PageContent,
  Pages,
  prefersDocument,
  type Translator,
} from '../../common/index.js';
import { MediaUrls } from '../../media/index.js';
import { FrontendPagesService } from '../frontends/frontend-pages.service.js';

/** Short, since deleted and hidden posts should vanish soon. */
export const PAGE_CACHE = 'public, max-age=60';

/** Sends pages for visitors: the same to everybody, with the script that shows moments in the reader's zone. */
@Injectable()
export class VisitorPagesService {
  constructor(
    private readonly pages: Pages,
    private readonly files: MediaUrls,
    private readonly frontends: FrontendPagesService,
  ) {}

  /**
   * Sends the page, or that of the frontend that the visitor sees: there people who are signed in may see more.
   * @param content gives the page, or the address to redirect to, which negotiates the format too
   */
  async answer(
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
    const sources = [...this.files.sources, ...(page.sources ?? [])];
    this.pages.page(t, { hasScript: true, ...page, sources }).send(response);
  }
}
