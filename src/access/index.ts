export { scopeWords } from './authorize/scope-words.js';
export { AdminGuard, AuthGuard, FailedCredentialsGuard, ScopesGuard, SlowBodyGuard } from './guards/guards.js';
export { StaffRights } from './guards/staff-rights.js';
export { AccessModule } from './access.module.js';
