import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Auth } from '../../common/index.js';
import { DatabaseSignals, entryLimit, ReadCaches, SIGN_INS } from '../../platform/index.js';

const MAX_AGE_MS = 60_000;
/** Each takes about half a kilobyte. */
const MOST = 10_000;

/** A valid token, as it is kept. */
export interface KnownToken {
  readonly auth: Auth;
  readonly expiresAtMs: number;
}

/**
 * Keeps who calls with which token, for a minute at most. Everything is dropped when any sign-in ends or narrows, before
 * the statement or the commit that did it resolves, so that the next request to any server of the database sees it
 * (threat O10, docs/adr/0024).
 */
@Injectable()
export class ResolvedTokens implements OnModuleInit {
  private readonly known = new LRUCache<string, KnownToken>({ ...entryLimit(MOST), ttl: MAX_AGE_MS });
  private drops = 0;

  constructor(
    private readonly caches: ReadCaches,
    private readonly signals: DatabaseSignals,
  ) {}

  onModuleInit(): void {
    this.signals.follow(SIGN_INS, () => {
      this.drops += 1;
      this.known.clear();
    });
  }

  /** @param load finds a token that is not kept; its answer is not kept if a sign-in changed meanwhile */
  async find(hash: Buffer, load: () => Promise<KnownToken | undefined>): Promise<Auth | undefined> {
    const known = this.get(hash);
    if (known) return known;
    const { isAllowed } = this.caches;
    const { drops } = this;
    const found = await load();
    if (found && isAllowed && drops === this.drops) this.known.set(keyOf(hash), found);
    return found?.auth;
  }

  /** Who calls, if that is in memory. */
  get(hash: Buffer): Auth | undefined {
    const cached = this.caches.isAllowed ? this.known.get(keyOf(hash)) : undefined;
    return cached && Date.now() < cached.expiresAtMs ? cached.auth : undefined;
  }
}

function keyOf(hash: Buffer): string {
  return hash.toString('base64');
}
