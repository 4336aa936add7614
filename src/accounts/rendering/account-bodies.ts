import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { MediaUrls } from '../../media/index.js';
import {
  Bus,
  ByteCache,
  Brand,
  ENV,
  type Env,
  Metrics,
  packTexts,
  ReadCaches,
  UnitOfWork,
} from '../../platform/index.js';
import { accountBody, accountExtension, type BodyContext } from './account.body.js';
import { AccountRepository } from '../model/account.repository.js';
import type { AccountRow } from '../model/account.rows.js';
import { REMOTE_INSTANCES_CHANGED } from '../model/accounts.channels.js';

/**
 * The rendered part of an account that is the same for all viewers: two JSON objects, to which the viewer's part is
 * added.
 */
export interface AccountBody {
  readonly version: number;
  readonly account: Buffer;
  readonly extension: Buffer;
}

const CACHE_BYTES = 6 * 1024 * 1024;
const HEAD_BYTES = 8; // the version, and the length of the account's part

/** The settings that shape bodies. */
const SHAPING = [
  'media_proxy',
  'media_preview_proxy',
  'instance.moderator_privileges',
  'instance.compat_brand',
] as const;

/** Renders account bodies once per id, version and epoch, and caches them as bytes. */
@Injectable()
export class AccountBodies implements OnModuleInit, OnApplicationShutdown {
  private readonly cache = new ByteCache(CACHE_BYTES);
  /** Raised when the look of bodies changes without a change of rows: older bodies are never found again. */
  private epoch = 0;
  private leave: (() => void)[] = [];

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly settings: Settings,
    private readonly bus: Bus,
    private readonly urls: MediaUrls,
    private readonly emoji: EmojiCache,
    private readonly uow: UnitOfWork,
    private readonly repository: AccountRepository,
    private readonly metrics: Metrics,
    private readonly caches: ReadCaches,
  ) {}

  onModuleInit(): void {
    this.metrics.watchCache('account_bodies', this.cache);
    this.settings.onChange(SHAPING, () => this.startEpoch());
    this.emoji.onChange(() => this.startEpoch());
    this.leave = [
      this.bus.subscribe(REMOTE_INSTANCES_CHANGED, () => this.startEpoch()),
      this.bus.onGap(() => this.startEpoch()),
    ];
  }

  onApplicationShutdown(): void {
    for (const leave of this.leave) leave();
  }

  /** The inputs of bodies besides their rows. */
  get context(): BodyContext {
    const { baseUrl, handleDomain } = this.env;
    return {
      baseUrl,
      handleDomain,
      emoji: this.emoji,
      pictureUrl: (stored) => this.urls.shown(stored),
      stillUrl: (stored) => this.urls.still(stored),
      moderatorPrivileges: this.settings.get('instance.moderator_privileges'),
    };
  }

  /** The cached body, in any version. */
  get(id: string): AccountBody | undefined {
    const bytes = this.cache.get(this.key(id));
    return bytes && unpack(bytes);
  }

  /** Reads and renders bodies: one statement, outside of any unit of work, so that no uncommitted data is cached. */
  async load(ids: readonly string[]): Promise<Map<string, AccountBody>> {
    const keyOf = this.keys();
    const rows = await this.uow.outside(() => this.repository.byIds(ids));
    const { context } = this;
    const bodies = new Map<string, AccountBody>();
    for (const row of rows) {
      const bytes = this.packed(row, context);
      this.cache.set(keyOf(row.id), bytes);
      bodies.set(row.id, unpack(bytes));
    }
    return bodies;
  }

  /** Renders a body without caching it. */
  render(row: AccountRow): AccountBody {
    return unpack(this.packed(row, this.context));
  }

  private startEpoch(): void {
    this.epoch += 1;
    this.caches.clear();
  }

  private packed(row: AccountRow, context: BodyContext): Buffer {
    const { source, ...body } = accountBody(row, context);
    const { svc, ...neutral } = source;
    const branded = { ...body, source: { ...neutral, [this.brand.word]: svc } };
    return pack(row.version, JSON.stringify(branded), JSON.stringify(accountExtension(row, context)));
  }

  private key(id: string): string {
    return this.keys()(id);
  }

  /** The keys of this epoch, also after its end: data read in an old epoch must not enter a new one. */
  private keys(): (id: string) => string {
    const { epoch } = this;
    return (id) => `${epoch}:${id}`;
  }
}

function pack(version: number, account: string, extension: string): Buffer {
  const packed = packTexts(HEAD_BYTES, [account, extension]);
  packed.writeInt32BE(version, 0);
  packed.writeInt32BE(Buffer.byteLength(account), 4);
  return packed;
}

function unpack(bytes: Buffer): AccountBody {
  const end = HEAD_BYTES + bytes.readInt32BE(4);
  return { version: bytes.readInt32BE(0), account: bytes.subarray(HEAD_BYTES, end), extension: bytes.subarray(end) };
}
