import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, type AccountRow, isActive } from '../accounts/index.js';
import {
  Forbidden,
  Idempotency,
  Invalid,
  isBlank,
  isLongerThan,
  type Made,
  MAX_UNPAGED,
  NotFound,
  objectUri,
  Page,
  type PageQuery,
  translateForeignKeyViolation,
  Unprocessable,
} from '../common/index.js';
import { Settings } from '../config/index.js';
import type { StoredEmoji } from '../emoji/index.js';
import { AttachmentsService, type RemoteAttachment } from '../media/index.js';
import {
  ENV,
  type Env,
  Events,
  FIRST_ID,
  flakeKeyset,
  FlakeIds,
  Handles,
  job,
  Jobs,
  LAST_ID,
  newestFirst,
  remainderOf,
  skipped,
  UnitOfWork,
  walkDown,
} from '../platform/index.js';
import { StatusPolicies } from '../statuses/index.js';
import type { ChatRow, MessageRow, OwnedChatRow } from './chat.sql.js';
import { ChatMessageDeleted, ChatMessageSent } from './chats.events.js';
import { ChatsRepository } from './chats.repository.js';
import { messageOfStatus, statusOfMessage } from './message-policies.js';

/** A message to send. */
export interface MessageOptions {
  readonly content: string;
  readonly mediaId?: string | undefined;
}

/** A message from another server. */
export interface ReceivedMessage {
  readonly uri: string;
  readonly senderId: string;
  readonly recipientId: string;
  /** Plain text. */
  readonly content: string;
  readonly emojis: readonly StoredEmoji[];
  readonly attachment: RemoteAttachment | undefined;
}

/** A chat, and a message in it. */
interface ChatPosition {
  readonly id: string;
  readonly messageId: string;
}

/** Marks the unread messages of a chat up to one as read. */
export const ReadMessages = job<ChatPosition>('chats.read', 'fanout');

