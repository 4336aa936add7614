import { Injectable, Logger } from '@nestjs/common';
import { AccountsService, FollowsService, isActive } from '../../accounts/index.js';
import { DomainError } from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { EmojiCache, PackFilesService, PacksService } from '../../emoji/index.js';
import { ForeignFileError, MediaBansService, MediaProxyService } from '../../media/index.js';
import { Handles, job, Jobs } from '../../platform/index.js';
import type { Effect } from '../policies/policy.js';

/** An effect of a policy that waits to be done. */
export const ActOnStatus = job<Effect>('federation.policy-effect', 'ask');
/** The pack of the emoji that StealEmojiPolicy copies. */
const STOLEN = 'stolen';

/** Does what policies want besides storing a post, in jobs of its own. What cannot be done is left. */
@Injectable()
export class PolicyEffectsService {
  private readonly logger = new Logger(PolicyEffectsService.name);

  constructor(
    private readonly jobs: Jobs,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly follows: FollowsService,
    private readonly emoji: EmojiCache,
    private readonly packs: PacksService,
    private readonly files: PackFilesService,
    private readonly proxy: MediaProxyService,
    private readonly bans: MediaBansService,
  ) {}

  /** Plans effects in the open unit of work. */
  plan(effects: readonly Effect[]): void {
    for (const effect of effects) this.jobs.enqueue(ActOnStatus, effect, { key: `policy-effect:${keyOf(effect)}` });
  }

  @Handles(ActOnStatus)
  async act(effect: Effect): Promise<void> {
    try {
      if (effect.kind === 'steal-emoji') await this.steal(effect);
      else if (effect.kind === 'warm-proxy') await this.proxy.warm(effect.url);
      else await this.follow(effect.accountId);
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof ForeignFileError)) throw error;
      this.logger.debug({ err: error, effect }, 'What a policy wants could not be done');
    }
  }

  private async steal({ shortcode, url }: Extract<Effect, { kind: 'steal-emoji' }>): Promise<void> {
    if (this.emoji.has(shortcode) || (await this.bans.has(url))) return;
    await this.packs.require(STOLEN);
    const maxBytes = this.settings.get('mrf_steal_emoji.size_limit');
    await this.files.add(STOLEN, { file: url, shortcode, maxBytes });
  }

  /** The bot is an account of this server that says it is one. */
  private async follow(accountId: string): Promise<void> {
    const nickname = this.settings.get('mrf_follow_bot.follower_nickname');
    const bot = nickname === '' ? undefined : await this.accounts.byNickname(nickname);
    if (bot && isActive(bot) && bot.actorType !== 'Person') await this.follows.follow(bot.id, accountId);
  }
}

function keyOf(effect: Effect): string {
  if (effect.kind === 'follow') return `follow:${effect.accountId}`;
  return `${effect.kind}:${effect.kind === 'steal-emoji' ? effect.shortcode : effect.url}`;
}
