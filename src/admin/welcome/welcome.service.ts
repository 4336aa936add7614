import { Injectable } from '@nestjs/common';
import { type AccountRow, AccountsService, isActive, LOCAL, UserArrived, UsersService } from '../../accounts/index.js';
import { ChatsService } from '../../chats/index.js';
import { DomainError, escapeHtml, Pages, sanitizeHtml } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { done, Handles, job, Jobs, Mailer, type Outcome, skip, Subscribes, UnitOfWork } from '../../platform/index.js';
import { ComposeService } from '../../statuses/index.js';

/** A message to a new account. */
export interface Welcome {
  readonly accountId: string;
  readonly kind: 'direct_message' | 'chat_message';
}

export const WelcomeMessage = job<Welcome>('admin.send-welcome', 'notify');
export const WelcomeMail = job<{ accountId: string }>('mail.welcome', 'mail');

/** Sends the messages and the mail of the settings `welcome.*` to new accounts. */
@Injectable()
export class WelcomeService {
  constructor(
    private readonly settings: Settings,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly mailer: Mailer,
    private readonly pages: Pages,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly compose: ComposeService,
    private readonly chats: ChatsService,
  ) {}

  /** Creates a job for each message that an operator wants. */
  @Subscribes(UserArrived, { job: 'admin.welcome', queue: 'notify' })
  async begin({ accountId }: UserArrived): Promise<void> {
    const key = (kind: string) => ({ key: `welcome:${kind}:${accountId}` });
    await this.uow.run(async () => {
      await this.jobs.endRunning();
      for (const kind of ['direct_message', 'chat_message'] as const) {
        if (this.settings.get(`welcome.${kind}`).enabled)
          this.jobs.enqueue(WelcomeMessage, { accountId, kind }, key(kind));
      }
      const isMailed = this.mailer.isOn && this.settings.get('welcome.email').enabled;
      if (isMailed) this.jobs.enqueue(WelcomeMail, { accountId }, key('email'));
    });
  }

  /** Sends one of the messages. What the sender may not send, such as by a policy, is left out. */
  @Handles(WelcomeMessage)
  async send({ accountId, kind }: Welcome): Promise<Outcome> {
    const { sender_nickname: nickname, message } = this.settings.get(`welcome.${kind}`);
    const [sender, recipient] = await Promise.all([this.accounts.byNickname(nickname), this.accounts.byId(accountId)]);
    if (!sender || !recipient || !isActive(sender) || !isActive(recipient) || sender.id === recipient.id)
      return skip('There is no sender, or no recipient');
    if (message.trim() === '') return skip('There is no text');
    try {
      await (kind === 'direct_message' ? this.post(sender, recipient, message) : this.chat(sender, recipient, message));
      return done;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return skip(`The message was refused: ${error.message}`);
    }
  }

  /** Sends the mail. */
  @Handles(WelcomeMail)
  async mail({ accountId }: { accountId: string }): Promise<Outcome> {
    const account = await this.accounts.byId(accountId);
    const user = account && isActive(account) ? await this.users.facts(accountId) : undefined;
    if (!account || !user?.email) return skip('There is no recipient');
    const { sender, subject, html, text } = this.settings.get('welcome.email');
    const { nickname, displayName: name } = account;
    const values = new Map([
      ['instance_name', this.pages.site.name],
      ['user.nickname', nickname],
      ['user.name', name || nickname],
    ]);
    return this.mailer.deliver({
      to: user.email,
      ...(sender !== '' && { from: sender }),
      subject: filled(subject, values).replace(/[\s\p{Cc}]+/gu, ' '),
      text: filled(text, values),
      html: sanitizeHtml(filled(html, values, escapeHtml)),
    });
  }

  /** The recipient alone is addressed, whomever the text mentions. */
  private async post(sender: AccountRow, { id, nickname }: AccountRow, message: string): Promise<void> {
    const options = { text: `@${nickname} ${message}`, visibility: 'direct', to: [nickname] } as const;
    await this.compose.create(sender.id, options, LOCAL, `welcome:${id}`);
  }

  private async chat(sender: AccountRow, { id }: AccountRow, message: string): Promise<void> {
    const chatId = await this.chats.open(sender.id, id);
    await this.chats.post(chatId, sender.id, { content: message }, `welcome:${id}`);
  }
}

/** A text with `<%= name %>` replaced. Other marks are removed. */
function filled(text: string, values: ReadonlyMap<string, string>, encode = (value: string) => value): string {
  return text.replaceAll(/<%=?\s*(.*?)\s*%>/gs, (_, name: string) => encode(values.get(name) ?? ''));
}
