/** A chat message was stored. */
export class ChatMessageSent {
  static readonly type = 'chats.message-sent';

  constructor(
    readonly messageId: string,
    readonly uri: string,
    readonly senderId: string,
    readonly recipientId: string,
    readonly localSender: boolean,
    readonly localRecipient: boolean,
  ) {}
}

/** A chat message was deleted by its sender, for both sides. */
export class ChatMessageDeleted {
  static readonly type = 'chats.message-deleted';

  constructor(
    readonly uri: string,
    readonly senderId: string,
    readonly recipientId: string,
    readonly localSender: boolean,
    readonly localRecipient: boolean,
  ) {}
}
