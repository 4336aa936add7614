import { Injectable } from '@nestjs/common';
import { HOURLY, Recurs, sqlState } from '../../platform/index.js';
import { Conflict } from '../errors/errors.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const KEPT_HOURS = 6;
const LOCK_NOT_AVAILABLE = '55P03';

/** The id of the created object, and whether an earlier request with the same key created it. */
export interface Made {
  readonly ref: string;
  readonly replayed: boolean;
}

/**
 * The header `Idempotency-Key`: a request sent twice takes effect once. The key is a row in the unit of work that
 * creates the object, so either both exist or none.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly repository: IdempotencyRepository) {}

  /**
   * What the checks of a request return. Where they fail, the id of the object that an earlier request with the same key
   * created: its parent may have been deleted since.
   */
  async checked<T>(
    accountId: string,
    key: string | undefined,
    route: string,
    check: () => Promise<T>,
  ): Promise<{ readonly value: T } | { readonly earlier: string }> {
    try {
      return { value: await check() };
    } catch (error) {
      const earlier = key === undefined ? undefined : await this.repository.ref(accountId, key, route);
      if (earlier === undefined) throw error;
      return { earlier };
    }
  }

  /**
   * Runs `make`, which returns the id of the created object. Returns the earlier id when the account used this key on
   * this route before. Must run inside a unit of work. A second request waits up to 10 s for one in progress.
   * @throws Conflict after that wait
   */
  async once(accountId: string, key: string, route: string, make: () => Promise<string>): Promise<Made> {
    if (!(await this.claim(accountId, key, route))) {
      const earlier = await this.repository.ref(accountId, key, route);
      if (earlier === undefined) throw new Error('The row of a used Idempotency-Key is gone');
      return { ref: earlier, replayed: true };
    }
    const ref = await make();
    await this.repository.store(accountId, key, route, ref);
    return { ref, replayed: false };
  }

  /** Stores that something became the object `made`, under its own id as the key. Joins the open unit of work. */
  async record(accountId: string, key: string, route: string, made: string): Promise<void> {
    await this.repository.add(accountId, key, route, made);
  }

  /** The id of the object that a key created on a route. */
  earlier(accountId: string, key: string, route: string): Promise<string | undefined> {
    return this.repository.ref(accountId, key, route);
  }

  /** Forgets keys after 6 hours. */
  @Recurs({ job: 'idempotency.purge', everyMinutes: HOURLY })
  async purge(): Promise<void> {
    await this.repository.purge(KEPT_HOURS);
  }

  private async claim(accountId: string, key: string, route: string): Promise<boolean> {
    try {
      return await this.repository.claim(accountId, key, route);
    } catch (error) {
      if (sqlState(error) === LOCK_NOT_AVAILABLE)
        throw new Conflict('A request with this Idempotency-Key is still running');
      throw error;
    }
  }
}
