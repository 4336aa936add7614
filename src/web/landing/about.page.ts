import { bdi, type Html, html, type PageContent, safe, sanitizeHtml, type Translator } from '../../common/index.js';
import { figures, rules } from './landing.page.js';
import type { AboutFacts } from './landing.service.js';

/** What people want to know of a server before they join it. */
export function aboutPage(t: Translator, facts: AboutFacts): PageContent {
  const { name, portrait, panel, hasTerms, hasPrivacyPolicy } = facts;
  const title = t.text('about.title');
  return {
    title,
    description: portrait.summary,
    image: portrait.image,
    main: html`<h1>${t.html('about.heading', { name: bdi(name) })}</h1>
      <div class="lead" lang="${portrait.language}" dir="auto">${safe(sanitizeHtml(portrait.description))}</div>
      ${figures(t, portrait)}
      ${panel !== undefined && html`<div class="words about" lang="${portrait.language}" dir="auto">${withoutTitle(panel)}</div>`}
      ${rules(t, portrait)} ${staff(t, facts)}
      ${
        (hasTerms || hasPrivacyPolicy) &&
        html`<h2>${t.text('about.documents')}</h2>
          <ul>
            ${hasTerms && html`<li><a href="/terms">${t.text('terms.title')}</a></li>`}
            ${hasPrivacyPolicy && html`<li><a href="/privacy-policy">${t.text('privacy.title')}</a></li>`}
          </ul>`
      }`,
  };
}

function staff(t: Translator, { portrait: { contact, email } }: AboutFacts): Html | undefined {
  if (contact === null && email === '') return undefined;
  const person = contact !== null && html`<a href="/@${contact}">${bdi(`@${contact}`)}</a>`;
  return html`<h2>${t.text('landing.contact.title')}</h2>
    <p>
      ${person && t.html('landing.contact.person', { handle: person })}
      ${email !== '' && t.html('landing.contact.mail', { address: html`<a href="mailto:${encodeURI(email)}">${email}</a>` })}
    </p>`;
}

/** The page of a document that the staff wrote, with the day when it did; without one it says whom to ask. */
export function documentPage(
  t: Translator,
  title: string,
  document: { readonly html: string; readonly updatedAt: Date } | undefined,
): PageContent {
  const about = html`<a href="/about">${t.text('about.title')}</a>`;
  return {
    title,
    main: html`<article class="document">
      <h1>${title}</h1>
      ${
        document === undefined
          ? html`<p>${t.html('document.none', { about })}</p>`
          : html`<p class="soft">${t.text('document.since', { day: t.day(document.updatedAt.toISOString()) })}</p>
              <div class="words" dir="auto">${withoutTitle(document.html)}</div>`
      }
    </article>`,
  };
}

/** Sanitised HTML in a page that has its title already. */
function withoutTitle(markup: string): Html {
  return safe(markup.replaceAll(/<(\/?)h1(?=[ >])/g, '<$1h2'));
}
