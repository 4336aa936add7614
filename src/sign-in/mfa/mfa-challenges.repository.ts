import { Injectable } from '@nestjs/common';
import { LessThan, Raw } from 'typeorm';
import { isExpired } from '../../accounts/index.js';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { isUnexpiredToken } from '../../oauth/index.js';
import { MfaChallenge } from './mfa.entities.js';

/** A challenge to store. */
export interface NewChallengeRow {
  readonly tokenHash: Buffer;
  readonly accountId: string;
  readonly purpose: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const VALID = `interval '5 minutes'`;
/** Wrong codes that end a challenge. */
const MOST_TRIES = 5;

/** All SQL on `mfa_challenges`. */
@Injectable()
export class MfaChallengesRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async insert({ tokenHash, accountId, purpose, data }: NewChallengeRow): Promise<void> {
    const expiresAt = () => `now() + ${VALID}`;
    await this.uow.manager.insert(MfaChallenge, { tokenHash, accountId, purpose, data: data as object, expiresAt });
  }

  /** The challenge of a token that is neither expired nor ended by wrong codes. */
  async find(tokenHash: Buffer, purpose: string): Promise<MfaChallenge | null> {
    const expiresAt = Raw(isUnexpiredToken);
    return this.uow.manager.findOneBy(MfaChallenge, { tokenHash, purpose, expiresAt, tries: LessThan(MOST_TRIES) });
  }

  /** Counts a try, and locks the challenge until the open unit ends; false when the challenge is over. */
  async countTry(tokenHash: Buffer): Promise<boolean> {
    const going = { tokenHash, tries: LessThan(MOST_TRIES) };
    return (await this.uow.manager.update(MfaChallenge, going, { tries: () => 'tries + 1' })).affected === 1;
  }

  async remove(tokenHash: Buffer): Promise<void> {
    await this.uow.manager.delete(MfaChallenge, { tokenHash });
  }

  /** Index: mfa_challenges_account. */
  async removeAllOf(accountId: string): Promise<void> {
    await this.uow.manager.delete(MfaChallenge, { accountId });
  }

  /** Removes expired challenges. Index: mfa_challenges_expires. */
  async purge(): Promise<void> {
    await purge(this.db, { table: 'mfa_challenges', where: isExpired('mfa_challenges'), by: 'expires_at' });
  }
}
