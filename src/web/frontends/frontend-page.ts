import { html, type Html, type PageContent, previewOf, safe, type Site } from '../../common/index.js';

/** The place in builds for Pleroma and Akkoma for the server's additions to the head. */
const PLACE = '<!--server-generated-meta-->';

/**
 * The page that a frontend begins with, with the title and the preview of what is shown, and answers of the API that
 * the frontend asks for first.
 * @param answers base64 of JSON by path
 */
export function frontendPage(
  index: string,
  site: Site,
  content: PageContent | undefined,
  answers: Readonly<Record<string, string>>,
): string {
  const head = `${content ? previewOf(site, content).toString() : ''}${preloaded(answers).toString()}`;
  const titled = content?.title === undefined ? index : withTitle(index, html`${content.title} &middot; ${site.name}`);
  return titled.includes(PLACE) ? titled.replace(PLACE, () => head) : titled.replace(/<\/head>/i, (end) => head + end);
}

function withTitle(index: string, title: Html): string {
  return index.replace(/<title>[^<]*<\/title>/i, () => `<title>${title.toString()}</title>`);
}

/** Data, which no browser runs. Entities would stay as they are in a script element. */
function preloaded(answers: Readonly<Record<string, string>>): Html {
  const json = JSON.stringify(answers).replaceAll('<', '\\u003c');
  return safe(`<script type="application/json" id="initial-results">${json}</script>`);
}
