import { type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import { nameOf, picturedText } from '../../parts/emoji.part.js';
import type { ChatList, ShownChat, ShownMessage } from './shown-chats.js';

/** The path of the page of a chat. */
export const chatPath = (id: string) => `/app/chats/${id}`;

/** The chats of the signed-in person, the newest message first. */
export function chatsPage(t: Translator, { chats, older }: ChatList, alarm?: string): PageContent {
  const title = t.text('app.chats');
  return {
    title,
    main: html`<h1>${title}</h1>
      ${alarm !== undefined && html`<p class="alarm" role="alert">${alarm}</p>`}
      ${
        chats.length === 0
          ? html`<p class="soft">${t.text('chats.empty')}</p>`
          : html`<ul class="rows chats">
              ${chats.map((chat) => chatRow(t, chat))}
            </ul>`
      }
      ${
        older !== undefined &&
        html`<p><a class="button quiet" rel="next" href="?max_id=${older}">${t.text('chats.older')}</a></p>`
      }`,
  };
}

function chatRow(t: Translator, { id, person, unread, newest }: ShownChat): Html {
  return html`<li>
    <a href="${chatPath(id)}#newest">
      <img class="face" src="${person.avatar}" alt="" width="48" height="48" loading="lazy" />
      <span>
        <b>${nameOf(person)}</b>
        ${newest && html`<time class="soft" datetime="${newest.at}">${t.moment(newest.at)}</time>`}
        ${newest && html`<span class="soft">${newestWords(t, newest)}</span>`}
      </span>
      ${unread > 0 && html`<span class="count">${t.text('chats.unread', { count: unread })}</span>`}
    </a>
  </li>`;
}

function newestWords(t: Translator, { isOwn, words, emojis }: ShownMessage): Html {
  const said = words === '' ? t.text('chats.file') : picturedText(words, emojis);
  return isOwn ? t.html('chats.you-said', { words: said }) : html`${said}`;
}
