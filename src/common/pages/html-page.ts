import type { Response } from 'express';
import { entityTag } from '../entity-tag.js';
import type { Locale } from '../i18n/locales.js';
import type { Html } from './template.js';

/** A rendered page: what a handler of pages answers. */
export class HtmlPage {
  constructor(
    readonly locale: Locale,
    private readonly markup: Html,
    /** Whether pages of other sites may show it within theirs. */
    private readonly isFramed = false,
  ) {}

  /**
   * Nobody keeps a page, unless its handler said how long it may be. Who kept one, and asks whether it is still the same, has
   * it made anew like everybody else, but not sent.
   */
  send(response: Response): Response {
    const text = this.toString();
    if (response.hasHeader('Cache-Control')) response.setHeader('ETag', entityTag(text));
    else response.setHeader('Cache-Control', 'private, no-store');
    if (this.isFramed) letBeFramed(response);
    response.setHeader('Content-Language', this.locale);
    response.vary('Accept-Language').type('html');
    return response.req.fresh ? response.status(304).end() : response.send(text);
  }

  toString(): string {
    return this.markup.toString();
  }
}

function letBeFramed(response: Response): void {
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.setHeader('Content-Security-Policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'));
  response.removeHeader('X-Frame-Options');
}
