import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  type ApiRequest,
  html,
  type HtmlPage,
  Input,
  Invalid,
  Pages,
  Public,
  RequiredText,
  RootApi,
} from '../../common/index.js';
import { FrontendsService } from '../../instance/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { CHOICE, OWN_PAGES } from './frontend-pages.service.js';

const MAX_NAME = 200;
const A_YEAR_MS = 31_536_000_000;

class ChoiceBody {
  @RequiredText({ max: MAX_NAME }) frontend: string;
}

/** The page where visitors choose their frontend. */
@RootApi('frontend_switcher')
export class FrontendSwitcherController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly pages: Pages,
    private readonly frontends: FrontendsService,
  ) {}

  @Get()
  @Public()
  async show(@Req() request: ApiRequest): Promise<HtmlPage> {
    const t = this.pages.translator(request);
    const title = t.text('frontends.title');
    const choices = (await this.choices()).map((choice) => {
      const label = choice === OWN_PAGES ? t.text('frontends.own') : choice;
      return html`<p><button name="frontend" value="${choice}">${label}</button></p>`;
    });
    const form = html`<form method="post" action="/frontend_switcher">${choices}</form>`;
    return this.pages.page(t, {
      title,
      main: html`<h1>${title}</h1>
        ${form}`,
    });
  }

  @Post()
  @Public()
  async choose(@Input(ChoiceBody) { frontend }: ChoiceBody, @Res() response: Response): Promise<void> {
    if (!(await this.choices()).includes(frontend)) throw new Invalid('There is no such frontend');
    const secure = this.env.baseUrl.startsWith('https:');
    response.cookie(CHOICE, frontend, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: A_YEAR_MS });
    response.redirect('/');
  }

  private async choices(): Promise<string[]> {
    const primary = await this.frontends.chosen('frontends.primary');
    const all = [...(primary ? [primary] : []), ...(await this.frontends.pickable())];
    return [...new Set(all.map(({ name, ref }) => `${name}/${ref}`)), OWN_PAGES];
  }
}
