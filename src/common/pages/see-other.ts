import type { Response } from 'express';
import type { HtmlPage } from './html-page.js';

/** Leads a browser to the page that follows a form (303, RFC 9110 §15.4.4). */
export class SeeOther {
  constructor(private readonly path: string) {}

  send(response: Response): Response {
    response.redirect(303, this.path);
    return response;
  }
}

/** What a handler of pages returns. */
export type PageAnswer = HtmlPage | SeeOther;
