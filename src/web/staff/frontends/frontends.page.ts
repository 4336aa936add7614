import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { type Said, saidPart } from '../parts/staff.part.js';

export const FRONTENDS_PATH = `${STAFF_PATH}/frontends`;

/** A web app that can be installed, or is. */
export interface ShownFrontend {
  readonly name: string;
  /** The version that is installed by the button. */
  readonly ref: string;
  /** The address of its source; empty when unknown. */
  readonly source: string;
  /** Whether the server knows where its builds are. */
  readonly isInstallable: boolean;
  /** The installed versions. */
  readonly installed: readonly string[];
}

/** The web apps, and the one that visitors see. */
export interface FrontendList {
  readonly frontends: readonly ShownFrontend[];
  /** `name/version`; undefined for the own pages. */
  readonly primary: string | undefined;
  readonly isChangeable: boolean;
}

/** The web apps of the server: a button installs each of them, another shows it to everybody. */
export function frontendsPage(
  t: Translator,
  session: BrowserSession,
  { frontends, primary, isChangeable }: FrontendList,
  said: Said = {},
): PageContent {
  const title = t.text('staff.frontends');
  const now =
    primary === undefined
      ? t.text('staff.frontends.own')
      : t.html('staff.frontends.now', { name: html`<b>${bdi(primary)}</b>` });
  const choose = (frontend: string, label: string) =>
    sessionForm(
      session,
      `${FRONTENDS_PATH}/primary`,
      html`<input type="hidden" name="frontend" value="${frontend}" /><button class="quiet">${label}</button>`,
    );
  const card = (frontend: ShownFrontend) => {
    const versions = frontend.installed.map((ref) => `${frontend.name}/${ref}`);
    return html`<section class="card staff-part">
      <h2>${bdi(frontend.name)}</h2>
      ${about(t, frontend)}
      ${
        isChangeable &&
        html`<div class="staff-acts">
          ${frontend.isInstallable && installForm(t, session, frontend)}
          ${versions
            .filter((version) => version !== primary)
            .map((version) => choose(version, t.text('staff.frontends.choose', { name: version })))}
        </div>`
      }
    </section>`;
  };
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)}
      <p class="soft">${t.text('staff.frontends.text')}</p>
      <p>${now}</p>
      ${isChangeable && primary !== undefined && choose('', t.text('staff.frontends.choose-own'))}
      ${frontends.map(card)}`,
  };
}

function about(t: Translator, { source, installed }: ShownFrontend): Html {
  const versions =
    installed.length === 0
      ? t.text('staff.frontends.not-installed')
      : t.text('staff.frontends.installed', { versions: installed.join(', ') });
  return html`<p>
    ${versions} ${source !== '' && html`<a href="${source}" rel="noreferrer">${t.text('page.source')}</a>`}
  </p>`;
}

function installForm(t: Translator, session: BrowserSession, { name, ref, installed }: ShownFrontend): Html {
  const label = t.text(installed.includes(ref) ? 'staff.frontends.update' : 'staff.frontends.install', { name, ref });
  return sessionForm(
    session,
    `${FRONTENDS_PATH}/install`,
    html`<input type="hidden" name="name" value="${name}" /><button>${label}</button>`,
  );
}
