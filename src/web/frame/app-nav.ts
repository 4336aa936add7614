import type { CredentialAccountJson } from '../../accounts/index.js';
import { bdi, extensionOf, type Html, html, type MessageKey, type Translator } from '../../common/index.js';

/** The first page of signed-in people. */
export const HOME_PATH = '/app/home';

/** The places of the navigation: their paths and names. Narrow screens show the first ones, and the rest behind a button. */
const FIRST_PLACES = [
  [HOME_PATH, 'app.home'],
  ['/app/notifications', 'app.notifications'],
  ['/app/chats', 'app.chats'],
] as const satisfies readonly (readonly [string, MessageKey])[];
const MORE_PLACES = [
  ['/app/search', 'app.search'],
  ['/app/local', 'app.local'],
  ['/app/federated', 'app.federated'],
  ['/app/lists', 'app.lists'],
  ['/app/bookmarks', 'app.bookmarks'],
  ['/app/favourites', 'app.favourites'],
  ['/auth/account', 'app.settings'],
] as const satisfies readonly (readonly [string, MessageKey])[];
type Place = (typeof FIRST_PLACES | typeof MORE_PLACES)[number];

/** What the navigation says of the signed-in person. */
export interface Owner {
  readonly id: string;
  readonly name: string;
  readonly avatar: string;
  /** The numbers of unread notifications and of chats with unread messages, by the paths of their places. */
  readonly unread: Readonly<Record<string, number>>;
}

/** Takes it from the account as its owner sees it. */
export function ownerOf(account: CredentialAccountJson, brand: string): Owner {
  const own = extensionOf<CredentialAccountJson['svc']>(account, brand);
  return {
    id: account.id,
    name: account.display_name || account.username,
    avatar: account.avatar,
    unread: { '/app/notifications': own.unread_notifications_count, '/app/chats': own.unread_chats_count },
  };
}

/** The navigation of signed-in people. */
export function appNav(t: Translator, account: Owner, isStaff: boolean, path: string): Html {
  const place = ([target, key]: Place) => item(target, t.text(key), path, account.unread[target]);
  return html`<nav class="places" aria-label="${t.text('app.places')}">
    <a class="me" href="/app/people/${account.id}">
      <img class="face" src="${account.avatar}" alt="" width="32" height="32" />${bdi(account.name)}
    </a>
    <a class="button" href="/app/compose" data-key="n">${t.text('app.compose')}</a>
    <button type="button" class="quiet" popovertarget="places">${t.text('act.more')}</button>
    <ul>
      ${FIRST_PLACES.map(place)}
    </ul>
    <ul id="places" popover>
      ${MORE_PLACES.map(place)} ${isStaff && item('/app/staff', t.text('app.staff'), path)}
    </ul>
  </nav>`;
}

/** `unread` is undefined where nothing is counted; the script brings new numbers. */
function item(target: string, name: string, path: string, unread?: number): Html {
  const isHere = path === target || path.startsWith(`${target}/`);
  const count = html`<span class="count" data-unread ${unread === 0 && html`hidden`}>${unread}</span>`;
  return html`<li>
    <a href="${target}" ${isHere && html`aria-current="page"`}>${name} ${unread !== undefined && count}</a>
  </li>`;
}
