import { Injectable } from '@nestjs/common';
import { Database, purge } from '../../platform/index.js';

/** The end of a captcha is told by the clocks of the processes, and the time here by that of the database. */
const CLOCKS_DIFFER = `interval '1 hour'`;

/** All SQL on `used_captchas`. */
@Injectable()
export class CaptchaRepository {
  constructor(private readonly db: Database) {}

  /** Notes that somebody tried to solve one; false when somebody has tried before. */
  async use(tokenHash: Buffer, expiresAt: Date): Promise<boolean> {
    const rows = await this.db.query(
      `insert into used_captchas (token_hash, expires_at) values ($1, $2) on conflict do nothing returning 1`,
      [tokenHash, expiresAt],
    );
    return rows.length > 0;
  }

  /** Forgets those that nobody can solve any more, also by the clock of a process that is up to an hour slow. Index: used_captchas_expires. */
  async purge(): Promise<void> {
    const over = `expires_at < now() - ${CLOCKS_DIFFER}`;
    await purge(this.db, { table: 'used_captchas', where: over, by: 'expires_at' });
  }
}
