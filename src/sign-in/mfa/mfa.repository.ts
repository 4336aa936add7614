import { IsNull, LessThan, Not, Raw } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { Database, sql, UnitOfWork } from '../../platform/index.js';
import { RecoveryCode, SecondFactor } from './mfa.entities.js';

const propose = sql(
  'mfa.propose',
  `insert into second_factors (account_id, totp_sealed) values ($1, $2)
   on conflict (account_id) do update set totp_sealed = $2, created_at = now()
     where second_factors.confirmed_at is null`,
);

const useRecoveryCode = sql(
  'mfa.use_recovery_code',
  `delete from recovery_codes where account_id = $1 and code_hash = $2
     and exists (select from second_factors where account_id = $1 and confirmed_at is not null)`,
);

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

  /** The secret that waits for its first code, if it was set up within 15 minutes. */
  async newSecret(accountId: string): Promise<Buffer | undefined> {
    const createdAt = Raw((at) => `${at} > now() - interval '15 minutes'`);
    return (await this.uow.manager.findOneBy(SecondFactor, { accountId, confirmedAt: IsNull(), createdAt }))
      ?.totpSealed;
  }

  /** Stores a secret that waits for its first code; false when one is in use. */
  async propose(accountId: string, sealed: Buffer): Promise<boolean> {
    return (await this.db.run(propose, [accountId, sealed])) === 1;
  }

  /** Puts a waiting secret to use; false when it was replaced, or confirmed by another request. */
  async confirm(accountId: string, sealed: Buffer, step: number): Promise<boolean> {
    const waiting = { accountId, totpSealed: sealed, confirmedAt: IsNull() };
    const changes = { confirmedAt: () => 'now()', lastStep: String(step) };
    return (await this.uow.manager.update(SecondFactor, waiting, changes)).affected === 1;
  }

  /** Stores the time step of an accepted code; false when a code of this step or a later one was accepted before. */
  async useStep(accountId: string, sealed: Buffer, step: number): Promise<boolean> {
    const lastStep = LessThan(String(step));
    const earlier = { accountId, totpSealed: sealed, confirmedAt: Not(IsNull()), lastStep };
    return (await this.uow.manager.update(SecondFactor, earlier, { lastStep: String(step) })).affected === 1;
  }

  /** Uses a recovery code up; false when there is none of that hash, or while the second factor is off. */
  async useRecoveryCode(accountId: string, hash: Buffer): Promise<boolean> {
    return (await this.db.run(useRecoveryCode, [accountId, hash])) === 1;
  }

  /** Inside a unit that holds the lock of the owner: a list that is stored at this moment would stay beside the new one. */
  async replaceRecoveryCodes(accountId: string, hashes: readonly Buffer[]): Promise<void> {
    await this.uow.manager.delete(RecoveryCode, { accountId });
    await this.uow.manager.insert(
      RecoveryCode,
      hashes.map((codeHash) => ({ accountId, codeHash })),
    );
  }

  /** Removes a secret that waits for its first code, and recovery codes that are of no use without one. */
  async removeUnused(accountId: string): Promise<void> {
    await this.uow.manager.delete(SecondFactor, { accountId, confirmedAt: IsNull() });
    if (!(await this.isEnabled(accountId))) await this.uow.manager.delete(RecoveryCode, { accountId });
  }

  /** Removes the secret and the recovery codes; returns whether the secret was in use. */
  async remove(accountId: string): Promise<boolean> {
    await this.uow.manager.delete(RecoveryCode, { accountId });
    const removal = this.uow.manager.createQueryBuilder().delete().from(SecondFactor).where({ accountId });
    const removed = (await removal.returning(['confirmedAt']).execute()).raw as { confirmed_at: string | null }[];
    return removed.some(({ confirmed_at: confirmedAt }) => confirmedAt !== null);
  }
}
