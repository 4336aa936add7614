import type { MessageKey } from '../../../common/index.js';
import { MODERATOR_PRIVILEGES } from '../../../config/index.js';

/** The first page of the staff. */
export const STAFF_PATH = '/app/staff';

/** The scopes of the first page: administrators see it, and moderators with any privilege. */
export const STAFF_SCOPES = MODERATOR_PRIVILEGES;

/** A section of the pages of the staff; its pages have the scopes of the routes of the API that do the same. */
interface StaffSection {
  readonly path: string;
  readonly key: MessageKey & `staff.${string}`;
  readonly scopes: readonly string[];
}

/** The sections in the order of their navigation. */
export const SECTIONS: readonly StaffSection[] = [
  { path: STAFF_PATH, key: 'staff.overview', scopes: STAFF_SCOPES },
  { path: `${STAFF_PATH}/reports`, key: 'staff.reports', scopes: ['admin:read:reports'] },
  { path: `${STAFF_PATH}/posts`, key: 'staff.posts', scopes: ['admin:read:statuses'] },
  { path: `${STAFF_PATH}/sign_ups`, key: 'staff.sign-ups', scopes: ['admin:read:accounts'] },
  { path: `${STAFF_PATH}/accounts`, key: 'staff.accounts', scopes: ['admin:read:accounts'] },
  { path: `${STAFF_PATH}/blocks`, key: 'staff.blocks', scopes: ['admin:read'] },
  { path: `${STAFF_PATH}/invites`, key: 'staff.invites', scopes: ['admin:read:invites'] },
  { path: `${STAFF_PATH}/rules`, key: 'staff.rules', scopes: ['admin:read'] },
  { path: `${STAFF_PATH}/announcements`, key: 'staff.announcements', scopes: ['admin:read'] },
  { path: `${STAFF_PATH}/emoji`, key: 'staff.emoji', scopes: ['admin:write'] },
  { path: `${STAFF_PATH}/frontends`, key: 'staff.frontends', scopes: ['admin:read'] },
  { path: `${STAFF_PATH}/queues`, key: 'staff.queues', scopes: ['admin:read'] },
  { path: `${STAFF_PATH}/log`, key: 'staff.log', scopes: ['admin:read'] },
  { path: `${STAFF_PATH}/settings`, key: 'staff.settings.short', scopes: ['admin:read'] },
];
