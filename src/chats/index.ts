export { Chat, ChatEntry, ChatMessage } from './chat.entities.js';
export { type ChatJson, type ChatMessageJson, ChatMessageShape, ChatShape, StaffChatShape } from './chat.shape.js';
export { hasMessage, unreadChats } from './chat.sql.js';
export { chatHtml, ChatView } from './chat.view.js';
export { ChatMessageDeleted, ChatMessageSent } from './chats.events.js';
export { ChatsModule } from './chats.module.js';
export { ChatsService } from './chats.service.js';
export { messageOfStatus, statusOfMessage } from './message-policies.js';
