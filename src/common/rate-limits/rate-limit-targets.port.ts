import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Tells which account a path names. */
export interface AccountNames {
  /** The id of the account that is named by its id or as `nickname[@domain]`; undefined when nobody here is. */
  idOf(idOrNickname: string): Promise<string | undefined>;
}

/**
 * Whom a limited deed is done to: however an account is named, it is one target. Accounts stand to the right of common,
 * hence this port; their module fills it when it starts.
 */
@Injectable()
export class RateLimitTargets implements AccountNames, OnApplicationBootstrap {
  private names: AccountNames | undefined;

  use(names: AccountNames): void {
    this.names = names;
  }

  onApplicationBootstrap(): void {
    this.filled();
  }

  idOf(idOrNickname: string): Promise<string | undefined> {
    return this.filled().idOf(idOrNickname);
  }

  private filled(): AccountNames {
    if (!this.names) throw new Error('Nobody fills the port RateLimitTargets');
    return this.names;
  }
}