/** Chats of two (spec §2.5, §3.5). A chat of another owner, or with a deactivated account, does not exist: 404. */
@Injectable()
export class ChatsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly ids: FlakeIds,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
    private readonly attachments: AttachmentsService,
    private readonly policies: StatusPolicies,
    private readonly chats: ChatsRepository,
  ) {}

  /**
   * The owner's chat with an account: the existing one, or a new one.
   * @throws NotFound when there is no such account, Invalid for oneself
   */
  async open(ownerId: string, accountId: string): Promise<string> {
    const partner = await this.accounts.byId(accountId);
    if (!partner || !isActive(partner)) throw new NotFound();
    if (partner.id === ownerId) throw new Invalid('Can not chat with yourself');
    return translateForeignKeyViolation(this.uow.run(() => this.chats.open(this.ids.next(), ownerId, partner.id)));
  }

  /** The owner's chats, the newest message first; the paged list goes on below them. */
  all(ownerId: string, withMuted: boolean): Promise<ChatRow[]> {
    const whole = { direction: 'older', below: LAST_ID, above: FIRST_ID, limit: MAX_UNPAGED } as const;
    return this.chats.page(ownerId, withMuted, whole, 0);
  }

  /** A page of the owner's chats, the newest message first. */
  async page(ownerId: string, withMuted: boolean, query: PageQuery): Promise<Page<ChatRow>> {
    const keyset = flakeKeyset(query);
    const rows = newestFirst(await this.chats.page(ownerId, withMuted, keyset, query.offset), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.position, last: last.position });
  }

  /** Throws NotFound. */
  async one(id: string, ownerId: string): Promise<ChatRow> {
    const row = await this.chats.one(id, ownerId);
    if (!row) throw new NotFound();
    return row;
  }

  /** A page of messages, newest first. Throws NotFound. */
  async messages(id: string, ownerId: string, query: PageQuery): Promise<Page<MessageRow>> {
    await this.own(id, ownerId);
    return this.messagesOf(id, ownerId, query);
  }

  /** A page of the messages of a chat of any account, for the staff. Throws NotFound. */
  async messagesOfAnybody(id: string, query: PageQuery): Promise<Page<MessageRow>> {
    const { ownerId } = await this.ofAnybody(id);
    return this.messagesOf(id, ownerId, query);
  }

  /** The staff also reads those of a deactivated partner. Throws NotFound. */
  async message(id: string, messageId: string, ownerId: string, forStaff = false): Promise<MessageRow> {
    const row = await this.chats.message(id, messageId, ownerId, forStaff);
    if (!row) throw new NotFound();
    return row;
  }

  /** Those of these messages that the owner has, in any order. */
  received(ownerId: string, messageIds: readonly string[]): Promise<MessageRow[]> {
    return this.chats.ofOwner(ownerId, messageIds);
  }

  /** The chats of an account, the newest message first, for staff. */
  ofAccount(ownerId: string): Promise<OwnedChatRow[]> {
    return this.chats.ofOwnerForStaff(ownerId);
  }

  /** A chat of any account, for the staff. Throws NotFound. */
  async ofAnybody(id: string): Promise<OwnedChatRow> {
    const chat = await this.chats.oneForStaff(id);
    if (!chat) throw new NotFound();
    return chat;
  }

  /** Deletes a message of either side for both sides, in the open unit of work. */
  async deleteForBoth(messageId: string): Promise<void> {
    await this.remove(messageId);
  }

  /** The chats that messages are in, with the message: the sender's, and the recipient's where the recipient's list has it. */
  withMessages(messageIds: readonly string[]): Promise<(OwnedChatRow & MessageRow)[]> {
    return this.chats.withMessages(messageIds);
  }

  /**
   * Sends a message. With a key that the sender used before in this chat, answers what was sent then.
   * @throws NotFound for the chat and for an account that is gone; Invalid for a message that is empty or too long; Unprocessable when the file is no unposted
   * upload of the sender, or a policy refuses the message; Forbidden when one of the two blocks the other, or the recipient
   * refuses chat messages
   */
  async post(id: string, senderId: string, options: MessageOptions, idempotencyKey?: string): Promise<Made> {
    const { partnerId } = await this.own(id, senderId);
    const content = this.contentOf(options);
    const unit = this.uow.run(async () => {
      const send = () => this.send(senderId, partnerId, { ...options, content }, idempotencyKey);
      if (idempotencyKey === undefined) return { ref: await send(), replayed: false };
      return this.idempotency.once(senderId, idempotencyKey, `POST C/chats/${id}/messages`, send);
    });
    return translateForeignKeyViolation(unit);
  }

  /** Marks the messages up to one as read; a job reads those that are too many for the request. Throws NotFound. */
  async readUpTo(id: string, messageId: string, ownerId: string): Promise<void> {
    await this.own(id, ownerId);
    await this.uow.run(async () => {
      const oldest = remainderOf(await this.chats.readUpTo(id, messageId));
      if (oldest !== undefined) this.jobs.enqueue(ReadMessages, { id, messageId: oldest });
    });
  }

  /** Reads what {@link readUpTo} left. Safe to run twice. */
  @Handles(ReadMessages)
  async readRest({ id, messageId }: ChatPosition): Promise<void> {
    await walkDown(messageId, (upTo) => this.chats.readUpTo(id, upTo));
  }

  /** Marks one message as read. Throws NotFound. */
  async read(id: string, messageId: string, ownerId: string): Promise<void> {
    await this.message(id, messageId, ownerId);
    await this.chats.read(id, messageId);
  }

  /** Deletes an own message for both sides, and a message of the other for the owner only. Throws NotFound. */
  async delete(id: string, messageId: string, ownerId: string): Promise<void> {
    await this.uow.run(async () => {
      const { senderId } = await this.message(id, messageId, ownerId);
      if (senderId === ownerId) return this.remove(messageId);
      if (await this.chats.leave(id, messageId)) return;
      await this.attachments.removeOfMessage(messageId);
      await this.chats.remove(messageId);
    });
  }

  /**
   * Stores a message from another server; nothing happens when it is known, when it says nothing, or when its recipient
   * does not want it. Answers whether it was stored.
   */
  async receive(message: ReceivedMessage): Promise<boolean> {
    const { uri, senderId, recipientId, emojis, attachment } = message;
    const text = this.receivable(message);
    if (text === undefined) return false;
    return this.uow.run(async () => {
      if (!(await this.mayReceive(message))) return false;
      const id = this.ids.next();
      const side = { chatId: this.ids.next(), ownerId: recipientId, partnerId: senderId };
      const stored = { id, uri, senderId, recipientId, content: text, emojis, idempotencyKey: null };
      if (!(await this.chats.store(stored, [side]))) return false;
      if (attachment) await this.attachments.attachRemoteToMessage(id, senderId, attachment);
      this.events.emit(new ChatMessageSent(id, uri, senderId, recipientId, false, true));
      return true;
    });
  }

  /** Replaces the text of a message from another server; nothing happens unless it is of this sender for this recipient. */
  async edit(message: ReceivedMessage): Promise<void> {
    const text = this.receivable(message);
    if (text === undefined) return;
    await this.uow.run(async () => {
      if (await this.mayReceive(message)) await this.chats.rewrite({ ...message, content: text });
    });
  }

  /** Deletes a message of an account of another server; answers whether there was one. */
  async deleteReceived(uri: string, senderId: string): Promise<boolean> {
    return this.uow.run(async () => {
      const message = await this.chats.byUri(uri);
      if (message?.senderId !== senderId) return false;
      await this.remove(message.id);
      return true;
    });
  }

  /** The text of a received message; undefined for one that says nothing or too much. */
  private receivable({ content, attachment }: ReceivedMessage): string | undefined {
    const text = isBlank(content) ? '' : content.trim();
    const isEmpty = text === '' && !attachment;
    return isEmpty || isLongerThan(this.settings.get('instance.chat_limit'), text) ? undefined : text;
  }

  private async mayReceive({ senderId, recipientId }: ReceivedMessage): Promise<boolean> {
    const recipient = await this.accounts.byId(recipientId);
    return recipient?.domain === null && isActive(recipient) && this.isWelcome(senderId, recipient);
  }

  private async remove(messageId: string): Promise<void> {
    const message = await this.chats.byId(messageId);
    if (!message) throw new NotFound();
    const { uri, senderId, recipientId } = message;
    const people = await this.accounts.byIds([senderId, recipientId]);
    const isLocal = (id: string) => people.some((person) => person.id === id && person.domain === null);
    await this.attachments.removeOfMessage(messageId);
    await this.chats.remove(messageId);
    this.events.emit(new ChatMessageDeleted(uri, senderId, recipientId, isLocal(senderId), isLocal(recipientId)));
  }

  private async send(senderId: string, recipientId: string, { content, mediaId }: MessageOptions, key?: string) {
    const people = await this.accounts.byIds([senderId, recipientId]);
    const [sender, recipient] = [senderId, recipientId].map((one) => people.find((person) => person.id === one));
    if (!sender || !recipient || !isActive(recipient)) throw new NotFound();
    await this.requireWelcome(senderId, recipient);
    const passed = await this.passed(sender, recipientId, { content, mediaId });
    const id = this.ids.next();
    const message = {
      id,
      uri: objectUri(this.env.baseUrl, randomUUID()),
      senderId,
      recipientId,
      content: passed.content,
      emojis: null,
    };
    const sides = [{ chatId: this.ids.next(), ownerId: senderId, partnerId: recipientId }];
    const isLocal = recipient.domain === null;
    if (isLocal) sides.push({ chatId: this.ids.next(), ownerId: recipientId, partnerId: senderId });
    await this.chats.store({ ...message, idempotencyKey: key ?? null }, sides);
    if (passed.mediaId !== undefined) await this.attachments.attachToMessage(id, senderId, passed.mediaId);
    this.events.emit(new ChatMessageSent(id, message.uri, senderId, recipientId, true, isLocal));
    return id;
  }

  /** What the policies of this server and the tags of the sender leave of a message. Throws Unprocessable. */
  private async passed(sender: AccountRow, recipientId: string, { content, mediaId }: MessageOptions) {
    const message = { text: content, hasMedia: mediaId !== undefined };
    const post = await this.policies.filter(sender.id, statusOfMessage(message), [recipientId]);
    const { text, hasMedia } = messageOfStatus(post, message, sender.tags);
    const keptId = hasMedia ? mediaId : undefined;
    if (isBlank(text) && keptId === undefined) throw new Unprocessable('Nothing of the message may be sent');
    return { content: text, mediaId: keptId };
  }

  /** An account of another server that says nothing about chats is tried. */
  private async requireWelcome(senderId: string, recipient: AccountRow): Promise<void> {
    if (!(await this.isWelcome(senderId, recipient))) throw new Forbidden();
  }

  private async isWelcome(senderId: string, recipient: AccountRow): Promise<boolean> {
    return recipient.acceptsChatMessages !== false && !(await this.chats.isBlocked(senderId, recipient.id));
  }

  private contentOf({ content, mediaId }: MessageOptions): string {
    const text = isBlank(content) ? '' : content.trim();
    if (text === '' && mediaId === undefined) throw new Invalid('Cannot post an empty message without an attachment');
    if (isLongerThan(this.settings.get('instance.chat_limit'), text)) {
      throw new Invalid('The message is over the character limit');
    }
    return text;
  }

  private async messagesOf(id: string, ownerId: string, query: PageQuery): Promise<Page<MessageRow>> {
    const rows = await skipped(query, flakeKeyset(query), async (keyset) =>
      newestFirst(await this.chats.messages(id, ownerId, keyset), keyset),
    );
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.messageId, last: last.messageId });
  }

  private async own(id: string, ownerId: string): Promise<{ partnerId: string }> {
    const chat = await this.chats.own(id, ownerId);
    if (!chat) throw new NotFound();
    return chat;
  }
}
