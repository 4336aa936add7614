import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { OnlineFinding, OnlineReport } from '../../../instance/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';

/** Where the checks of the server from outside are. */
export const ONLINE_PATH = '/app/start/check';

/** What the page of the checks tells: the findings of a run, or why there was none. */
export interface OnlineNews {
  readonly report?: OnlineReport;
  readonly alarm?: string;
}

/** How others see the server: the button that looks, and what it found. */
export function onlineChecksPage(t: Translator, session: BrowserSession, { report, alarm }: OnlineNews): PageContent {
  const title = t.text('online.title');
  const button = html`<button>${t.text(report ? 'online.again' : 'online.start')}</button>`;
  return {
    title,
    main: html`<p><a href="/app/start">&larr; ${t.text('online.back')}</a></p>
      <h1>${title}</h1>
      <p class="lead">${t.text('online.lead')}</p>
      ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`} ${report && found(t, report)}
      ${sessionForm(session, ONLINE_PATH, button)}`,
  };
}

function found(t: Translator, { findings, isComplete, at }: OnlineReport): Html {
  const isWell = isComplete && findings.every(({ problems }) => problems.length === 0);
  const time = html`<time datetime="${at}">${t.moment(at)}</time>`;
  return html`${isWell && html`<p class="notice" role="status">${t.text('online.well')}</p>`}
    ${!isComplete && html`<p class="alarm" role="alert">${t.text('online.late')}</p>`}
    <p class="soft">${t.html('online.at', { time })}</p>
    <ul class="rows findings">
      ${findings.map((finding) => row(t, finding))}
    </ul>`;
}

function row(t: Translator, { check, problems }: OnlineFinding): Html {
  const level = levelOf(problems);
  return html`<li>
    <div>
      <b>${t.text(`online.${check}`)}</b>
      ${problems.map(({ text }) => html`<p>${t.reason(text)}</p>`)}
      ${level !== 'ok' && html`<p class="soft">${t.text(`online.todo.${check}`)}</p>`}
    </div>
    <span class="level ${level}">${t.text(`online.${level}`)}</span>
  </li>`;
}

function levelOf(problems: OnlineFinding['problems']): 'ok' | 'warning' | 'problem' {
  if (problems.length === 0) return 'ok';
  return problems.every(({ isWarning }) => isWarning) ? 'warning' : 'problem';
}
