import { html, type PageContent, type Translator } from '../../common/index.js';
import { nameOf } from '../parts/emoji.part.js';
import { faces } from '../parts/people.part.js';
import type { ShownPerson, ShownProfile } from '../parts/shown.js';
import { olderLink } from '../parts/status.part.js';
import { barOf } from './profile.page.js';

/** The lists of people of an account. */
export const RELATIONS = ['followers', 'following'] as const;
export type Relation = (typeof RELATIONS)[number];

/** One page of such a list. */
export interface PeoplePage {
  readonly people: readonly ShownPerson[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The page of the followers or followees of an account, as far as its owner shows them. Search engines leave it out. */
export function peoplePage(
  t: Translator,
  profile: ShownProfile,
  relation: Relation,
  { people, next }: PeoplePage,
): PageContent {
  const { person, showsFollowers, showsFollowing } = profile;
  const isShown = relation === 'followers' ? showsFollowers : showsFollowing;
  const title = t.text(`related.${relation}`, { name: person.name });
  return {
    title,
    bar: barOf(profile),
    main: html`<h1 class="small">${t.html(`related.${relation}`, { name: nameOf(person) })}</h1>
      <p><a href="${person.url}">&larr; ${t.text('people.back')}</a></p>
      ${people.length === 0 ? html`<p class="soft">${t.text(isShown ? 'posts.empty' : 'people.hidden')}</p>` : faces(t, people, title)}
      ${olderLink(t, next)}`,
  };
}
