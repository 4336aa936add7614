import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { unique } from '../../common/index.js';
import { TokensService } from '../../oauth/index.js';
import { LiveChannels } from './live-channels.js';
import { CloseCode, type Session } from './session.js';
import { Sessions } from './sessions.js';
import { StreamAuthorizer } from './stream-authorizer.js';

const TICK_MS = 1_000;
/** Together with one tick less than the five seconds that threat O10 allows. */
const CHECK_MS = 3_000;

/** Ends the connections of this process that are dead or whose token is no longer valid. */
@Injectable()
export class SessionReaper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SessionReaper.name);
  private timer: NodeJS.Timeout | undefined;
  private checkAt = 0;

  constructor(
    private readonly sessions: Sessions,
    private readonly tokens: TokensService,
    private readonly authorizer: StreamAuthorizer,
    private readonly channels: LiveChannels,
  ) {}

  /** Uses a timer, since a recurring job runs in one process only and every process has its own connections. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(performance.now()), TICK_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Runs what is due. Called about once a second with the time of a clock that is never set back. */
  tick(now: number): void {
    for (const session of this.sessions) session.beat(now);
    this.sessions.dropSlowest();
    this.channels.leaveUnused(this.sessions.size > 0, now);
    if (now < this.checkAt) return;
    this.checkAt = Infinity; // until this check is done
    void this.check().finally(() => (this.checkAt = now + CHECK_MS));
  }

  /** Closes the connections of clients that may no longer read here; one statement looks up all tokens. */
  async check(): Promise<void> {
    const open = [...this.sessions].map((session) => {
      const { tokenId = null, tokenIssuedAt } = session.auth ?? {};
      return { session, tokenId, tokenIssuedAt };
    });
    const tokenIds = unique(open.map(({ tokenId }) => tokenId));
    try {
      const live = tokenIds.length === 0 ? new Map<string, string>() : await this.tokens.live(tokenIds);
      for (const { session, tokenId, tokenIssuedAt } of open) {
        const isLive = tokenId === null || live.get(tokenId) === tokenIssuedAt;
        if (!isLive) session.close(CloseCode.policyViolation, 'The token is not valid');
        else if (!this.mayRead(session)) session.close(CloseCode.policyViolation, 'Only for users');
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'The tokens of open streams could not be checked');
    }
  }

  /** An administrator may have closed the server to visitors. */
  private mayRead({ auth, subscriptions }: Session): boolean {
    return this.authorizer.mayRead([...subscriptions.keys()], auth);
  }
}
