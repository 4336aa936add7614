import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, UsersService } from '../accounts/index.js';
import { tagUrl } from '../common/index.js';
import { Settings } from '../config/index.js';
import { ENV, type Env } from '../platform/index.js';
import { ConversationsService } from './conversations.service.js';
import { type ComposeOptions, type Draft, draftStatus, handlesIn, requireLength } from './draft.js';
import { StatusesService } from './statuses.service.js';

/** Turns what somebody typed into a post that obeys the rules. Runs before the unit of work that stores it. */
@Injectable()
export class DraftsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly statuses: StatusesService,
    private readonly conversations: ConversationsService,
  ) {}

  /**
   * @throws Unprocessable when a rule about content is broken; NotFound, Forbidden for a parent that the author may not see
   * or answer, NotFound for a conversation without the author
   */
  async draft(authorId: string, options: ComposeOptions): Promise<Draft> {
    requireLength(options, this.settings.get('instance.limit'));
    const formats = this.settings.get('instance.allowed_post_formats');
    const { inReplyToId, inReplyToConversationId } = options;
    const [defaults, parent, conversation, known] = await Promise.all([
      this.users.defaults(authorId),
      inReplyToId === undefined ? undefined : this.statuses.approachable(inReplyToId, authorId),
      inReplyToConversationId === undefined ? undefined : this.conversations.own(inReplyToConversationId, authorId),
      this.accounts.known(handlesIn(options, formats)),
    ]);
    return draftStatus(options, {
      authorId,
      defaults: { visibility: defaults.scope, sensitive: defaults.sensitive, language: defaults.language },
      parent,
      conversation,
      mention: (handle) => known.mention(handle),
      tagUrl: (name) => tagUrl(this.env.baseUrl, name),
      formats,
      pollLimits: this.settings.get('instance.poll_limits'),
      safeDirectMentions: this.settings.get('instance.safe_dm_mentions'),
      now: new Date(),
    });
  }
}
