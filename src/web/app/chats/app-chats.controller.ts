import { Get, Param, Post } from '@nestjs/common';
import { type ChatMessageJson, ChatsService, ChatView } from '../../../chats/index.js';
import {
  AcceptsFiles,
  Input,
  Invalid,
  type PageAnswer,
  type PageContent,
  PageQuery,
  RateLimit,
  RootApi,
  SignedIn,
} from '../../../common/index.js';
import { SessionPages, type Visit } from '../../frame/session-pages.js';
import { Visiting } from '../../frame/visiting.js';
import { AppStatuses } from '../statuses/app-statuses.js';
import { MessageFormBody, ReadFormBody } from './chat-pages.dto.js';
import { chatPage } from './chat.page.js';
import { chatPath, chatsPage } from './chats.page.js';
import { SentFiles } from './sent-files.js';
import { type MessageDraft, shownChat, shownMessage } from './shown-chats.js';
import { objectOf } from '../../parts/rendered.js';

const EMPTY: MessageDraft = { content: '', description: '', fileId: undefined };

/** The chats of a signed-in person. Chats of other owners do not exist. */
@RootApi('app')
export class AppChatsController {
  constructor(
    private readonly pages: SessionPages,
    private readonly statuses: AppStatuses,
    private readonly chats: ChatsService,
    private readonly view: ChatView,
    private readonly files: SentFiles,
  ) {}

  @Get('chats')
  @SignedIn()
  list(@Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.listPage(visit, query));
  }

  @Get('chats/:id')
  @SignedIn()
  show(@Param('id') id: string, @Input(PageQuery) query: PageQuery, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.open(visit, () => this.chatPage(visit, id, query));
  }

  /** Sends a message. Whoever answers has read what the page shows. */
  @Post('chats/:id')
  @SignedIn()
  @RateLimit('statuses_actions')
  @AcceptsFiles({ maxBytes: { file: 'media' } })
  write(
    @Param('id') id: string,
    @Input(MessageFormBody) body: MessageFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { content, description, file, last_read_id: readId } = body;
    let fileId = body.media_id;
    const send = async ({ session: { accountId: me } }: Visit) => {
      await this.chats.one(id, me);
      if (file) fileId = await this.files.store(me, file, description);
      await this.chats.post(id, me, { content, mediaId: fileId });
      if (readId !== undefined) await this.chats.readUpTo(id, readId, me);
      return `${chatPath(id)}#newest`;
    };
    return this.pages.submit(visit, send, (alarm) =>
      this.chatPage(visit, id, new PageQuery(), { content, description, fileId }, alarm),
    );
  }

  @Post('chats/:id/read')
  @SignedIn()
  read(
    @Param('id') id: string,
    @Input(ReadFormBody) body: ReadFormBody,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    const { last_read_id: readId } = body;
    const read = ({ session }: Visit) => {
      if (readId === undefined) throw new Invalid('last_read_id is missing');
      return this.chats.readUpTo(id, readId, session.accountId);
    };
    return this.pages.act(visit, read, { anchor: 'newest' });
  }

  /** Deletes an own message for both sides, and a message of the other side for the signed-in person only. */
  @Post('chats/:id/messages/:message_id/delete')
  @SignedIn()
  @RateLimit('statuses_actions')
  delete(
    @Param('id') id: string,
    @Param('message_id') messageId: string,
    @Visiting() visit: Visit,
  ): Promise<PageAnswer> {
    return this.pages.act(visit, ({ session }) => this.chats.delete(id, messageId, session.accountId), {
      anchor: 'newest',
    });
  }

  /** Opens the chat with a person; a failure is shown above the list of chats. */
  @Post('people/:id/chat')
  @SignedIn()
  @RateLimit('statuses_actions')
  open(@Param('id') personId: string, @Visiting() visit: Visit): Promise<PageAnswer> {
    return this.pages.submit(
      visit,
      async ({ session }) => `${chatPath(await this.chats.open(session.accountId, personId))}#newest`,
      (alarm) => this.listPage(visit, new PageQuery(), alarm),
    );
  }

  private async listPage({ t, session }: Visit, query: PageQuery, alarm?: string): Promise<PageContent> {
    const viewerId = session.accountId;
    const page = await this.chats.page(viewerId, false, query);
    const chats = await this.view.many(page.items, viewerId);
    const shown = chats.map((chat) => shownChat(chat, viewerId, this.statuses.context));
    const older = page.items.length < query.limit ? undefined : page.cursors?.last;
    return chatsPage(t, { chats: shown, older }, alarm);
  }

  private async chatPage(
    { t, session }: Visit,
    id: string,
    query: PageQuery,
    draft = EMPTY,
    alarm?: string,
  ): Promise<PageContent> {
    const viewerId = session.accountId;
    const { context } = this.statuses;
    const row = await this.chats.one(id, viewerId);
    const [chat, page] = await Promise.all([this.view.one(row, viewerId), this.chats.messages(id, viewerId, query)]);
    const messages = page.items.map((message) =>
      shownMessage(objectOf<ChatMessageJson>(this.view.message(message)), viewerId, context),
    );
    return chatPage(t, session, {
      chat: shownChat(chat, viewerId, context),
      messages: messages.toReversed(),
      older: page.items.length < query.limit ? undefined : page.cursors?.last,
      isNewest: query.max_id === undefined,
      draft,
      alarm,
    });
  }
}
