import { bdi, html, type PageContent, type Translator } from '../../common/index.js';
import { faces } from '../parts/people.part.js';
import { statusList } from '../parts/status.part.js';
import type { ShownPerson, ShownStatus } from '../parts/shown.js';

/** A hashtag of the week. */
export interface TrendingTag {
  readonly name: string;
  readonly url: string;
  /** The people who used it on its busiest day of the week. */
  readonly people: number;
}

/** What the API shows to visitors as trends, and accounts that want to be found. */
export interface Trends {
  readonly tags: readonly TrendingTag[];
  readonly people: readonly ShownPerson[];
  readonly posts: readonly ShownStatus[];
}

/** The page of what is new and popular. It changes all the time, so search engines leave it out. */
export function explorePage(t: Translator, { tags, people, posts }: Trends): PageContent {
  const title = t.text('explore.title');
  const tag = ({ name, url, people: count }: TrendingTag) =>
    html`<li>
      <a href="${url}">${bdi(`#${name}`)}</a>
      <span class="soft">${t.text('explore.tag-people', { count, number: t.number(count) })}</span>
    </li>`;
  return {
    title,
    bar: { appPath: '/app/federated' },
    main: html`<h1>${title}</h1>
      <p><a class="button quiet" href="/main/public">${t.text('here.title')}</a></p>
      ${
        tags.length > 0 &&
        html`<h2>${t.text('explore.tags')}</h2>
          <ul class="tags">
            ${tags.map(tag)}
          </ul>`
      }
      ${
        people.length > 0 &&
        html`<h2>${t.text('explore.people')}</h2>
          ${faces(t, people, t.text('explore.people'))}`
      }
      <h2>${t.text('explore.posts')}</h2>
      ${statusList(t, { posts, next: undefined })}`,
  };
}
