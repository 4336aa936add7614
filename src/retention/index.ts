export { RETENTION_KINDS, type RetentionKindName } from './model/retention-kind.js';
export { RetentionModule } from './retention.module.js';
export { RetentionService, type RetentionTotal } from './run/retention.service.js';
export type { FolderSize } from './storage/folder-sizes.js';
export type { TableSize } from './storage/storage.repository.js';
export { type DatabaseReport, type StorageReport, StorageService } from './storage/storage.service.js';
