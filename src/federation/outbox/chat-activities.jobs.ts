import { Inject, Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/index.js';
import { ChatMessageDeleted, ChatMessageSent, ChatsService, chatHtml } from '../../chats/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { MediaUrls } from '../../media/index.js';
import { ENV, type Env, Subscribes } from '../../platform/index.js';
import { chatMessageDocument } from '../render/chat-message.js';
import { OutboxService } from './outbox.service.js';

/** A local account wrote to an account of another server. */
const goesOut = ({ localSender, localRecipient }: ChatMessageSent | ChatMessageDeleted) =>
  localSender && !localRecipient;

/** Sends chat messages of local accounts, and their deletion. */
@Injectable()
export class ChatActivitiesJobs {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly outbox: OutboxService,
    private readonly accounts: AccountsService,
    private readonly chats: ChatsService,
    private readonly emoji: EmojiCache,
    private readonly urls: MediaUrls,
  ) {}

  @Subscribes(ChatMessageSent, { job: 'federation.send-chat-message', queue: 'federate', when: goesOut })
  async onSent({ uri, messageId, senderId, recipientId }: ChatMessageSent): Promise<void> {
    await this.outbox.serialize(orderingKeyOf(uri), async () => {
      const [message] = await this.chats.received(senderId, [messageId]);
      const parties = await this.partiesOf(senderId, recipientId);
      if (!message || !parties) return;
      const { content, createdAt, attachments } = message;
      const emojis = this.emoji.tagsOf({ plain: [content] });
      const document = chatMessageDocument(
        { uri, ...parties, html: chatHtml(content), createdAt, attachments: attachments ?? [] },
        this.env.baseUrl,
        (attachment) => this.urls.originOf(attachment),
        emojis,
      );
      const activity = this.outbox.activities.createMessage(document);
      const options = { accountId: senderId, orderingKey: orderingKeyOf(uri) };
      await this.outbox.send(activity, options, { accountIds: [recipientId], shared: false });
    });
  }

  @Subscribes(ChatMessageDeleted, { job: 'federation.delete-chat-message', queue: 'federate', when: goesOut })
  async onDeleted({ uri, senderId, recipientId }: ChatMessageDeleted): Promise<void> {
    await this.outbox.serialize(orderingKeyOf(uri), async () => {
      const parties = await this.partiesOf(senderId, recipientId);
      if (!parties) return;
      const activity = this.outbox.activities.deleteMessage(uri, parties.sender, parties.recipient);
      const options = { accountId: senderId, orderingKey: orderingKeyOf(uri) };
      await this.outbox.send(activity, options, { accountIds: [recipientId], shared: false });
    });
  }

  private async partiesOf(senderId: string, recipientId: string) {
    const accounts = await this.accounts.byIds([senderId, recipientId]);
    const uriOf = (id: string) => accounts.find((account) => account.id === id)?.apId;
    const [sender, recipient] = [uriOf(senderId), uriOf(recipientId)];
    return sender !== undefined && recipient !== undefined ? { sender, recipient } : undefined;
  }
}

const orderingKeyOf = (uri: string) => `chat-message:${uri}`;
