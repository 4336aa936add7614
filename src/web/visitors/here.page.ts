import { html, type PageContent, type Translator } from '../../common/index.js';
import { faces } from '../parts/people.part.js';
import { statusList } from '../parts/status.part.js';
import type { HerePage } from './visitors.service.js';

/** The local accounts and their posts, for visitors. Search engines find both on the pages of the accounts. */
export function herePage(t: Translator, { people, ...page }: HerePage): PageContent {
  const title = t.text('here.title');
  return {
    title,
    isUnlisted: true,
    bar: { appPath: '/app/local' },
    main: html`<h1>${title}</h1>
      ${people.length > 0 && faces(t, people, t.text('here.people'))} ${statusList(t, page)}`,
  };
}
