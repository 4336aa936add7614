import { bdi, type Html, html, type Insert, MAX_LISTED, type Translator } from '../../../common/index.js';
import { type Action, actionButton } from '../../parts/forms.part.js';
import type { StaffPerson } from '../frame/staff-shown.js';
import { STAFF_PATH } from '../frame/staff-sections.js';

/** A page of a list that is counted. */
export interface CountedPage {
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

/** The links to the pages before and after a page of a list; `query` holds its filters. */
export function pageLinks(
  t: Translator,
  { page, size, total }: CountedPage,
  query: Readonly<Record<string, string>>,
): Html | undefined {
  const last = Math.max(1, Math.ceil(total / size));
  if (last === 1) return undefined;
  const target = (to: number) => `?${new URLSearchParams({ ...given(query), page: String(to) }).toString()}`;
  return html`<nav class="line" aria-label="${t.text('staff.page.nav')}">
    ${page > 1 && html`<a class="button quiet" rel="prev" href="${target(page - 1)}">${t.text('staff.page.newer')}</a>`}
    <span class="soft">${t.text('staff.page', { page, last: listedNumber(t, last, total >= MAX_LISTED) })}</span>
    ${page < last && html`<a class="button quiet" rel="next" href="${target(page + 1)}">${t.text('staff.page.older')}</a>`}
  </nav>`;
}

/** A number of things for the staff, which is exact below {@link MAX_LISTED}. */
export function listedNumber(t: Translator, number: number, isLeast = number >= MAX_LISTED): string {
  return isLeast ? t.text('staff.or-more', { number }) : t.number(number);
}

/** The filters that are not empty. */
export function given(query: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** The address of a page with its filters. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(given(query)).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Choices of a filter, each a link; the chosen one is marked. */
export function tabs(
  label: string,
  choices: readonly (readonly [path: string, name: string, isHere: boolean])[],
): Html {
  const items = choices.map(
    ([path, name, isHere]) => html`<li><a href="${path}" ${isHere && html`aria-current="true"`}>${name}</a></li>`,
  );
  return html`<nav class="staff-nav" aria-label="${label}">
    <ul>
      ${items}
    </ul>
  </nav>`;
}

/** A button behind a fold, for what cannot be undone: the second button does it. */
export function askFirst(question: string, action: Action & { readonly label: string }): Html {
  return html`<details class="ask">
    <summary>${action.label}</summary>
    <p>${question}</p>
    ${actionButton({ classes: 'danger', ...action })}
  </details>`;
}

/** Facts with their names; those without a value are left out. */
export function factList(facts: readonly (readonly [name: string, value: Insert])[]): Html {
  const shown = facts.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  return html`<dl class="fields">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The page of an account for the staff. */
export const accountPath = (id: string) => `${STAFF_PATH}/accounts/${id}`;

/** A person with a picture and a link. */
export function personLine({ name, acct, avatar }: StaffPerson, path: string, more?: Insert): Html {
  return html`<span class="staff-person">
    <img class="face" src="${avatar}" alt="" width="40" height="40" loading="lazy" />
    <span><a class="name" href="${path}">${name}</a> <span class="soft">${bdi(`@${acct}`)}</span>${more}</span>
  </span>`;
}

/** A text of several lines. */
export function lines(text: string): Html {
  return html`${text.split('\n').map((line, at) => html`${at > 0 && html`<br />`}${line}`)}`;
}

/** A message above the content of a page: a success, or the reason of a failure. */
export interface Said {
  readonly alarm?: string;
  readonly notice?: string;
}

export function saidPart({ alarm, notice }: Said): Html {
  return html`${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
  ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}`;
}
