import { bdi, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { nameOf, pictured } from '../parts/emoji.part.js';
import { profileFields } from '../parts/profile.part.js';
import { type StatusPage, statusList } from '../parts/status.part.js';
import { alternates, elsewhere, feedLinks } from './page.parts.js';
import { excerpt, type ShownProfile } from '../parts/shown.js';

const DESCRIPTION_LENGTH = 200;

/** The page of an account: its profile and its posts. */
export function profilePage(t: Translator, profile: ShownProfile, page: StatusPage, feedUrl: string): PageContent {
  const { person, nickname, uri, about } = profile;
  const handle = `@${person.handle}`;
  return {
    title: `${person.name} (${handle})`,
    description: excerpt(about, DESCRIPTION_LENGTH) || handle,
    isUnlisted: !person.isFindable,
    image: person.avatar,
    url: person.url,
    kind: 'profile',
    head: html`<meta property="profile:username" content="${nickname}" />${alternates(uri, feedUrl)}`,
    main: html`${card(t, profile, feedUrl)} ${statusList(t, page)}`,
  };
}

function card(t: Translator, profile: ShownProfile, feedUrl: string): Html {
  const { person, html: about, header, createdAt, movedTo } = profile;
  const handle = html`<b>${bdi(`@${person.handle}`)}</b>`;
  return html`<section class="card person">
    <img class="banner" src="${header}" alt="" />
    <img class="face" src="${person.avatar}" alt="" width="96" height="96" />
    <h1>${nameOf(person)}</h1>
    <p class="soft">${bdi(`@${person.handle}`)}</p>
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

function figures(t: Translator, { posts, followers, following }: ShownProfile): Html {
  return html`<ul class="figures" aria-label="${t.text('profile.figures')}">
    <li><b>${t.number(posts)}</b> ${t.text('landing.posts', { count: posts })}</li>
    ${followers !== undefined && html`<li><b>${t.number(followers)}</b> ${t.text('profile.followers', { count: followers })}</li>`}
    ${following !== undefined && html`<li><b>${t.number(following)}</b> ${t.text('profile.following', { count: following })}</li>`}
  </ul>`;
}
