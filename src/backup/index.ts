export { BackupError } from './model/backup-error.js';
export { readBackupKey } from './file/backup-key.js';
export { createBackup, type MadeBackup } from './create-backup.js';
export { unfinishedLoad } from './database/loader.sql.js';
export type { SchemaMaker } from './database/schema-maker.js';
export { moveDatabase } from './move-database.js';
export { restoreBackup } from './restore-backup.js';
export { verifyBackup } from './verify-backup.js';
