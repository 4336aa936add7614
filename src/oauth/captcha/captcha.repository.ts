import { Injectable } from '@nestjs/common';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { UsedCaptcha } from './used-captcha.entity.js';

/** The end of a captcha is told by the clocks of the processes, and the time here by that of the database. */
const CLOCKS_DIFFER = `interval '1 hour'`;

/** All SQL on `used_captchas`. */
@Injectable()
export class CaptchaRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Notes that somebody tried to solve one; false when somebody has tried before. */
  async use(tokenHash: Buffer, expiresAt: Date): Promise<boolean> {
    const insert = this.uow.manager.createQueryBuilder().insert().into(UsedCaptcha).values({ tokenHash, expiresAt });
    const result = await insert.orIgnore().returning(['tokenHash']).execute();
    return (result.raw as unknown[]).length > 0;
  }

  /** Forgets those that nobody can solve any more, also by the clock of a process that is up to an hour slow. Index: used_captchas_expires. */
  async purge(): Promise<void> {
    const over = `expires_at < now() - ${CLOCKS_DIFFER}`;
    await purge(this.db, { table: 'used_captchas', where: over, by: 'expires_at' });
  }
}
