import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, localDomains, UsersService } from '../accounts/index.js';
import { Settings } from '../config/index.js';
import { ENV, type Env } from '../platform/index.js';
import { type ComposeOptions, type Draft, draftStatus, handlesIn, requireLength } from './draft.js';
import { KnownAccounts } from './known-accounts.js';
import { tagUrl } from './status.uris.js';
import { StatusesService } from './statuses.service.js';

/** Turns what somebody typed into a post that obeys the rules. Runs before the unit of work that stores it. */
@Injectable()
export class DraftsService {
  private readonly ownDomains: readonly string[];

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly statuses: StatusesService,
  ) {
    this.ownDomains = localDomains(env);
  }

  /**
   * @throws Unprocessable when a rule about content is broken; NotFound, Forbidden for a parent that the author may not see
   * or answer
   */
  async draft(authorId: string, options: ComposeOptions): Promise<Draft> {
    requireLength(options, this.settings.get('instance.limit'));
    const formats = this.settings.get('instance.allowed_post_formats');
    const handles = handlesIn(options, formats);
    const [defaults, parent, accounts] = await Promise.all([
      this.users.defaults(authorId),
      options.inReplyToId === undefined ? undefined : this.statuses.approachable(options.inReplyToId, authorId),
      handles.length === 0 ? [] : this.accounts.byHandles(handles),
    ]);
    const known = new KnownAccounts(accounts, this.ownDomains);
    return draftStatus(options, {
      authorId,
      defaults: { visibility: defaults.scope, sensitive: defaults.sensitive, language: defaults.language },
      parent,
      account: (handle) => known.find(handle),
      tagUrl: (name) => tagUrl(this.env.baseUrl, name),
      formats,
      safeDirectMentions: this.settings.get('instance.safe_dm_mentions'),
      now: new Date(),
    });
  }
}
