import {
  type Html,
  html,
  MARK,
  REFERENCE_SCRIPT,
  REFERENCE_STYLE,
  safe,
  STYLESHEET,
  type Translator,
  unique,
} from '../../common/index.js';
import { brandedPath } from './paths.js';
import { RENDERER } from './renderer-files.controller.js';
import type { Operation } from './route-catalogue.js';
import { tagOf } from './tags.js';

const DOCUMENT = '/api/openapi';

/** The scripts of the page, by their paths: Swagger UI, and what starts it. */
export const SCRIPTS: readonly string[] = [RENDERER.script, REFERENCE_SCRIPT.path];

/** Not an `html` template: the build turns tagged templates with this end tag into calls of a package that is not installed. */
const SCRIPT_ELEMENTS = safe(SCRIPTS.map((path) => `<script defer src="${path}"></script>`).join(''));

/** The API reference as a page: Swagger UI, which reads the document; without script a list of the operations. */
export function referencePage(t: Translator, operations: readonly Operation[], brand: string): Html {
  const title = t.text('api.title');
  return html`<!doctype html>
    <html lang="${t.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <meta name="description" content="${title}" />
        <link rel="icon" type="image/svg+xml" href="${MARK.path}" />
        <link rel="stylesheet" href="${RENDERER.style}" />
        <link rel="stylesheet" href="${REFERENCE_STYLE.path}" />
        <noscript><link rel="stylesheet" href="${STYLESHEET.path}" /></noscript>
        ${SCRIPT_ELEMENTS}
      </head>
      <body>
        <main id="reference" lang="en"></main>
        <noscript>${list(t, operations, brand)}</noscript>
      </body>
    </html> `;
}

function list(t: Translator, operations: readonly Operation[], brand: string): Html {
  const tags = unique(operations.map(({ module }) => tagOf(module)));
  const ofTag = (name: string) => operations.filter(({ module }) => tagOf(module) === name);
  return html`<main>
    <h1>${t.text('api.title')}</h1>
    <p>${t.html('api.lead', { document: html`<a href="${DOCUMENT}">${DOCUMENT}</a>` })}</p>
    <p>${t.html('api.prefixes', { newer: path(`/api/v1/${brand}`), older: path(`/api/${brand}`) })}</p>
    <nav aria-label="${t.text('api.contents')}">
      <ul class="index">
        ${tags.map((name) => html`<li><a href="#${name}">${name}</a></li>`)}
      </ul>
    </nav>
    ${tags.map(
      (name) =>
        html`<section class="api" id="${name}">
          <h2>${name}</h2>
          ${ofTag(name).map((operation) => operationPart(t, operation, brand))}
        </section>`,
    )}
  </main>`;
}

function operationPart(t: Translator, { access, id, method, path: route, text }: Operation, brand: string): Html {
  return html`<article id="${id}">
    <h3><b>${method}</b> ${path(brandedPath(route, brand))}</h3>
    <p lang="en">${text.summary}</p>
    <p>${t.text(`api.access.${access.kind}`)} ${access.scopes.map((scope) => html`<code>${scope}</code> `)}</p>
  </article>`;
}

function path(text: string): Html {
  return html`<code>${text}</code>`;
}
