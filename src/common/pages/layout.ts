import { knownUrl } from '../../platform/index.js';
import type { Translator } from '../i18n/translator.js';
import { MARK, SCRIPT, STYLESHEET } from './assets.js';
import { type Html, html, safe } from '../i18n/template.js';

/** The common frame of all pages. */
export interface Site {
  /** The name of the server, in one line. */
  readonly name: string;
  /** The base URL, without a slash at its end. */
  readonly url: string;
  /** Name and version of the software. */
  readonly software: string;
  /** The address of the source code; empty when unknown. */
  readonly sourceUrl: string;
  /** Whether visitors may read what people here write. */
  readonly isOpen: boolean;
  /** Whether one may sign up without an invitation. */
  readonly mayJoin: boolean;
}

/** The bar of a page for visitors. It is the same for everybody, since such pages are cached: "Sign in" leads people who are signed in on. */
export interface VisitorBar {
  /**
   * The path to go on with after a sign-in, such as the page of signed-in people that shows the same; their first page if
   * empty or undefined. Where it shows a person or a post, the bar leads people of other servers to their own.
   */
  readonly appPath?: string;
  /** The page of the bar that is shown: the bar does not lead to it again. */
  readonly here?: 'sign-in' | 'sign-up';
}

/** A picture as previews know it. */
export interface Picture {
  readonly description: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The parts that a page adds to the frame. */
export interface PageContent {
  /** Before the name of the server in the browser's title; without it the name stands alone. */
  readonly title?: string;
  /** For search engines and previews; only a page with a description may be indexed. */
  readonly description?: string;
  /** Keeps search engines away all the same; previews stay. */
  readonly isUnlisted?: boolean;
  /** The picture of previews, an absolute URL. */
  readonly image?: string;
  /** The facts of that picture. */
  readonly picture?: Picture | undefined;
  /** The layout of previews; the default is a small picture beside the text. */
  readonly card?: 'summary' | 'summary_large_image' | 'player';
  /** The canonical address. */
  readonly url?: string;
  /** The type of its subject (Open Graph). */
  readonly kind?: 'website' | 'profile' | 'article';
  /** Further sources of pictures, videos and sound: sources of a Content-Security-Policy. */
  readonly sources?: readonly string[];
  /** Further targets of its forms: sources of a Content-Security-Policy. Browsers also check where a form is redirected to. */
  readonly submitsTo?: readonly string[];
  /** Further elements of its head, such as its other forms. */
  readonly head?: Html;
  /** Navigation at its top. */
  readonly nav?: Html;
  /** The bar at the top of a page for visitors: each has one. Null on a page that a signed-in person sees on the way. */
  readonly bar?: VisitorBar | null;
  /** Whether the page is one of a signed-in person: it has the script, which it works without, and a place for the navigation. */
  readonly isApp?: boolean;
  /** Whether a page for visitors has the script, which shows moments in the reader's zone. */
  readonly hasScript?: boolean;
  readonly main: Html;
}

const LICENSE = html`<a href="https://www.gnu.org/licenses/agpl-3.0.html">AGPL-3.0</a>`;

/** Not an `html` template: the build turns tagged templates with this end tag into calls of a package that is not installed. */
const SCRIPT_ELEMENT = safe(`<script type="module" src="${SCRIPT.path}"></script>`);

/** A whole page, without inline script or style; looks come from classes in the stylesheet. */
export function layout(site: Site, t: Translator, page: PageContent): Html {
  return html`<!doctype html>
    <html lang="${t.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title ? `${page.title} · ${site.name}` : site.name}</title>
        ${previewOf(site, page)}
        <link rel="icon" type="image/svg+xml" href="${MARK.path}" />
        <link rel="stylesheet" href="${STYLESHEET.path}" />
        ${runsScript(page) && SCRIPT_ELEMENT}
      </head>
      <body class="${page.isApp === true && 'app'}">
        <a class="skip" href="#content">${t.text('page.skip')}</a>
        <header class="head">
          <a class="home" href="/"
            ><img src="${MARK.path}" alt="" width="32" height="32" />${knownUrl(site.url).host}</a
          >
          ${page.nav} ${page.isApp !== true && page.bar !== null && barPart(site, t, page.bar ?? {})}
        </header>
        <main id="content">${page.main}</main>
        <footer class="foot">
          <p>
            <span>${t.html('page.software', { software: site.software, license: LICENSE })}</span>
            ${site.isOpen && html`<a href="/about">${t.text('about.title')}</a>`}
            ${site.sourceUrl && html`<a href="${site.sourceUrl}">${t.text('page.source')}</a>`}
          </p>
        </footer>
      </body>
    </html> `;
}

/** Whether the one script of the pages runs on a page. */
export function runsScript({ isApp, hasScript }: PageContent): boolean {
  return isApp === true || hasScript === true;
}

/** Leads people who are signed in to the page that they begin with. */
const APP_PATH = '/app';

/** Pages of signed-in people that show what people of other servers may follow or answer. */
const SUBJECT = /^\/app\/(people|posts)\/([0-9A-Za-z]+)$/;

/** The page that leads people of other servers to their own server. */
export function elsewherePath(subject: Readonly<Record<string, string>>): string {
  return `/main/ostatus?${new URLSearchParams(subject).toString()}`;
}

function barPart({ isOpen, mayJoin }: Site, t: Translator, { appPath, here }: VisitorBar): Html {
  const next = new URLSearchParams({ return_to: appPath || APP_PATH }).toString();
  const item = (path: string, name: string) => html`<li><a href="${path}">${name}</a></li>`;
  return html`<nav class="bar" aria-label="${t.text('bar.name')}">
    <ul>
      ${isOpen && item('/explore', t.text('explore.title'))} ${elsewherePart(t, appPath)}
      ${mayJoin && here !== 'sign-up' && item(`/auth/sign_up?${next}`, t.text('landing.join.title'))}
      ${here !== 'sign-in' && item(`/auth/sign_in?${next}`, t.text('sign-in.title'))}
    </ul>
  </nav>`;
}

function elsewherePart(t: Translator, appPath = ''): Html | undefined {
  const [, kind, id] = SUBJECT.exec(appPath) ?? [];
  if (id === undefined) return undefined;
  const path = elsewherePath(kind === 'people' ? { nickname: id } : { status_id: id });
  const label = t.text(kind === 'people' ? 'profile.elsewhere' : 'bar.answer');
  return html`<li><a rel="nofollow" href="${path}">${label}</a></li>`;
}

/** The elements of a head that search engines and previews read. */
export function previewOf(site: Site, page: PageContent): Html {
  const { title, description, image, url } = page;
  if (description === undefined) return html`<meta name="robots" content="noindex" />${page.head}`;
  return html`${page.isUnlisted === true && html`<meta name="robots" content="noindex" />`}
    <meta name="description" content="${description}" />
    <meta property="og:site_name" content="${site.name}" />
    <meta property="og:type" content="${page.kind ?? 'website'}" />
    <meta property="og:title" content="${title ?? site.name}" />
    <meta property="og:description" content="${description}" />
    ${url !== undefined && html`<link rel="canonical" href="${url}" /><meta property="og:url" content="${url}" />`}
    ${image !== undefined && html`<meta property="og:image" content="${image}" />${page.picture && pictureOf(page.picture)}`}
    <meta name="twitter:card" content="${page.card ?? 'summary'}" />
    ${page.head}`;
}

/** What previews read of a picture right after its address. */
function pictureOf({ description, width, height }: Picture): Html {
  return html`${description !== '' && html`<meta property="og:image:alt" content="${description}" />`}
  ${width !== undefined && html`<meta property="og:image:width" content="${width}" />`}
  ${height !== undefined && html`<meta property="og:image:height" content="${height}" />`}`;
}

/** A page for embedding: only its content. */
export function bareLayout(t: Translator, title: string, main: Html): Html {
  return html`<!doctype html>
    <html lang="${t.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${STYLESHEET.path}" />
      </head>
      <body class="bare">
        ${main}
      </body>
    </html> `;
}
