import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { ShownStatus } from '../../parts/shown.js';
import { type StatusPlace, statusPart } from '../../parts/status.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { accountPath, type CountedPage, pageLinks, tabs, withQuery } from '../parts/staff.part.js';
import { staffStatusPath, statusActions } from '../parts/status-actions.part.js';

const PATH = `${STAFF_PATH}/posts`;

/** What the viewer may do with posts. */
export interface StatusRights {
  readonly change: boolean;
  readonly readAccounts: boolean;
}

/** The filters of a list of posts. */
export interface StatusListFilter {
  /** Whose posts: a handle; empty for those of all accounts. */
  readonly account: string;
  /** The server of their authors. */
  readonly server: string;
  /** Only posts of this server. */
  readonly local: boolean;
  /** Also posts that are not public. */
  readonly every: boolean;
}

/** A post with what the staff can do. */
export function staffStatusPage(t: Translator, status: ShownStatus, rights: StatusRights): PageContent {
  const title = t.text('staff.post.title', { name: `@${status.author.handle}` });
  return {
    title,
    main: html`<h1>${title}</h1>
      ${staffStatus(t, status, rights)}
      <p><a href="${status.url}">${t.text('act.public-page')}</a></p>`,
  };
}

/** A page of posts. */
export function staffStatusesPage(
  t: Translator,
  statuses: readonly ShownStatus[],
  counted: CountedPage,
  filter: StatusListFilter,
  rights: StatusRights,
): PageContent {
  const { account, server, local, every } = filter;
  const title = t.text('staff.posts');
  const query = { account, server, local: local ? 'true' : '', every: every ? 'true' : '' };
  const link = (changes: Partial<typeof query>) => withQuery(PATH, { ...query, ...changes });
  const choices: [string, string, boolean][] = [
    [link({ every: every ? '' : 'true' }), t.text('staff.posts.every'), every],
  ];
  if (account === '' && server === '')
    choices.unshift([link({ local: local ? '' : 'true' }), t.text('staff.posts.local'), local]);
  return {
    title,
    main: html`<h1>${title}</h1>
      ${account !== '' && html`<p>${t.html('staff.posts.of', { name: bdi(`@${account}`) })}</p>`}
      ${server !== '' && html`<p>${t.html('staff.posts.of', { name: bdi(server) })}</p>`}
      ${tabs(t.text('staff.filter'), choices)}
      ${statuses.length === 0 && html`<p class="soft">${t.text('posts.empty')}</p>`}
      ${statuses.map((status) => staffStatus(t, status, rights))} ${pageLinks(t, counted, query)}`,
  };
}

function staffStatus(t: Translator, status: ShownStatus, { change, readAccounts }: StatusRights): Html {
  const place: StatusPlace = {
    person: ({ id }) => (readAccounts ? accountPath(id) : `/app/people/${id}`),
    status: ({ id }) => staffStatusPath(id),
  };
  return html`<div class="staff-part">${statusPart(t, status, place)} ${change && statusActions(t, status)}</div>`;
}
