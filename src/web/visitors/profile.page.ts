import { bdi, type Html, html, type PageContent, type Translator, type VisitorBar } from '../../common/index.js';
import { nameOf, pictured } from '../parts/emoji.part.js';
import { badges } from '../parts/people.part.js';
import { profileFields } from '../parts/profile.part.js';
import { excerpt, type ShownProfile } from '../parts/shown.js';
import { statusList } from '../parts/status.part.js';
import { alternates, elsewhere, feedLinks } from './page.parts.js';
import { PROFILE_TABS, type ProfileTab } from './visitor.dto.js';
import type { ProfileStatuses } from './visitors.service.js';

const DESCRIPTION_LENGTH = 200;

/** The page of an account: its profile and its posts. */
export function profilePage(
  t: Translator,
  profile: ShownProfile,
  { tab, pinned, ...page }: ProfileStatuses,
  feedUrl: string,
): PageContent {
  const { person, nickname, uri, about } = profile;
  const query = tab === 'posts' ? undefined : `show=${tab}`;
  const handle = `@${person.handle}`;
  return {
    title: `${person.name} (${handle})`,
    description: excerpt(about, DESCRIPTION_LENGTH) || handle,
    isUnlisted: !person.isFindable,
    image: person.avatar,
    url: person.url,
    kind: 'profile',
    head: html`<meta property="profile:username" content="${nickname}" />${alternates(uri, feedUrl)}`,
    bar: barOf(profile),
    main: html`<div class="profile">
      ${card(t, profile, feedUrl)}
      <div>${tabs(t, profile, tab)} ${statusList(t, page, { pinned, query })}</div>
    </div>`,
  };
}

/** The bar of the pages of an account. */
export function barOf({ person }: ShownProfile): VisitorBar {
  return { appPath: `/app/people/${person.id}` };
}

function tabs(t: Translator, { person }: ShownProfile, current: ProfileTab): Html {
  const item = (tab: ProfileTab) =>
    html`<li>
      <a href="${person.url}${tab !== 'posts' && `?show=${tab}`}" ${tab === current && html`aria-current="page"`}
        >${t.text(`profile.tab.${tab}`)}</a
      >
    </li>`;
  return html`<nav class="tabs" aria-label="${t.text('profile.tabs')}">
    <ul>
      ${PROFILE_TABS.map(item)}
    </ul>
  </nav>`;
}

function card(t: Translator, profile: ShownProfile, feedUrl: string): Html {
  const { person, html: about, header, createdAt, movedTo } = profile;
  const handle = html`<b>${bdi(`@${person.handle}`)}</b>`;
  return html`<section class="card person">
    <img class="banner" src="${header}" alt="" />
    <img class="face" src="${person.avatar}" alt="" width="96" height="96" />
    <h1>${nameOf(person)}</h1>
    <p class="soft">${bdi(`@${person.handle}`)} ${badges(t, person)}</p>
    ${movedTo && html`<p class="alarm">${t.html('profile.moved', { name: nameOf(person), person: link(movedTo) })}</p>`}
    <div class="words" dir="auto">${pictured(about, person.emojis)}</div>
    ${profileFields(t, profile)} ${figures(t, profile)}
    <p class="soft">
      ${t.text('profile.since', { day: t.day(createdAt) })}.
      ${t.html('profile.follow', { handle, ...feedLinks(feedUrl) })}
    </p>
    ${!movedTo && elsewhere(t.text('profile.elsewhere'), { nickname: profile.nickname })}
  </section>`;
}

function link({ url, handle }: ShownProfile['person']): Html {
  return html`<a href="${url}">${bdi(`@${handle}`)}</a>`;
}

function figures(t: Translator, profile: ShownProfile): Html {
  const { posts, followers, following, person } = profile;
  const linked = (isShown: boolean, list: string, content: Html) =>
    isShown ? html`<a href="${person.url}/${list}">${content}</a>` : content;
  return html`<ul class="figures" aria-label="${t.text('profile.figures')}">
    <li><b>${t.number(posts)}</b> ${t.text('landing.posts', { count: posts })}</li>
    ${followers !== undefined && html`<li>${linked(profile.showsFollowers, 'followers', html`<b>${t.number(followers)}</b> ${t.text('profile.followers', { count: followers })}`)}</li>`}
    ${following !== undefined && html`<li>${linked(profile.showsFollowing, 'following', html`<b>${t.number(following)}</b> ${t.text('profile.following', { count: following })}`)}</li>`}
  </ul>`;
}
