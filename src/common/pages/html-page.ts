import type { Response } from 'express';
import { entityTag } from '../routing/negotiation.js';
import type { Locale } from '../i18n/locales.js';
import type { Html } from '../i18n/template.js';

/** A rendered page, as handlers of pages return it. */
export class HtmlPage {
  constructor(
    readonly locale: Locale,
    private readonly markup: Html,
    /** Whether other sites may embed the page. */
    private readonly isFramed = false,
    /** See {@link PageContent.sources}. */
    private readonly sources: readonly string[] = [],
    /** See {@link PageContent.submitsTo}. */
    private readonly submitsTo: readonly string[] = [],
    /** The addresses of its scripts. */
    private readonly scripts: readonly string[] = [],
  ) {}

  /**
   * Pages are not cached, unless their handler sets a time. A conditional request renders the page again and sends it
   * only if it changed.
   */
  send(response: Response): Response {
    const body = this.markup.toBuffer();
    if (response.hasHeader('Cache-Control')) response.setHeader('ETag', entityTag(body));
    else response.setHeader('Cache-Control', 'private, no-store');
    if (this.isFramed) letBeFramed(response);
    if (this.sources.length > 0) letLoadFrom(response, this.sources);
    if (this.submitsTo.length > 0) letSubmitTo(response, this.submitsTo);
    if (this.scripts.length > 0) letRun(response, this.scripts);
    response.setHeader('Content-Language', this.locale);
    response.vary('Accept-Language').type('html');
    return response.req.fresh ? response.status(304).end() : response.send(body);
  }
}

const POLICY = 'Content-Security-Policy';

function letBeFramed(response: Response): void {
  loosen(response, /frame-ancestors 'none'/, () => 'frame-ancestors *');
  response.removeHeader('X-Frame-Options');
}

function letLoadFrom(response: Response, sources: readonly string[]): void {
  loosen(response, /(?:img|media)-src [^;]*/g, (directive) => [directive, ...sources].join(' '));
}

function letSubmitTo(response: Response, targets: readonly string[]): void {
  loosen(response, /form-action [^;]*/, (directive) => [directive, ...targets].join(' '));
}

/** Only the scripts of the page run, never an uploaded file; they read from this server only. */
function letRun(response: Response, scripts: readonly string[]): void {
  loosen(response, /img-src/, () => `script-src ${scripts.join(' ')}; connect-src 'self'; img-src`);
}

function loosen(response: Response, directive: RegExp, loosened: (directive: string) => string): void {
  response.setHeader(POLICY, String(response.getHeader(POLICY)).replace(directive, loosened));
}
