import { knownUrl } from '../../platform/index.js';
import { bdi, type Html, html, type PageContent, safe, sanitizeHtml, type Translator } from '../../common/index.js';
import { SIGN_IN_PATH, SIGN_UP_PATH } from '../../sign-in/index.js';
import type { Doorplate, LandingFacts, Portrait } from './landing.service.js';
import { APPS } from '../parts/apps.js';

/** The home page: the server, and how to join it. */
export function landingPage(t: Translator, { portrait, ...plate }: LandingFacts): PageContent {
  if (!portrait) return { main: closedDoor(t, plate) };
  const { summary, image } = portrait;
  return { description: summary, image, main: openDoor(t, plate, portrait) };
}

/** A server that is not public shows only its name and how to sign in. */
function closedDoor(t: Translator, plate: Doorplate): Html {
  return html`<div class="pair">
    <div>
      <h1>${bdi(plate.name)}</h1>
      <p class="lead">${t.text('landing.members-only')}</p>
    </div>
    ${connect(t, plate)}
  </div>`;
}

function openDoor(t: Translator, plate: Doorplate, portrait: Portrait): Html {
  return html`<div class="pair">
      <div>
        <h1>${bdi(plate.name)}</h1>
        <div class="lead" lang="${portrait.language}" dir="auto">${safe(sanitizeHtml(portrait.description))}</div>
        ${figures(t, portrait)}
        ${portrait.isOpen && html`<p class="after-figures"><a class="button quiet" href="/main/public">${t.text('here.title')}</a></p>`}
      </div>
      ${connect(t, plate)}
    </div>
    ${rules(t, portrait)}
    <div class="trio">${join(t, portrait)} ${contact(t, portrait)} ${developers(t, portrait)}</div>`;
}

/** The size of the server. */
export function figures(t: Translator, { totals }: Portrait): Html {
  const { users, statuses, domains } = totals;
  return html`<ul class="figures" aria-label="${t.text('landing.figures')}">
    <li><b>${t.number(users)}</b> ${t.text('landing.people', { count: users })}</li>
    <li><b>${t.number(statuses)}</b> ${t.text('landing.posts', { count: statuses })}</li>
    <li><b>${t.number(domains)}</b> ${t.text('landing.servers', { count: domains })}</li>
  </ul>`;
}

function connect(t: Translator, { address }: Doorplate): Html {
  return html`<section class="card">
    <h2>${t.text('landing.app.title')}</h2>
    <ol class="steps">
      <li>${t.text('landing.app.choose')} <small>${t.text('landing.app.such-as')} ${apps(address)}</small></li>
      <li>${t.text('landing.app.address')} <code class="copy">${address}</code></li>
      <li>${t.text('landing.app.login')}</li>
    </ol>
    <p>${t.html('landing.here', { link: html`<a href="${SIGN_IN_PATH}">${t.text('sign-in.title')}</a>` })}</p>
  </section>`;
}

function apps(host: string): Html {
  return html`${APPS.map(([name, url], at) => html`${at > 0 && ', '}<a href="${url(host)}" rel="noopener">${name}</a>`)}.`;
}

/** The rules of the server, in the operator's words. */
export function rules(t: Translator, { rules, language }: Portrait): Html | undefined {
  if (rules.length === 0) return undefined;
  const items = rules.map(
    ({ text, hint }) => html`<li>${bdi(text)} ${hint !== '' && html`<small>${bdi(hint)}</small>`}</li>`,
  );
  return html`<section class="rules">
    <h2>${t.text('landing.rules.title')}</h2>
    <ol lang="${language}" dir="auto">
      ${items}
    </ol>
  </section>`;
}

function join(t: Translator, { admission, handleDomain, message }: Portrait): Html {
  const isOpen = admission === 'open' || admission === 'approval';
  const handle = html`<b>@${t.text('landing.join.you')}@${handleDomain}</b>`;
  return html`<section>
    <h2>${t.text('landing.join.title')}</h2>
    <p>${t.text(`landing.join.${admission}`)} ${admission !== 'closed' && t.html('landing.join.handle', { handle })}</p>
    ${message} ${isOpen && html`<p><a href="${SIGN_UP_PATH}">${t.text('sign-up.title')}</a></p>`}
  </section>`;
}

function contact(t: Translator, { contact: nickname, email, handleDomain }: Portrait): Html | undefined {
  if (nickname === null && email === '') return undefined;
  const handle = html`<b>@${nickname}@${handleDomain}</b>`;
  const address = html`<a href="mailto:${encodeURI(email)}">${email}</a>`;
  return html`<section>
    <h2>${t.text('landing.contact.title')}</h2>
    <p>
      ${nickname !== null && t.html('landing.contact.person', { handle })}
      ${email !== '' && t.html('landing.contact.mail', { address })}
    </p>
  </section>`;
}

function developers(t: Translator, { instanceUrl }: Portrait): Html {
  const link = html`<a href="${instanceUrl}">${knownUrl(instanceUrl).pathname}</a>`;
  const reference = html`<a href="/api/docs">${t.text('landing.developers.reference-name')}</a>`;
  return html`<section>
    <h2>${t.text('landing.developers.title')}</h2>
    <p>${t.html('landing.developers.text', { link })} ${t.html('landing.developers.reference', { reference })}</p>
  </section>`;
}
