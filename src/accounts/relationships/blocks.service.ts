import { Injectable } from '@nestjs/common';
import { Forbidden, translateForeignKeyViolation } from '../../common/index.js';
import { Events, FIRST_ID, Recurs, repeatSlices, UnitOfWork } from '../../platform/index.js';
import { Blocked, Muted, Unblocked } from '../model/accounts.events.js';
import { BlockRepository, type BlockSides, type EndedPair } from './block.repository.js';
import { FollowsService } from './follows.service.js';

/** The duration of a block or mute. */
export interface Term {
  /** In seconds; 0 or undefined means no end. */
  readonly expiresIn?: number | undefined;
}

export interface MuteOptions extends Term {
  /** Whether notifications are hidden too; true unless given. */
  readonly notifications?: boolean;
}

export interface BlockOptions extends Term {
  /** The id of the activity of a remote account. */
  readonly uri?: string;
}

const BATCH = 500;
const EXPIRY_MINUTES = 5;

/** Blocks and mutes of accounts. */
@Injectable()
export class BlocksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly blocks: BlockRepository,
    private readonly follows: FollowsService,
    private readonly events: Events,
  ) {}

  /**
   * Blocks an account and ends the follows in both directions. Blocking again changes the duration. Throws Forbidden
   * for oneself, NotFound for an account that is gone.
   */
  async block(accountId: string, targetId: string, { expiresIn, uri }: BlockOptions = {}): Promise<void> {
    if (accountId === targetId) throw new Forbidden('Can not block yourself');
    const unit = this.uow.run(async () => {
      await this.follows.lockPair(accountId, targetId);
      const sides = await this.blocks.block(accountId, targetId, { seconds: expiresIn || null, uri: uri ?? null });
      await this.blocked(accountId, targetId, sides);
    });
    await translateForeignKeyViolation(unit);
  }

  /** Whom an account blocks by an activity. */
  findTarget(uri: string, accountId: string): Promise<string | undefined> {
    return this.blocks.targetOf(uri, accountId);
  }

  /** Lifts a block; false when there is none. */
  async unblock(accountId: string, targetId: string): Promise<boolean> {
    return this.uow.run(async () => {
      const ended = await this.blocks.unblock(accountId, targetId);
      if (ended) this.unblocked({ ...ended, accountId, targetId });
      return ended !== undefined;
    });
  }

  /** Mutes an account. Muting again changes the options. Throws Forbidden for oneself, NotFound for an account that is gone. */
  async mute(
    accountId: string,
    targetId: string,
    { notifications = true, expiresIn }: MuteOptions = {},
  ): Promise<void> {
    if (accountId === targetId) throw new Forbidden('Can not mute yourself');
    const unit = this.uow.run(async () => {
      await this.blocks.mute(accountId, targetId, expiresIn || undefined, notifications);
      this.events.emit(new Muted(accountId, targetId));
    });
    await translateForeignKeyViolation(unit);
  }

  /** Lifts a mute. Nothing happens when there is none. */
  async unmute(accountId: string, targetId: string): Promise<void> {
    await this.blocks.unmute(accountId, targetId);
  }

  /**
   * Blocks and mutes the new account of an account that moved, for those here who block or mute the old one, with the
   * same options (threat F28). Their own blocks and mutes of the new account stay. Safe to run twice.
   */
  async copy(movedId: string, targetId: string): Promise<void> {
    await forEach(
      (after) => this.blocks.blockersOf(movedId, after, BATCH),
      (blockerId) => this.copyBlock(blockerId, movedId, targetId),
    );
    await forEach(
      (after) => this.blocks.mutersOf(movedId, after, BATCH),
      (muterId) => this.copyMute(muterId, movedId, targetId),
    );
  }

  private async copyBlock(accountId: string, movedId: string, targetId: string): Promise<void> {
    if (accountId === targetId) return;
    await this.uow.run(async () => {
      await this.follows.lockPair(accountId, targetId);
      const sides = await this.blocks.copyBlock(accountId, movedId, targetId);
      if (sides) await this.blocked(accountId, targetId, sides);
    });
  }

  private async copyMute(accountId: string, movedId: string, targetId: string): Promise<void> {
    if (accountId === targetId) return;
    await this.uow.run(async () => {
      if (await this.blocks.copyMute(accountId, movedId, targetId)) this.events.emit(new Muted(accountId, targetId));
    });
  }

  /** Removes expired blocks and mutes; every read ignores them until then (threat J10). */
  @Recurs({ job: 'accounts.end-expired', everyMinutes: EXPIRY_MINUTES })
  async endExpired(): Promise<void> {
    await repeatSlices(() => this.endExpiredBlocks());
    await repeatSlices(async () => (await this.blocks.endExpiredMutes(BATCH)).length === BATCH);
  }

  private async blocked(accountId: string, targetId: string, sides: BlockSides): Promise<void> {
    await this.follows.sever(accountId, targetId);
    this.events.emit(new Blocked(accountId, targetId, sides.actorLocal, sides.targetLocal));
  }

  private unblocked({ accountId, targetId, actorLocal, targetLocal }: EndedPair): void {
    this.events.emit(new Unblocked(accountId, targetId, actorLocal, targetLocal));
  }

  /** Returns whether there may be more. */
  private endExpiredBlocks(): Promise<boolean> {
    return this.uow.run(async () => {
      const ended = await this.blocks.endExpiredBlocks(BATCH);
      for (const each of ended) this.unblocked(each);
      return ended.length === BATCH;
    });
  }
}

/** Does something with each of many ids, which come in order and in batches. */
async function forEach(list: (after: string) => Promise<string[]>, act: (id: string) => Promise<void>): Promise<void> {
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const ids = await list(after);
    for (const id of ids) await act(id);
    after = ids.at(-1);
  }
}
