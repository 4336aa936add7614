import { Injectable } from '@nestjs/common';
import { holds } from '../../oauth/index.js';
import { BackupUrls } from './backup-urls.js';
import type { BackupJson } from './backup.shape.js';
import type { BackupRow } from './backups.repository.js';

/**
 * Archives as JSON, for the owner only. The address is enough to open an archive, which holds direct posts, bookmarks and blocks: it
 * is shown only to tokens that may read all of that.
 */
@Injectable()
export class BackupView {
  constructor(private readonly urls: BackupUrls) {}

  many(rows: readonly BackupRow[], scopes: readonly string[]): BackupJson[] {
    const isOpen = holds(scopes, 'read');
    return rows.map((row) => ({
      id: row.id,
      content_type: 'application/zip',
      file_size: Number(row.fileSize),
      inserted_at: row.insertedAt,
      processed: row.processed,
      url: isOpen ? this.urls.of(row) : null,
    }));
  }
}
