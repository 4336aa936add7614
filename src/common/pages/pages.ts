import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ENV, type Env } from '../../platform/index.js';
import { type Locale, localeOf, preferredLocale } from '../i18n/locales.js';
import { type Translator, translatorOf } from '../i18n/translator.js';
import type { ApiRequest } from '../routing/request.js';
import { errorPage } from './error-page.js';
import { HtmlPage } from './html-page.js';
import { bareLayout, layout, type PageContent, type Site } from './layout.js';
import { type Letter, type MailContent, renderMail } from './mail.js';

/** What the settings say about pages. */
export interface PageSettings extends Pick<Site, 'name' | 'sourceUrl'> {
  /** For readers who do not say what they read. */
  readonly locale: Locale;
}

/** Writes everything that people read in a browser or by mail, in their language and in the frame of this server. */
@Injectable()
export class Pages {
  private settings: PageSettings = { name: 'svc', sourceUrl: '', locale: 'en' };

  constructor(@Inject(ENV) private readonly env: Env) {}

  configure(settings: PageSettings): void {
    this.settings = settings;
  }

  /** How this server is called, and where. */
  get site(): Site {
    const { brand, version, baseUrl } = this.env;
    const { name, sourceUrl } = this.settings;
    return { name, sourceUrl, url: baseUrl, software: `${brand} ${version}` };
  }

  /** The words for whoever sent a request; without one, for those who run the server. */
  translator(request?: Request): Translator {
    const { locale } = this.settings;
    return translatorOf(request ? preferredLocale(request, locale) : locale);
  }

  /** The words for somebody whose language is known, such as `de-AT`; for anybody else those of the server. */
  translatorFor(language: string | null): Translator {
    return translatorOf(localeOf(language ?? '') ?? this.settings.locale);
  }

  /** A page in the language of the translator it was written with. */
  page(t: Translator, content: PageContent): HtmlPage {
    return new HtmlPage(t.locale, layout(this.site, t, content), false, content.sources);
  }

  /** A page that other sites may show within theirs. It holds nothing that one could be lured into pressing. */
  bare(t: Translator, { title, main, sources }: Required<Pick<PageContent, 'title' | 'main' | 'sources'>>): HtmlPage {
    return new HtmlPage(t.locale, bareLayout(t, title, main), true, sources);
  }

  /** A failure, told to the one whose request it was. */
  error(request: ApiRequest, status: number): HtmlPage {
    const t = this.translator(request);
    return this.page(t, errorPage(t, status, request.id));
  }

  /** A letter; the name of the server is for the caller to mention. */
  letter(t: Translator, content: MailContent): Letter {
    return renderMail(this.site, t, content);
  }
}
