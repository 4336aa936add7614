import { html, type PageContent, type Translator } from '../../../common/index.js';
import { nameOf } from '../../parts/emoji.part.js';
import { peopleList, personPath } from '../../parts/listed-people.part.js';
import type { ShownPerson } from '../../parts/shown.js';
import type { ListedMember } from './app-people.js';
import { listedButton } from './person-actions.part.js';

/** A page of followers or followees. */
export interface RelatedPeople {
  readonly people: readonly ListedMember[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** Whether the owner shows the list to nobody. */
  readonly isHidden: boolean;
}

/** The page of the followers of an account, or of the accounts that it follows. */
export function followersPage(
  t: Translator,
  viewerId: string,
  owner: ShownPerson,
  kind: 'followers' | 'following',
  { people, next, isHidden }: RelatedPeople,
): PageContent {
  const title = t.text(`people.${kind}`);
  const content = isHidden
    ? html`<p class="soft">${t.text('people.hidden-list')}</p>`
    : peopleList(t, people, (listed) => listedButton(t, listed, viewerId));
  return {
    title: `${title} · ${owner.name}`,
    main: html`<h1>${title}</h1>
      <p><a href="${personPath(owner.id)}">&larr; ${nameOf(owner)}</a></p>
      ${content}
      ${next !== undefined && html`<p><a class="button quiet" rel="next" href="?max_id=${next}">${t.text('people.further')}</a></p>`}`,
  };
}
