import { elsewherePath, type Html, html } from '../../common/index.js';
import { ATOM } from './atom.js';
import { RSS } from './rss.js';

/** The alternates of a page: a document for programs, and feeds, whose address has no format yet. */
export function alternates(documentUrl: string | undefined, feedUrl: string | undefined): Html {
  return html`${documentUrl !== undefined && html`<link rel="alternate" type="application/activity+json" href="${documentUrl}" />`}
  ${
    feedUrl !== undefined &&
    html`<link rel="alternate" type="${ATOM}" href="${feedUrl}.atom" />
      <link rel="alternate" type="${RSS}" href="${feedUrl}.rss" />`
  }`;
}

/** Links to a feed in both formats, for a sentence. */
export function feedLinks(feedUrl: string): { readonly atom: Html; readonly rss: Html } {
  return { atom: html`<a href="${feedUrl}.atom">Atom</a>`, rss: html`<a href="${feedUrl}.rss">RSS</a>` };
}

/** A link to the page that leads people of other servers to their own server. */
export function elsewhere(text: string, subject: Record<string, string>): Html {
  return html`<p><a class="button quiet" rel="nofollow" href="${elsewherePath(subject)}">${text}</a></p>`;
}
