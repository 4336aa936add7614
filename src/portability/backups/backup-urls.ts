import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env, sameSecret, SECRET_KEY } from '../../platform/index.js';
import type { BackupRow } from './backups.repository.js';

/**
 * Makes addresses of archives. Each has a secret derived from the archive and the server's key: it is reproducible
 * and not stored.
 */
@Injectable()
export class BackupUrls {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
  ) {}

  of(backup: Pick<BackupRow, 'id' | 'fileKey'>): string {
    return `${this.env.baseUrl}/backups/${backup.id}/${this.secretOf(backup)}`;
  }

  /** Whether the secret belongs to the archive. */
  opens(secret: string, backup: Pick<BackupRow, 'id' | 'fileKey'>): boolean {
    return sameSecret(secret, this.secretOf(backup));
  }

  private secretOf({ id, fileKey }: Pick<BackupRow, 'id' | 'fileKey'>): string {
    return createHmac('sha256', this.secretKey).update(`backup ${id} ${fileKey}`).digest('base64url');
  }
}
