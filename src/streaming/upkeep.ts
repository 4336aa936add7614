import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { unique } from '../common/index.js';
import { TokensService } from '../oauth/index.js';
import { Admission } from './admission.js';
import { CloseCode, type Session } from './session.js';
import { Sessions } from './sessions.js';

const TICK_MS = 1_000;
/** With one tick on top, less than the five seconds that threat O10 allows. */
const CHECK_MS = 3_000;

/** Looks after the open sockets of this process: ends those that are dead, and those whose token no longer counts. */
@Injectable()
export class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Upkeep.name);
  private timer: NodeJS.Timeout | undefined;
  private checkAt = 0;

  constructor(
    private readonly sessions: Sessions,
    private readonly tokens: TokensService,
    private readonly admission: Admission,
  ) {}

  /** A timer and no recurring job: that would run in one process only, and each has its own sockets. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(performance.now()), TICK_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** What is to be done at a moment, told by a clock that nobody sets; called about once a second. */
  tick(now: number): void {
    for (const session of this.sessions) session.beat(now);
    if (now < this.checkAt) return;
    this.checkAt = Infinity; // until this one is done
    void this.check().finally(() => (this.checkAt = now + CHECK_MS));
  }

  /** Closes the sockets of those who may not read here any more; all tokens are looked up by one statement. */
  async check(): Promise<void> {
    const open = [...this.sessions].map((session) => ({ session, tokenId: session.auth?.tokenId ?? null }));
    const tokenIds = unique(open.map(({ tokenId }) => tokenId));
    try {
      const live = tokenIds.length === 0 ? new Set<string>() : await this.tokens.live(tokenIds);
      for (const { session, tokenId } of open) {
        if (tokenId !== null && !live.has(tokenId)) session.close(CloseCode.policyViolation, 'The token is not valid');
        else if (!this.mayRead(session)) session.close(CloseCode.policyViolation, 'Only for users');
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'The tokens of open streams could not be checked');
    }
  }

  /** The server may have been closed to visitors since. */
  private mayRead({ auth, labels }: Session): boolean {
    return this.admission.mayRead([...labels.keys()], auth);
  }
}
