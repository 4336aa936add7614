import { Delete, Get, Param } from '@nestjs/common';
import {
  AdminApi,
  AdminOnly,
  Answers,
  type Auth,
  CurrentAuth,
  Input,
  type Json,
  type Page,
  PageQuery,
  Summary,
  ViewerId,
} from '../../common/index.js';
import { ModeratedAccountsService } from '../../accounts/index.js';
import { ChatMessageShape, ChatsService, ChatView, StaffChatShape } from '../../chats/index.js';
import { UnitOfWork } from '../../platform/index.js';
import { ModerationLogService } from '../log/moderation-log.service.js';

/** `A/users/:nickname/chats` (spec §4.1.1): dashboards name the account by its id as well. */
@AdminApi('users/:nickname/chats')
export class UserChatsController {
  constructor(
    private readonly accounts: ModeratedAccountsService,
    private readonly chats: ChatsService,
    private readonly view: ChatView,
  ) {}

  @Summary('Lists the chats of an account.')
  @Get()
  @AdminOnly('admin:read:chats')
  @Answers([StaffChatShape])
  async list(@ViewerId() viewerId = '', @Param('nickname') nickname: string): Promise<Json[]> {
    const { id } = await this.accounts.named(nickname);
    return this.view.forStaff(await this.chats.ofAccount(id), viewerId);
  }
}

/** `A/chats` (spec §4.1.8). */
@AdminApi('chats/:chat_id')
export class AdminChatsController {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly chats: ChatsService,
    private readonly view: ChatView,
    private readonly log: ModerationLogService,
  ) {}

  @Summary('Shows one chat of any account.')
  @Get()
  @AdminOnly('admin:read:chats')
  @Answers(StaffChatShape)
  async show(@ViewerId() viewerId = '', @Param('chat_id') id: string): Promise<Json | undefined> {
    const [chat] = await this.view.forStaff([await this.chats.ofAnybody(id)], viewerId);
    return chat;
  }

  @Summary('Lists the messages of a chat, the latest first.')
  @Get('messages')
  @AdminOnly('admin:read:chats')
  @Answers([ChatMessageShape])
  async messages(@Param('chat_id') id: string, @Input(PageQuery) query: PageQuery): Promise<Page<Json>> {
    return (await this.chats.messagesOfAnybody(id, query)).map((row) => this.view.message(row));
  }

  @Summary('Deletes a message of a chat for both sides.')
  @Delete('messages/:message_id')
  @AdminOnly('admin:write:chats')
  @Answers(ChatMessageShape)
  async delete(
    @CurrentAuth() actor: Auth,
    @Param('chat_id') id: string,
    @Param('message_id') messageId: string,
  ): Promise<Json> {
    return this.uow.run(async () => {
      const { ownerId } = await this.chats.ofAnybody(id);
      const message = this.view.message(await this.chats.message(id, messageId, ownerId, true));
      await this.chats.deleteForBoth(messageId);
      await this.log.record(actor, 'chat_message_delete', { type: 'chat_message', id: messageId });
      return message;
    });
  }
}
