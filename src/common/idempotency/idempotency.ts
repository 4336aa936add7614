import { Injectable } from '@nestjs/common';
import { sqlState } from '../../platform/index.js';
import { Conflict } from '../errors/errors.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const KEPT_HOURS = 6;
const LOCK_NOT_AVAILABLE = '55P03';

/** What a request made, and whether an earlier request with the same key had made it already. */
export interface Made {
  readonly ref: string;
  readonly replayed: boolean;
}

/**
 * The header `Idempotency-Key`: a request sent twice happens once. The key is a row of the same unit of work as what it
 * made, so it exists if and only if the thing does.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly repository: IdempotencyRepository) {}

  /**
   * Runs `make`, which answers the id of what it made, unless the account used this key on this route before: then the
   * earlier id is answered. Must run inside a unit of work. A second request waits for one in flight up to 10 s.
   * @throws Conflict when the wait was too short
   */
  async once(accountId: string, key: string, route: string, make: () => Promise<string>): Promise<Made> {
    if (!(await this.take(accountId, key, route))) {
      return { ref: await this.repository.ref(accountId, key, route), replayed: true };
    }
    const ref = await make();
    await this.repository.store(accountId, key, route, ref);
    return { ref, replayed: false };
  }

  /** Forgets keys after 6 hours. */
  async purge(): Promise<void> {
    await this.repository.purge(KEPT_HOURS);
  }

  private async take(accountId: string, key: string, route: string): Promise<boolean> {
    try {
      return await this.repository.take(accountId, key, route);
    } catch (error) {
      if (sqlState(error) === LOCK_NOT_AVAILABLE)
        throw new Conflict('A request with this Idempotency-Key is still running');
      throw error;
    }
  }
}
