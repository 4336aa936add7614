export { AccountArchiveService } from './documents/account-archive.service.js';
export { FederationModule } from './federation.module.js';
export { RemoteKeyRow } from './signatures/remote-key.entity.js';
