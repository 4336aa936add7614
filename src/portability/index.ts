export { Backup } from './backup.entity.js';
export { ImportEntry } from './import-entry.entity.js';
export { PortabilityModule } from './portability.module.js';
