export { AccountArchiveService } from './account-archive.service.js';
export { FederationModule } from './federation.module.js';
