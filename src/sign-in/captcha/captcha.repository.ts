import { Injectable } from '@nestjs/common';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { UsedCaptcha } from './used-captcha.entity.js';

/** The processes' clocks decide when a captcha expires; the database's clock decides here. */
const CLOCKS_DIFFER = `interval '1 hour'`;

/** All SQL on `used_captchas`. */
@Injectable()
export class CaptchaRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Marks a captcha as tried; false when it was tried before. */
  async use(tokenHash: Buffer, expiresAt: Date): Promise<boolean> {
    const insert = this.uow.manager.createQueryBuilder().insert().into(UsedCaptcha).values({ tokenHash, expiresAt });
    const result = await insert.orIgnore().returning(['tokenHash']).execute();
    return (result.raw as unknown[]).length > 0;
  }

  /** Removes expired captchas, with an hour's margin for slow clocks of processes. Index: used_captchas_expires. */
  async purge(): Promise<void> {
    const over = `expires_at < now() - ${CLOCKS_DIFFER}`;
    await purge(this.db, { table: 'used_captchas', where: over, by: 'expires_at' });
  }
}
