import { Injectable } from '@nestjs/common';
import { LessThan, Raw } from 'typeorm';
import { isExpired } from '../../accounts/index.js';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { isUnexpiredToken } from '../model/token.sql.js';
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
    await this.db.query(
      `insert into mfa_challenges (token_hash, account_id, purpose, data, expires_at)
       values ($1, $2, $3, $4, now() + ${VALID})`,
      [tokenHash, accountId, purpose, JSON.stringify(data)],
    );
  }

  /** The challenge of a token that is neither expired nor ended by wrong codes. */
  async find(tokenHash: Buffer, purpose: string): Promise<MfaChallenge | null> {
    const expiresAt = Raw(isUnexpiredToken);
    return this.uow.manager.findOneBy(MfaChallenge, { tokenHash, purpose, expiresAt, tries: LessThan(MOST_TRIES) });
  }

  /** Counts a try, and locks the challenge until the open unit ends; false when the challenge is over. */
  async countTry(tokenHash: Buffer): Promise<boolean> {
    const rows = await this.db.query(
      `update mfa_challenges set tries = tries + 1 where token_hash = $1 and tries < $2 returning account_id`,
      [tokenHash, MOST_TRIES],
    );
    return rows.length === 1;
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
