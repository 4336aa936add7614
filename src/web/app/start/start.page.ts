import { renderSVG } from 'uqr';
import { knownUrl } from '../../../platform/index.js';
import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { Admission } from '../../landing/landing.service.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { APPS } from '../../parts/apps.js';
import { sessionForm } from '../../parts/forms.part.js';
import { ONLINE_PATH } from './online-checks.page.js';

/** What the checklist of a new server knows. */
export interface StartFacts {
  readonly isNamed: boolean;
  readonly hasPicture: boolean;
  readonly hasRules: boolean;
  readonly hasPosts: boolean;
  readonly hasOthers: boolean;
  readonly hasFrontend: boolean;
  /** Whether pages name the source code of the running version. */
  readonly hasSource: boolean;
  readonly signUps: Admission;
  /** The base URL. */
  readonly url: string;
  /** Whether the world can reach it. */
  readonly isOnline: boolean;
}

/** The first steps of the administrator. */
export function startPage(t: Translator, session: BrowserSession, facts: StartFacts): PageContent {
  const title = t.text('start.title');
  const { host } = knownUrl(facts.url);
  const link = (path: string, text: string) => html`<a href="${path}">${text}</a>`;
  return {
    title,
    main: html`<h1>${title}</h1>
      <p class="lead">${t.text('start.lead')}</p>
      <ol class="checklist">
        ${step(t, facts.isNamed, link('/app/staff/settings', t.text('start.name')))}
        ${step(t, facts.hasPicture, link('/auth/account/profile', t.text('start.picture')))}
        ${step(t, facts.hasPosts, link('/app/compose', t.text('start.post')))}
        ${step(t, facts.hasRules, link('/app/staff/rules', t.text('start.rules')))}
        ${step(
          t,
          undefined,
          link('/app/staff/settings', t.text('start.admission')),
          soft(t.text(`start.admission.now.${facts.signUps}`)),
        )}
        ${step(t, facts.hasOthers, link('/app/staff/invites', t.text('start.invite')))}
        ${step(t, undefined, t.text('start.app'), apps(t, host))}
        ${step(t, facts.hasFrontend, link('/app/staff/frontends', t.text('start.frontend')), soft(t.text('start.frontend.text')))}
        ${!facts.hasSource && step(t, false, link('/app/staff/settings', t.text('start.source')), soft(t.text('start.source.text')))}
        ${step(t, facts.isOnline, t.text('start.online'), online(t, session, facts))}
      </ol>`,
  };
}

/** `isDone` is undefined for a step without an end. */
function step(t: Translator, isDone: boolean | undefined, what: Html | string, more?: Html): Html {
  const mark = html`<span class="check" role="img" aria-label="${t.text('start.done')}">&check;</span>`;
  return html`<li class="card">
    <p>${what} ${isDone === true && mark}</p>
    ${more}
  </li>`;
}

function apps(t: Translator, host: string): Html {
  const code = `data:image/svg+xml;base64,${Buffer.from(renderSVG(`https://${host}`)).toString('base64')}`;
  return html`<p>${t.html('start.app.text', { address: html`<b>${host}</b>` })}</p>
    <p class="choice">${APPS.map(([name, url]) => html`<a href="${url(host)}" rel="noreferrer">${name}</a>`)}</p>
    <p><img class="captcha" src="${code}" alt="${t.text('start.app.code')}" width="160" height="160" /></p>`;
}

function soft(text: string): Html {
  return html`<p class="soft">${text}</p>`;
}

/** What is left to do, and the check of the way from outside. */
function online(t: Translator, session: BrowserSession, { url, isOnline }: StartFacts): Html {
  const command = html`<code class="copy">npm run ctl -- doctor --online</code>`;
  return html`<p>${isOnline ? t.text('start.online.text', { url }) : t.text('start.online.local')}</p>
    ${sessionForm(session, ONLINE_PATH, html`<button class="quiet">${t.text('online.start')}</button>`)}
    <p class="soft">${t.html('start.online.check', { chapter: html`<code>docs/online.md</code>`, command })}</p>`;
}
