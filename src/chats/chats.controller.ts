import { Delete, Get, Headers, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Answers,
  checkedKey,
  ClientApi,
  CurrentAccount,
  Input,
  type Json,
  type Page,
  PageQuery,
  RateLimit,
  Scopes,
  Summary,
  SvcApi,
  writeKeyHeaders,
} from '../common/index.js';
import { ChatMessageShape, ChatShape, ReadChatShape } from './chat.shape.js';
import { ChatView } from './chat.view.js';
import { ChatMessageBody, ChatPageQuery, ChatsQuery, ReadChatBody } from './chats.dto.js';
import { ChatsService } from './chats.service.js';

/** `/api/v1/svc/chats` (spec §4.2). */
@SvcApi('chats')
export class ChatsController {
  constructor(
    private readonly chats: ChatsService,
    private readonly view: ChatView,
  ) {}

  @Summary('Lists all chats of the caller at once, the latest message first.', { deprecated: true })
  @Get()
  @Scopes('read:chats')
  @Answers([ChatShape])
  async list(@CurrentAccount() ownerId: string, @Input(ChatsQuery) query: ChatsQuery): Promise<Json[]> {
    return this.view.many(await this.chats.all(ownerId, query.with_muted ?? false), ownerId);
  }

  @Summary('Opens the chat with an account, or returns the existing one.')
  @Post('by-account-id/:account_id')
  @Scopes('write:chats')
  @RateLimit('statuses_actions')
  @Answers(ChatShape)
  async open(@CurrentAccount() ownerId: string, @Param('account_id') accountId: string): Promise<Json> {
    const id = await this.chats.open(ownerId, accountId);
    return this.view.one(await this.chats.one(id, ownerId), ownerId);
  }

  @Summary('Shows one chat.')
  @Get(':id')
  @Scopes('read:chats')
  @Answers(ChatShape)
  async one(@CurrentAccount() ownerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.chats.one(id, ownerId), ownerId);
  }

  @Summary('Marks a chat as read, up to a message.')
  @Post(':id/read')
  @Scopes('write:chats')
  @Answers(ReadChatShape)
  async read(
    @CurrentAccount() ownerId: string,
    @Param('id') id: string,
    @Input(ReadChatBody) input: ReadChatBody,
  ): Promise<Json> {
    await this.chats.readUpTo(id, input.upTo(), ownerId);
    return this.view.read(await this.chats.one(id, ownerId), ownerId);
  }

  @Summary('Lists the messages of a chat, the latest first.')
  @Get(':id/messages')
  @Scopes('read:chats')
  @Answers([ChatMessageShape])
  async messages(
    @CurrentAccount() ownerId: string,
    @Param('id') id: string,
    @Input(PageQuery) query: PageQuery,
  ): Promise<Page<Json>> {
    return (await this.chats.messages(id, ownerId, query)).map((row) => this.view.message(row));
  }

  @Summary('Sends a message with a text, a file, or both.')
  @Post(':id/messages')
  @Scopes('write:chats')
  @RateLimit('statuses_actions')
  @Answers(ChatMessageShape)
  async post(
    @CurrentAccount() ownerId: string,
    @Param('id') id: string,
    @Input(ChatMessageBody) { content, media_id: mediaId }: ChatMessageBody,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Json> {
    const key = checkedKey(idempotencyKey);
    const { ref, replayed } = await this.chats.post(id, ownerId, { content, mediaId }, key);
    writeKeyHeaders(response, key, replayed);
    return this.view.message(await this.chats.message(id, ref, ownerId));
  }

  @Summary('Marks one message as read.')
  @Post(':id/messages/:message_id/read')
  @Scopes('write:chats')
  @Answers(ChatMessageShape)
  async readMessage(
    @CurrentAccount() ownerId: string,
    @Param('id') id: string,
    @Param('message_id') messageId: string,
  ): Promise<Json> {
    await this.chats.read(id, messageId, ownerId);
    return this.view.message(await this.chats.message(id, messageId, ownerId));
  }

  @Summary("Deletes a message: the caller's own for both sides, another one for the caller only.")
  @Delete(':chat_id/messages/:message_id')
  @Scopes('write:chats')
  @RateLimit('statuses_actions')
  @Answers(ChatMessageShape)
  async delete(
    @CurrentAccount() ownerId: string,
    @Param('chat_id') id: string,
    @Param('message_id') messageId: string,
  ): Promise<Json> {
    const message = this.view.message(await this.chats.message(id, messageId, ownerId));
    await this.chats.delete(id, messageId, ownerId);
    return message;
  }
}

/** `/api/v2/svc/chats`: the same list in pages. */
@ClientApi('v2', 'svc/chats')
export class ChatPagesController {
  constructor(
    private readonly chats: ChatsService,
    private readonly view: ChatView,
  ) {}

  @Summary("Lists the caller's chats in pages, the latest message first.")
  @Get()
  @Scopes('read:chats')
  @Answers([ChatShape])
  async list(@CurrentAccount() ownerId: string, @Input(ChatPageQuery) query: ChatPageQuery): Promise<Page<Json>> {
    const page = await this.chats.page(ownerId, query.with_muted ?? false, query);
    return page.with(await this.view.many(page.items, ownerId));
  }
}
