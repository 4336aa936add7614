import { Injectable } from '@nestjs/common';
import { BackupUrls } from './backup-urls.js';
import type { BackupJson } from './backup.shape.js';
import type { BackupRow } from './backups.repository.js';

/** Archives as JSON, for the owner only: the address is enough to open an archive. */
@Injectable()
export class BackupView {
  constructor(private readonly urls: BackupUrls) {}

  many(rows: readonly BackupRow[]): BackupJson[] {
    return rows.map((row) => ({
      id: row.id,
      content_type: 'application/zip',
      file_size: Number(row.fileSize),
      inserted_at: row.insertedAt,
      processed: row.processed,
      url: this.urls.of(row),
    }));
  }
}
