import { IsNull, Not } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { Database, UnitOfWork } from '../../platform/index.js';
import { RecoveryCode, SecondFactor } from './mfa.entities.js';

/** All SQL on `second_factors` and `recovery_codes`. */
@Injectable()
export class MfaRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  isEnabled(accountId: string): Promise<boolean> {
    return this.uow.manager.existsBy(SecondFactor, { accountId, confirmedAt: Not(IsNull()) });
  }

  /** The sealed secret that is in use, or the one that waits for its first code. */
  async secret(accountId: string, { confirmed }: { readonly confirmed: boolean }): Promise<Buffer | undefined> {
    const confirmedAt = confirmed ? Not(IsNull()) : IsNull();
    return (await this.uow.manager.findOneBy(SecondFactor, { accountId, confirmedAt }))?.totpSealed;
  }

  /** Stores a secret that waits for its first code; false when one is in use. */
  async propose(accountId: string, sealed: Buffer): Promise<boolean> {
    const rows = await this.db.query(
      `insert into second_factors (account_id, totp_sealed) values ($1, $2)
       on conflict (account_id) do update set totp_sealed = $2, created_at = now()
         where second_factors.confirmed_at is null
       returning account_id`,
      [accountId, sealed],
    );
    return rows.length === 1;
  }

  /** Puts a waiting secret to use; false when it was replaced, or confirmed by another request. */
  async confirm(accountId: string, sealed: Buffer, step: number): Promise<boolean> {
    const rows = await this.db.query(
      `update second_factors set confirmed_at = now(), last_step = $3
       where account_id = $1 and totp_sealed = $2 and confirmed_at is null returning account_id`,
      [accountId, sealed, step],
    );
    return rows.length === 1;
  }

  /** Stores the time step of an accepted code; false when a code of this step or a later one was accepted before. */
  async useStep(accountId: string, sealed: Buffer, step: number): Promise<boolean> {
    const rows = await this.db.query(
      `update second_factors set last_step = $3
       where account_id = $1 and totp_sealed = $2 and confirmed_at is not null and last_step < $3 returning account_id`,
      [accountId, sealed, step],
    );
    return rows.length === 1;
  }

  /** Uses a recovery code up; false when there is none of that hash, or while the second factor is off. */
  async useRecoveryCode(accountId: string, hash: Buffer): Promise<boolean> {
    const rows = await this.db.query(
      `delete from recovery_codes where account_id = $1 and code_hash = $2
         and exists (select from second_factors where account_id = $1 and confirmed_at is not null)
       returning account_id`,
      [accountId, hash],
    );
    return rows.length === 1;
  }

  async replaceRecoveryCodes(accountId: string, hashes: readonly Buffer[]): Promise<void> {
    await this.uow.manager.delete(RecoveryCode, { accountId });
    await this.uow.manager.insert(
      RecoveryCode,
      hashes.map((codeHash) => ({ accountId, codeHash })),
    );
  }

  /** Removes the secret and the recovery codes; returns whether the secret was in use. */
  async remove(accountId: string): Promise<boolean> {
    await this.uow.manager.delete(RecoveryCode, { accountId });
    const [removed] = await this.db.query<{ was_on: boolean }>(
      `delete from second_factors where account_id = $1 returning confirmed_at is not null as was_on`,
      [accountId],
    );
    return removed?.was_on ?? false;
  }
}
