/** The privileges of Pleroma, with the scopes that give them to a moderator; without scopes only administrators have them. */
const PRIVILEGES: Readonly<Record<string, readonly string[]>> = {
  users_read: [],
  users_manage_invites: ['admin:read:invites', 'admin:write:invites'],
  users_manage_activation_state: [],
  users_manage_tags: [],
  users_manage_credentials: [],
  users_delete: [],
  messages_read: ['admin:read:statuses'],
  messages_delete: ['admin:write:statuses'],
  instances_delete: [],
  reports_manage_reports: ['admin:read:reports', 'admin:write:reports'],
  moderation_log_read: [],
  announcements_manage_announcements: [],
  emoji_manage_emoji: [],
  statistics_read: [],
};

interface Roles {
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
}

/** The names of what an account may do as staff: apps build their menus from them. `given` is the setting for moderators. */
export function privilegesOf({ isAdmin, isModerator }: Roles, given: readonly string[]): string[] {
  const isAllowed = (scopes: readonly string[]) => scopes.length > 0 && scopes.every((scope) => given.includes(scope));
  return Object.keys(PRIVILEGES).filter((name) => isAdmin || (isModerator && isAllowed(PRIVILEGES[name] ?? [])));
}
