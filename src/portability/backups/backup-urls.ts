import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env, sameSecret, SECRET_KEY } from '../../platform/index.js';
import type { BackupRow, OwnedBackupRow } from './backups.repository.js';

/** The reader of an archive whom an address is made for. */
export type BackupReader = 'owner' | 'staff';

type KeyOfBackup = Pick<BackupRow, 'id' | 'fileKey'>;

/**
 * Makes addresses of archives. Each has a secret derived from the archive, its reader and the server's key: it is
 * reproducible and not stored.
 */
@Injectable()
export class BackupUrls {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
  ) {}

  of(backup: KeyOfBackup, reader: BackupReader = 'owner'): string {
    return `${this.env.baseUrl}/backups/${backup.id}/${this.secretOf(backup, reader)}`;
  }

  /** Whether the secret opens the archive: the owner's does while the account is active, the staff's also after that. */
  opens(secret: string, backup: OwnedBackupRow): boolean {
    const isOf = (reader: BackupReader) => sameSecret(secret, this.secretOf(backup, reader));
    return isOf('staff') || (isOf('owner') && !backup.isDeactivated);
  }

  private secretOf({ id, fileKey }: KeyOfBackup, reader: BackupReader): string {
    const purpose = reader === 'owner' ? 'backup' : 'backup for staff';
    return createHmac('sha256', this.secretKey).update(`${purpose} ${id} ${fileKey}`).digest('base64url');
  }
}
