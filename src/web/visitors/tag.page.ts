import { bdi, html, type PageContent, type Translator } from '../../common/index.js';
import { alternates, feedLinks } from './page.parts.js';
import { statusList } from '../parts/status.part.js';
import type { TagPage } from './visitors.service.js';

/** The page of a tag. It includes posts of accounts that are not indexable, so search engines must not index it. */
export function tagPage(t: Translator, page: TagPage, url: string): PageContent {
  return {
    title: `#${page.name}`,
    description: `#${page.name}`,
    isUnlisted: true,
    url,
    bar: { appPath: `/app/tags/${encodeURIComponent(page.name)}` },
    head: alternates(undefined, url),
    main: html`<h1>${bdi(`#${page.name}`)}</h1>
      <p class="soft">${t.html('tag.lead', feedLinks(url))}</p>
      ${statusList(t, page)}`,
  };
}
