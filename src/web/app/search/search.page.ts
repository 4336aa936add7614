import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { SearchType } from '../../../search/index.js';
import type { TagJson } from '../../../timelines/index.js';
import { peopleList } from '../../parts/listed-people.part.js';
import type { ListedMember } from '../people/app-people.js';
import { listedButton } from '../people/person-actions.part.js';

/** A search and its results. */
export interface SearchResults {
  readonly q: string;
  /** Undefined for all kinds. */
  readonly type: SearchType | undefined;
  readonly people: readonly ListedMember[];
  readonly tags: readonly TagJson[];
  readonly posts: readonly Html[];
  /** The offset of the next page of each kind; undefined on the last one. */
  readonly next: Readonly<Record<SearchType, number | undefined>>;
}

/** The tabs, in their order. */
const TABS = [undefined, 'accounts', 'statuses', 'hashtags'] as const satisfies readonly (SearchType | undefined)[];

/** The search for people, posts and hashtags; without results before something was typed. */
export function searchPage(t: Translator, viewerId: string, q: string, results?: SearchResults): PageContent {
  const title = t.text('app.search');
  return {
    title: q === '' ? title : `${q} · ${title}`,
    main: html`<h1>${title}</h1>
      ${field(t, q, results?.type)}
      ${results ? found(t, viewerId, results) : html`<p class="soft">${t.text('search.hint')}</p>`}`,
  };
}

function field(t: Translator, q: string, type: SearchType | undefined): Html {
  return html`<form class="line find" action="/app/search" role="search">
    <label for="q">${t.text('search.label')}</label>
    <input id="q" name="q" type="search" value="${q}" required maxlength="2048" autocapitalize="none" />
    ${type && html`<input type="hidden" name="type" value="${type}" />`}
    <button>${t.text('search.submit')}</button>
  </form>`;
}

function found(t: Translator, viewerId: string, results: SearchResults): Html {
  const { q, people, posts, tags } = results;
  const tabs = html`<nav class="tabs" aria-label="${t.text('search.kinds')}">
    ${TABS.map(
      (type) =>
        html`<a href="${pathOf(q, type)}" ${type === results.type && html`aria-current="page"`}
          >${t.text(`search.${type ?? 'all'}`)}</a
        >`,
    )}
  </nav>`;
  if (people.length + posts.length + tags.length === 0)
    return html`${tabs}
      <p class="soft">${t.html('search.nothing', { q: bdi(q) })}</p>`;
  return html`${tabs}
  ${section(
    t,
    'accounts',
    results,
    people.length > 0 && peopleList(t, people, (listed) => listedButton(t, listed, viewerId)),
  )}
  ${section(t, 'hashtags', results, tags.length > 0 && tagList(t, tags))}
  ${section(t, 'statuses', results, posts.length > 0 && html`<div class="posts" id="posts">${posts}</div>`)}`;
}

function section(t: Translator, type: SearchType, { q, next }: SearchResults, content: Html | false): Html | undefined {
  if (content === false) return undefined;
  const offset = next[type];
  return html`<h2>${t.text(`search.${type}`)}</h2>
    ${content}
    ${offset !== undefined && html`<p><a class="button quiet" href="${pathOf(q, type, offset)}">${t.text(`search.more.${type}`)}</a></p>`}`;
}

function tagList(t: Translator, tags: readonly TagJson[]): Html {
  return html`<ul class="rows">
    ${tags.map(({ name, history }) => {
      const uses = history.reduce((sum, day) => sum + Number(day.uses), 0);
      return html`<li>
        <a href="/app/tags/${encodeURIComponent(name)}">${bdi(`#${name}`)}</a>
        ${uses > 0 && html`<span class="soft">${t.text('search.uses', { count: uses })}</span>`}
      </li>`;
    })}
  </ul>`;
}

function pathOf(q: string, type: SearchType | undefined, offset = 0): string {
  const query = new URLSearchParams({ q, ...(type && { type }), ...(offset > 0 && { offset: String(offset) }) });
  return `/app/search?${query.toString()}`;
}
