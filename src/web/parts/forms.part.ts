import { type Html, html } from '../../common/index.js';
import type { BrowserSession } from '../../sign-in/index.js';

/** The id of the form that the buttons of a page belong to; their `formaction` says what they do. */
export const ACTIONS = 'actions';

/** The one form of a page's small buttons. Parts of pages need no token of their own, so that they can be cached. */
export function actionsForm({ formToken }: BrowserSession, path: string): Html {
  return html`<form id="${ACTIONS}" method="post">
    <input type="hidden" name="_csrf" value="${formToken}" />
    <input type="hidden" name="return_to" value="${path}" />
  </form>`;
}

/** A small button. */
export interface Action {
  readonly path: string;
  readonly label: Html | string;
  /** What it does, where the label is a picture or a number. */
  readonly name?: string;
  /** Whether what it does is done; undefined for a button that is not a switch. */
  readonly isOn?: boolean;
  readonly classes?: string;
  /** A field that it sends. */
  readonly field?: { readonly name: string; readonly value: string | number };
}

/** A button that does one thing and returns to the page. */
export function actionButton({ path, label, name, isOn, classes, field }: Action): Html {
  return html`<button
    form="${ACTIONS}"
    formaction="${path}"
    ${classes !== undefined && html`class="${classes}"`}
    ${name !== undefined && html`aria-label="${name}" title="${name}"`}
    ${isOn !== undefined && html`aria-pressed="${String(isOn)}"`}
    ${field && html`name="${field.name}" value="${field.value}"`}
  >
    ${label}
  </button>`;
}

/** A form of a page; `returnTo` is the path that it leads back to. */
export function sessionForm(
  { formToken }: BrowserSession,
  action: string,
  content: Html,
  { returnTo, attributes }: { readonly returnTo?: string; readonly attributes?: Html } = {},
): Html {
  return html`<form method="post" action="${action}" ${attributes}>
    <input type="hidden" name="_csrf" value="${formToken}" />
    ${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}" />`} ${content}
  </form>`;
}
