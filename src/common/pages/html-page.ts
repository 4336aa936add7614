import type { Response } from 'express';
import type { Locale } from '../i18n/locales.js';
import type { Html } from './template.js';

/** A rendered page: what a handler of pages answers. */
export class HtmlPage {
  constructor(
    readonly locale: Locale,
    private readonly markup: Html,
  ) {}

  /** Nobody keeps a page, unless its handler said how long it may be. */
  send(response: Response): Response {
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-store');
    response.setHeader('Content-Language', this.locale);
    response.vary('Accept-Language').type('html');
    return response.send(this.toString());
  }

  toString(): string {
    return this.markup.toString();
  }
}
