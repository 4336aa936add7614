import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { nameOf, pictured } from '../../parts/emoji.part.js';
import { personPath } from '../../parts/listed-people.part.js';
import { profileFields } from '../../parts/profile.part.js';
import type { ShownProfile } from '../../parts/shown.js';
import { postsPart } from '../../parts/status.part.js';
import type { ShownMember } from './app-people.js';
import { PERSON_TABS, type PersonTab } from './people.dto.js';
import { mainButtons, moreActions, type OwnList, requestButtons } from './person-actions.part.js';

/** The posts of a profile. */
export interface PersonEntries {
  readonly tab: PersonTab;
  readonly pinned: readonly Html[];
  readonly posts: readonly Html[];
  /** The `max_id` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** The page of an account for signed-in people. */
export function personPage(
  t: Translator,
  session: BrowserSession,
  member: ShownMember,
  posts: PersonEntries,
  lists: readonly OwnList[],
): PageContent {
  const { person } = member.profile;
  return {
    title: `${person.name} (@${person.handle})`,
    main: html`${card(t, member)} ${moreActions(t, session, member, lists)} ${tabs(t, person.id, posts.tab)}
    ${list(t, posts)}`,
  };
}

function card(t: Translator, member: ShownMember): Html {
  const { profile, relationship, birthday } = member;
  const { person, html: about, header, createdAt, movedTo } = profile;
  return html`<section class="card person">
    <img class="banner" src="${header}" alt="" />
    <img class="face" src="${person.avatar}" alt="" width="96" height="96" />
    <h1>${nameOf(person)}</h1>
    <p class="soft">${bdi(`@${person.handle}`)}</p>
    ${badges(t, member)} ${movedTo && moved(t, profile, movedTo)}
    <div class="words" dir="auto">${pictured(about, person.emojis)}</div>
    ${profileFields(t, profile)} ${figures(t, profile)}
    <p class="soft">
      ${t.text('profile.since', { day: t.day(createdAt) })}.
      ${birthday !== undefined && t.text('people.birthday', { day: t.day(birthday) })}
    </p>
    ${relationship && relationship.note !== '' && html`<p class="notice">${t.text('people.note')}: ${bdi(relationship.note)}</p>`}
    ${relationship?.requested_by === true && requestButtons(t, person.id)}
    <p class="choice">${mainButtons(t, member)}</p>
  </section>`;
}

/** What the account is, and what is between it and the signed-in person. */
function badges(t: Translator, member: ShownMember): Html | undefined {
  const all = [...relationBadges(t, member), ...accountBadges(t, member)];
  if (all.length === 0) return undefined;
  return html`<ul class="badges">
    ${all.map((text) => html`<li>${text}</li>`)}
  </ul>`;
}

function relationBadges(t: Translator, { relationship }: ShownMember): string[] {
  if (!relationship) return [];
  return namesOf([
    [relationship.followed_by, t.text('people.follows-you')],
    [relationship.muting, t.text('people.muted')],
    [relationship.blocking, t.text('people.blocked')],
    [relationship.blocked_by, t.text('people.blocks-you')],
    [relationship.domain_blocking, t.text('people.server-blocked')],
  ]);
}

function accountBadges(t: Translator, member: ShownMember): string[] {
  const { isBot, isLocked } = member.profile.person;
  return namesOf([
    [member.isAdmin, t.text('people.admin')],
    [member.isModerator, t.text('people.moderator')],
    [isBot, t.text('people.bot')],
    [member.isGroup, t.text('people.group')],
    [isLocked, t.text('people.locked')],
    [member.isMemorial, t.text('people.memorial')],
    [member.isDeactivated, t.text('people.deactivated')],
  ]);
}

function namesOf(badges: readonly (readonly [isOn: boolean, name: string])[]): string[] {
  return badges.filter(([isOn]) => isOn).map(([, name]) => name);
}

function moved(t: Translator, { person }: ShownProfile, target: ShownProfile['person']): Html {
  const link = html`<a href="${personPath(target.id)}">${bdi(`@${target.handle}`)}</a>`;
  return html`<p class="alarm">${t.html('profile.moved', { name: nameOf(person), person: link })}</p>`;
}

function figures(t: Translator, { person, posts, followers, following }: ShownProfile): Html {
  const path = personPath(person.id);
  const hidden = t.text('people.hidden-number');
  const number = (count: number | undefined) => (count === undefined ? hidden : t.number(count));
  return html`<ul class="figures" aria-label="${t.text('profile.figures')}">
    <li><b>${t.number(posts)}</b> ${t.text('landing.posts', { count: posts })}</li>
    <li>
      <a href="${path}/followers"
        ><b>${number(followers)}</b> ${t.text('profile.followers', { count: followers ?? 2 })}</a
      >
    </li>
    <li>
      <a href="${path}/following"
        ><b>${number(following)}</b> ${t.text('profile.following', { count: following ?? 2 })}</a
      >
    </li>
  </ul>`;
}

function tabs(t: Translator, id: string, current: PersonTab): Html {
  return html`<nav class="tabs" aria-label="${t.text('people.tabs')}">
    ${PERSON_TABS.map(
      (tab) =>
        html`<a
          href="${personPath(id)}${tab !== 'posts' && `?tab=${tab}`}"
          ${tab === current && html`aria-current="page"`}
          >${t.text(`people.tab.${tab}`)}</a
        >`,
    )}
  </nav>`;
}

function list(t: Translator, { tab, pinned, posts, next }: PersonEntries): Html {
  const above = html`<h2>${t.text('people.pinned')}</h2>
    <div class="posts pinned">${pinned}</div>
    <h2>${t.text('people.latest')}</h2>`;
  const query = tab === 'posts' ? undefined : `tab=${tab}`;
  return postsPart(t, posts, next, { above: pinned.length > 0 ? above : undefined, query });
}
