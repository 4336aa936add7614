import { bdi, type Html, html, type PageContent, type Translator } from '../../../common/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { nameOf, pictured } from '../../parts/emoji.part.js';
import { actionButton, sessionForm } from '../../parts/forms.part.js';
import { filePart } from '../../parts/status.part.js';
import { IN_APP } from '../statuses/status-actions.part.js';
import { chatPath } from './chats.page.js';
import type { MessageDraft, MessageList, ShownChat, ShownMessage } from './shown-chats.js';

/** A chat: its messages, newest last, and the form for another one. */
export function chatPage(t: Translator, session: BrowserSession, list: MessageList): PageContent {
  const { chat, messages, older, isNewest } = list;
  const { person } = chat;
  const path = chatPath(chat.id);
  return {
    title: t.text('chats.with', { name: person.name }),
    main: html`<p><a href="/app/chats">&larr; ${t.text('app.chats')}</a></p>
      <h1>
        ${t.html('chats.with', { name: html`<a class="name" href="${IN_APP.person(person)}">${nameOf(person)}</a>` })}
      </h1>
      <p class="soft">${bdi(`@${person.handle}`)}</p>
      ${
        older !== undefined &&
        html`<p>
          <a class="button quiet" rel="next" href="${path}?max_id=${older}">${t.text('chats.messages.older')}</a>
        </p>`
      }
      ${messages.length === 0 && html`<p class="soft">${t.text('chats.messages.empty')}</p>`}
      <ol class="messages">
        ${messages.map((message) => messagePart(t, chat, message))}
      </ol>
      ${isNewest ? answer(t, session, list) : html`<p><a class="button quiet" href="${path}#newest">${t.text('chats.messages.newest')}</a></p>`}`,
  };
}

function messagePart(t: Translator, { id: chatId, person }: ShownChat, message: ShownMessage): Html {
  const { id, isOwn, isUnread, html: words, emojis, at, file } = message;
  const path = `${chatPath(chatId)}/messages/${id}/delete`;
  return html`<li class="${isOwn && 'own'}" id="message-${id}">
    <span class="hidden">${isOwn ? t.text('chats.you') : nameOf(person)}:</span>
    ${words !== '' && html`<p dir="auto">${pictured(words, emojis)}</p>`} ${file && filePart(t, file)}
    <div class="soft">
      <time datetime="${at}">${t.moment(at)}</time>
      ${isUnread && html`<span class="count">${t.text('notices.unread')}</span>`}
      <details>
        <summary aria-label="${t.text('act.more')}" title="${t.text('act.more')}">&ctdot;</summary>
        ${actionButton({ path, label: t.text(isOwn ? 'chats.delete' : 'chats.hide'), classes: 'plain' })}
      </details>
    </div>
  </li>`;
}

/** The end of a chat: the button that marks it as read, and the form. */
function answer(t: Translator, session: BrowserSession, { chat, messages, draft, alarm }: MessageList): Html {
  const newest = messages.at(-1);
  const read = newest && {
    path: `${chatPath(chat.id)}/read`,
    label: t.text('chats.read'),
    classes: 'quiet',
    field: { name: 'last_read_id', value: newest.id },
  };
  return html`<div id="newest" class="narrow">
    ${alarm !== undefined && html`<p class="alarm" role="alert" id="alarm">${alarm}</p>`}
    ${chat.unread > 0 && read && html`<p>${actionButton(read)}</p>`}
    ${
      chat.isOpen
        ? sessionForm(session, chatPath(chat.id), fields(t, draft, newest?.id, alarm !== undefined), {
            attributes: html`enctype="multipart/form-data"`,
          })
        : html`<p class="soft">${t.text('chats.closed')}</p>`
    }
  </div>`;
}

/** Whoever answers has read the messages above. After a failure the browser goes to the text, below a long chat. */
function fields(
  t: Translator,
  { content, description, fileId }: MessageDraft,
  newestId: string | undefined,
  hasFailed: boolean,
): Html {
  return html`${newestId !== undefined && html`<input type="hidden" name="last_read_id" value="${newestId}" />`}
    <label for="words">${t.text('chats.message')}</label>
    <textarea id="words" name="content" rows="3" dir="auto" ${hasFailed && html`autofocus aria-describedby="alarm"`}>
${content}</textarea>
    ${
      fileId !== undefined &&
      html`<label class="tick"
        ><input type="checkbox" name="media_id" value="${fileId}" checked />${t.text('chats.file.kept')}</label
      >`
    }
    <details ${description !== '' && html`open`}>
      <summary>${t.text('chats.file.add')}</summary>
      <label for="file">${t.text('chats.file')}</label>
      <input id="file" name="file" type="file" />
      <label for="description">${t.text('chats.file.description')}</label>
      <input id="description" name="description" value="${description}" autocomplete="off" />
    </details>
    <button>${t.text('chats.send')}</button>`;
}
