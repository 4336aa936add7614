export { AccountArchiveService } from './documents/account-archive.service.js';
export { FederationModule } from './federation.module.js';
export { RemoteKeyRow } from './signatures/remote-key.entity.js';
export { QueuedActivityRow, SeenActivity } from './inbox/inbox.entities.js';
export { ReportReceived } from './inbox/inbox.events.js';
export { FlagsService } from './outbox/flags.service.js';
export { HostsService } from './outbox/hosts.service.js';
export { ActivityRow, Delivery, RemoteHost } from './outbox/outbox.entities.js';
