import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Brand, ENV, type Env } from '../../platform/index.js';
import { type Locale, localeOf, preferredLocale } from '../i18n/locales.js';
import type { Reason } from '../reasons/reasons.js';
import { type Translator, translatorOf } from '../i18n/translator.js';
import type { ApiRequest } from '../routing/request.js';
import type { Html } from '../i18n/template.js';
import { SCRIPT } from './assets.js';
import { errorPage } from './error-page.js';
import { HtmlPage } from './html-page.js';
import { bareLayout, layout, type PageContent, runsScript, type Site } from './layout.js';
import { type Letter, type MailContent, renderMail } from './mail.js';

/** The settings of pages. */
export interface PageSettings extends Pick<Site, 'name' | 'sourceUrl' | 'isOpen' | 'mayJoin'> {
  /** The language for readers without a preference. */
  readonly locale: Locale;
}

/** Renders pages and mails in the reader's language and in the frame of this server. */
@Injectable()
export class Pages {
  private settings: PageSettings = { name: 'svc', sourceUrl: '', locale: 'en', isOpen: false, mayJoin: false };

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
  ) {}

  configure(settings: PageSettings): void {
    this.settings = settings;
  }

  /** The name and the address of this server. */
  get site(): Site {
    const { version, baseUrl } = this.env;
    const { name, sourceUrl, isOpen, mayJoin } = this.settings;
    return { name, sourceUrl, isOpen, mayJoin, url: baseUrl, software: `${this.brand.word} ${version}` };
  }

  /** The translator for the sender of a request; without one, for the operator. */
  translator(request?: Request): Translator {
    const { locale } = this.settings;
    return translatorOf(request ? preferredLocale(request, locale) : locale);
  }

  /** The translator for a language such as `de-AT`; the server's default for unknown ones. */
  translatorFor(language: string | null): Translator {
    return translatorOf(localeOf(language ?? '') ?? this.settings.locale);
  }

  /** A page in the language of the translator it was written with. */
  page(t: Translator, content: PageContent): HtmlPage {
    const { sources, submitsTo } = content;
    const scripts = runsScript(content) ? [this.env.baseUrl + SCRIPT.path] : [];
    return new HtmlPage(t.locale, layout(this.site, t, content), false, sources, submitsTo, scripts);
  }

  /** A page that other sites may embed. It has no buttons, so that clickjacking is harmless. */
  bare(t: Translator, { title, main, sources }: Required<Pick<PageContent, 'title' | 'main' | 'sources'>>): HtmlPage {
    return new HtmlPage(t.locale, bareLayout(t, title, main), true, sources);
  }

  /** A document with a layout and scripts of its own, given by the paths on this server. */
  document(t: Translator, markup: Html, scripts: readonly string[]): HtmlPage {
    const addresses = scripts.map((path) => this.env.baseUrl + path);
    return new HtmlPage(t.locale, markup, false, [], [], addresses);
  }

  /** A failure, in the language of the request. */
  error(request: ApiRequest, status: number, reason?: Reason): HtmlPage {
    const t = this.translator(request);
    return this.page(t, errorPage(t, status, request.id, reason));
  }

  /** A letter; the caller mentions the name of the server. */
  letter(t: Translator, content: MailContent): Letter {
    return renderMail(this.site, t, content);
  }
}
