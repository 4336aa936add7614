import { Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  Answers,
  ClientApi,
  CurrentAccount,
  Input,
  Json,
  NothingShape,
  Page,
  Scopes,
  Summary,
  SvcApi,
} from '../../common/index.js';
import { ConversationStatusesQuery, ConversationsQuery, RecipientsBody } from './conversations.dto.js';
import { ConversationsService } from './conversations.service.js';
import { ConversationView } from './conversation.view.js';
import { StatusView } from '../rendering/status.view.js';
import { ConversationShape } from './conversation.shape.js';
import { StatusShape } from '../rendering/status.shape.js';

/** `/api/v1/conversations` (spec §4.3). */
@ClientApi('v1', 'conversations')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly view: ConversationView,
  ) {}

  @Summary("Lists the caller's conversations, the latest direct message first.")
  @Get()
  @Scopes('read:statuses')
  @Answers([ConversationShape])
  async list(
    @CurrentAccount() ownerId: string,
    @Input(ConversationsQuery) query: ConversationsQuery,
  ): Promise<Page<Json>> {
    const page = await this.conversations.page(ownerId, query, query.recipients);
    return page.with(await this.view.many(page.items, ownerId));
  }

  @Summary('Marks a conversation as read.')
  @Post(':id/read')
  @Scopes('write:conversations')
  @Answers(ConversationShape)
  async read(@CurrentAccount() ownerId: string, @Param('id') id: string): Promise<Json> {
    return this.mark(id, ownerId, false);
  }

  @Summary('Marks a conversation as unread.')
  @Post(':id/unread')
  @Scopes('write:conversations')
  @Answers(ConversationShape)
  async unread(@CurrentAccount() ownerId: string, @Param('id') id: string): Promise<Json> {
    return this.mark(id, ownerId, true);
  }

  @Summary("Removes a conversation from the caller's list.")
  @Delete(':id')
  @Scopes('write:conversations')
  @Answers(NothingShape)
  async remove(@CurrentAccount() ownerId: string, @Param('id') id: string): Promise<Json> {
    await this.conversations.remove(id, ownerId);
    return Json.of({});
  }

  private async mark(id: string, ownerId: string, unread: boolean): Promise<Json> {
    await this.conversations.setUnread(id, ownerId, unread);
    return this.view.one(await this.conversations.one(id, ownerId), ownerId);
  }
}

/** `/api/v1/svc/conversations` (spec §4.2). */
@SvcApi('conversations')
export class SvcConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly view: ConversationView,
    private readonly statuses: StatusView,
  ) {}

  @Summary('Marks all conversations as read, and returns them.')
  @Post('read')
  @Scopes('write:conversations')
  @Answers([ConversationShape])
  async readAll(@CurrentAccount() ownerId: string): Promise<Json[]> {
    return this.view.many(await this.conversations.readAll(ownerId), ownerId);
  }

  @Summary('Shows one conversation.')
  @Get(':id')
  @Scopes('read:statuses')
  @Answers(ConversationShape)
  async one(@CurrentAccount() ownerId: string, @Param('id') id: string): Promise<Json> {
    return this.view.one(await this.conversations.one(id, ownerId), ownerId);
  }

  @Summary('Replaces the recipients of a conversation.')
  @Patch(':id')
  @Scopes('write:conversations')
  @Answers(ConversationShape)
  async update(
    @CurrentAccount() ownerId: string,
    @Param('id') id: string,
    @Input(RecipientsBody) input: RecipientsBody,
  ): Promise<Json> {
    await this.conversations.setRecipients(id, ownerId, input.wanted());
    return this.view.one(await this.conversations.one(id, ownerId), ownerId);
  }

  @Summary('Lists the posts of a conversation, the latest first.')
  @Get(':id/statuses')
  @Scopes('read:statuses')
  @Answers([StatusShape])
  async posts(
    @CurrentAccount() ownerId: string,
    @Param('id') id: string,
    @Input(ConversationStatusesQuery) query: ConversationStatusesQuery,
  ): Promise<Page<Json>> {
    const withMuted = query.with_muted ?? false;
    const rows = await this.conversations.statuses(id, ownerId, query, withMuted);
    return this.statuses.page(rows, query, { viewerId: ownerId, withMuted, place: 'thread' });
  }
}
