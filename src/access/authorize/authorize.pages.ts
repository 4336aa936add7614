import { knownUrl } from '../../platform/index.js';
import { bdi, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { OUT_OF_BAND } from '../../oauth/index.js';
import { AUTHORIZE_PATH, type BrowserSession, messagePage, signInFields, signUpLink } from '../../sign-in/index.js';
import type { Authorization, Problem } from './authorizations.service.js';
import { scopeWords } from './scope-words.js';

/** The reader of the page: the signed-in account with its handle, or a visitor, who has to sign in first. */
export interface Asked {
  readonly session: BrowserSession | undefined;
  readonly handle: string;
  readonly alarm?: Html | string | undefined;
}

/** Asks the owner of an account whether an app may use it; without a session, for the password too. */
export function consentPage(t: Translator, asked: Authorization, { session, handle, alarm }: Asked): PageContent {
  const { app, redirectUri } = asked;
  const title = t.text('authorize.title', { app: app.name });
  const main = html`<div class="narrow">
    <h1>${t.html('authorize.title', { app: bdi(app.name) })}</h1>
    ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
    ${app.website !== null && html`<p>${t.html('authorize.site', { site: siteLink(app.website) })}</p>`}
    <p>${t.text('authorize.may')}</p>
    <ul>
      ${scopeWords(t, asked.scopes).map((words) => html`<li>${words}</li>`)}
    </ul>
    <form method="post" action="${AUTHORIZE_PATH}">
      ${hiddenFields(asked)}
      ${
        session
          ? signedIn(t, session, handle, pathTo(asked, { force_login: 'true' }))
          : html`<p>${t.text('authorize.sign-in')}</p>
              ${signInFields(t, (field) => `authorization[${field}]`)}`
      }
      ${redirectUri !== OUT_OF_BAND && html`<p class="soft">${t.html('authorize.back', { address: bdi(hostOf(redirectUri)) })}</p>`}
      <p class="choice">
        <button>${t.text(session ? 'authorize.allow' : 'authorize.sign-in-submit')}</button>
        <button class="quiet" name="authorization[deny]" value="true" formnovalidate>
          ${t.text('authorize.deny')}
        </button>
      </p>
    </form>
    ${!session && signUpLink(t, pathTo(asked))}
  </div>`;
  const bar = session ? null : ({ appPath: pathTo(asked), here: 'sign-in' } as const);
  return { title, bar, main, submitsTo: targetsOf(asked) };
}

/** The path of the page that asks for consent. */
export function pathTo(asked: Authorization, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...parametersOf(asked), response_type: 'code', ...more });
  return `${AUTHORIZE_PATH}?${query.toString()}`;
}

/** A code that the owner copies into the app, which has no address to be sent to. */
export function codePage(t: Translator, { app }: Authorization, code: string): PageContent {
  const title = t.text('authorize.code.title');
  const main = html`<div class="narrow">
    <h1>${title}</h1>
    <p class="lead">${t.html('authorize.code.text', { app: bdi(app.name) })}</p>
    <p><code class="copy">${code}</code></p>
  </div>`;
  return { title, bar: null, main };
}

export function deniedPage(t: Translator): PageContent {
  return messagePage(t.text('authorize.denied.title'), t.text('authorize.denied.text'));
}

/** Tells why an app's request cannot be allowed. */
export function problemPage(t: Translator, problem: Problem): PageContent {
  return messagePage(t.text('authorize.problem.title'), t.text(`authorize.problem.${problem}`));
}

function signedIn(t: Translator, { formToken }: BrowserSession, handle: string, others: string): Html {
  return html`<input type="hidden" name="_csrf" value="${formToken}" />
    <p>
      ${t.html('authorize.account', { account: html`<b>${bdi(handle)}</b>` })}
      <a href="${others}">${t.text('authorize.other')}</a>
    </p>`;
}

function hiddenFields(asked: Authorization): Html[] {
  return Object.entries(parametersOf(asked)).map(
    ([name, value]) => html`<input type="hidden" name="authorization[${name}]" value="${value}" />`,
  );
}

/** The parameters that {@link AuthorizationsService.read} reads the same request from. */
export function parametersOf({ app, redirectUri, scopes, state, challenge }: Authorization): Record<string, string> {
  return {
    client_id: app.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    ...(state === undefined ? {} : { state }),
    ...(challenge === null ? {} : { code_challenge: challenge, code_challenge_method: 'S256' }),
  };
}

function siteLink(website: string): Html {
  return html`<a href="${website}" rel="nofollow noreferrer noopener">${bdi(hostOf(website))}</a>`;
}

/** The part of an address that the reader sees: the host, or the scheme that starts an app. */
function hostOf(address: string): string {
  const { protocol, host } = knownUrl(address);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

/** Browsers check where a form is redirected to: the origin of a site, the scheme of an app. */
export function targetsOf({ redirectUri }: Authorization): readonly string[] {
  if (redirectUri === OUT_OF_BAND) return [];
  const { protocol, origin } = knownUrl(redirectUri);
  return [origin === 'null' ? protocol : origin];
}
