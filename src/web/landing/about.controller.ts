import { Get, Redirect, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiRequest, NotFound, Public, RootApi } from '../../common/index.js';
import { type DocumentName, InstanceDocumentsService } from '../../instance/index.js';
import { pathOf } from '../account/account.pages.js';
import { VisitorPagesService } from '../visitors/visitor-pages.service.js';
import { aboutPage, documentPage } from './about.page.js';
import { OPERATORS_CHOICE } from './landing.controller.js';
import { LandingService } from './landing.service.js';

/** Pages about the server, at the addresses that other software uses too. */
@RootApi('')
export class AboutController {
  constructor(
    private readonly pages: VisitorPagesService,
    private readonly landing: LandingService,
    private readonly documents: InstanceDocumentsService,
  ) {}

  @Get('about')
  @Public()
  async about(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.pages.answer(request, response, async (t) => {
      const facts = await this.landing.about();
      if (!facts) throw new NotFound('Not found');
      return { ...aboutPage(t, facts), sources: OPERATORS_CHOICE };
    });
  }

  @Get('privacy-policy')
  @Public()
  async privacy(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.document(request, response, 'privacy-policy', 'privacy.title');
  }

  @Get('terms')
  @Public()
  async terms(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.document(request, response, 'terms-of-service', 'terms.title');
  }

  /** Where browsers and password managers send people to change their password (W3C, A Well-Known URL for Changing Passwords). */
  @Get('.well-known/change-password')
  @Public()
  @Redirect(pathOf('password'), 302)
  changePassword(): void {
    // the redirect is all
  }

  private async document(
    request: ApiRequest,
    response: Response,
    name: DocumentName,
    title: 'privacy.title' | 'terms.title',
  ): Promise<void> {
    await this.pages.answer(request, response, async (t) => {
      const document = await this.documents.stored(name);
      if (!document && (await this.landing.about()) === undefined) throw new NotFound('Not found');
      return { ...documentPage(t, t.text(title), document), sources: OPERATORS_CHOICE };
    });
  }
}
