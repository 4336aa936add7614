import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/index.js';
import { EmojiModule } from '../emoji/index.js';
import { MediaModule } from '../media/index.js';
import { StatusesModule } from '../statuses/index.js';
import { ChatView } from './chat.view.js';
import { ChatPagesController, ChatsController } from './chats.controller.js';
import { ChatsJobs } from './chats.jobs.js';
import { ChatsRepository } from './chats.repository.js';
import { ChatsService } from './chats.service.js';

/** Chats of two. */
@Module({
  imports: [AccountsModule, EmojiModule, MediaModule, StatusesModule],
  controllers: [ChatsController, ChatPagesController],
  providers: [ChatsRepository, ChatsService, ChatsJobs, ChatView],
  exports: [ChatsService, ChatView],
})
export class ChatsModule {}
