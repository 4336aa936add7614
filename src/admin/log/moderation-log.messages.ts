import type { LogSubject } from './moderation-log.entity.js';

/** The facts of a message, besides its actor. */
interface MessageFacts {
  /** The subjects: `@alice, @bob@far.test`, or `#id` of what is no account. */
  readonly names: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The message of each action, after the name of the actor. A new action gets its line here. */
const MESSAGES = {
  activate: ({ names }) => `activated users: ${names}`,
  add_suggestion: ({ names }) => `suggested users: ${names}`,
  announcement_create: ({ names }) => `made announcement ${names}`,
  announcement_delete: ({ names }) => `deleted announcement ${names}`,
  announcement_update: ({ names }) => `changed announcement ${names}`,
  approve: ({ names }) => `approved users: ${names}`,
  chat_message_delete: ({ names }) => `deleted chat message ${names}`,
  config_update: ({ names }) => `changed the configuration: ${names}`,
  confirm_email: ({ names }) => `confirmed the e-mail addresses of users: ${names}`,
  create: ({ names }) => `created users: ${names}`,
  create_backup: ({ names }) => `ordered an archive of the account ${names}`,
  deactivate: ({ names }) => `deactivated users: ${names}`,
  delete: ({ names }) => `deleted users: ${names}`,
  disable_mfa: ({ names }) => `removed the second factor of users: ${names}`,
  follow: ({ names, data }) => `made ${of(data, 'follower')} follow ${names}`,
  force_password_reset: ({ names }) => `demanded a new password of users: ${names}`,
  frontend_install: ({ names }) => `installed frontend ${names}`,
  grant: ({ names, data }) => `gave the role ${of(data, 'role')} to users: ${names}`,
  host_block: ({ names }) => `blocked or limited servers: ${names}`,
  host_retry: ({ names }) => `let deliveries to the server ${names} be tried again`,
  host_unblock: ({ names }) => `lifted the blocks of servers: ${names}`,
  instance_delete: ({ names }) => `deleted all accounts of the server ${names}`,
  instance_document_delete: ({ names }) => `removed the document ${names}`,
  instance_document_update: ({ names }) => `replaced the document ${names}`,
  job_drop: ({ names, data }) => `dropped failed job ${names} (${of(data, 'name')})`,
  job_retry: ({ names, data }) => `let failed job ${names} run again (${of(data, 'name')})`,
  media_proxy_ban: ({ names }) => `banned files: ${names}`,
  media_proxy_purge: ({ names }) => `purged files: ${names}`,
  media_proxy_unban: ({ names }) => `lifted the ban of files: ${names}`,
  invite_create: ({ names }) => `made invite ${names}`,
  invite_email: () => 'sent an invite by mail',
  invite_revoke: ({ names }) => `revoked invite ${names}`,
  oauth_app_create: ({ names, data }) => `registered app ${names} (${of(data, 'name')})`,
  oauth_app_delete: ({ names, data }) => `deleted app ${names} (${of(data, 'name')})`,
  oauth_app_update: ({ names, data }) => `changed app ${names} (${of(data, 'name')})`,
  password_reset: ({ names }) => `made a link for a new password of users: ${names}`,
  reject: ({ names }) => `rejected users: ${names}`,
  relay_follow: ({ names }) => `followed relay ${names}`,
  relay_unfollow: ({ names }) => `unfollowed relay ${names}`,
  reload_emoji: () => 'reloaded the emoji',
  remove_suggestion: ({ names }) => `took off the suggestions users: ${names}`,
  report_assign: ({ names, data }) => `assigned report ${names} to ${assigneeOf(data)}`,
  report_note: ({ names, data }) => `added a note to report ${names}: ${of(data, 'content')}`,
  report_note_delete: ({ names, data }) => `removed a note from report ${names}: ${of(data, 'content')}`,
  report_update: ({ names, data }) => `set the state of report ${names} to ${of(data, 'state')}`,
  restart: () => 'restarted the server',
  resend_confirmation_email: ({ names }) => `sent another letter of confirmation to users: ${names}`,
  reset_password: ({ names }) => `changed the password of users: ${names}`,
  revoke: ({ names, data }) => `took the role ${of(data, 'role')} from users: ${names}`,
  rule_create: ({ names }) => `added rule ${names}`,
  rule_delete: ({ names }) => `removed rule ${names}`,
  rule_update: ({ names }) => `changed rule ${names}`,
  status_delete: ({ names }) => `deleted status ${names}`,
  status_update: ({ names, data }) => `changed status ${names}: ${changesOf(data)}`,
  tag: ({ names, data }) => `added the tags ${of(data, 'tags')} to users: ${names}`,
  unfollow: ({ names, data }) => `made ${of(data, 'follower')} unfollow ${names}`,
  untag: ({ names, data }) => `removed the tags ${of(data, 'tags')} from users: ${names}`,
  updated_users: ({ names, data }) => `changed ${of(data, 'fields')} of users: ${names}`,
} satisfies Record<string, (facts: MessageFacts) => string>;

export type ModerationAction = keyof typeof MESSAGES;

/** The sentence about an action, such as `@root deactivated users: @alice`. */
export function messageOf(
  actor: string,
  action: ModerationAction,
  subjects: readonly LogSubject[],
  data: Readonly<Record<string, unknown>>,
): string {
  const message: (facts: MessageFacts) => string = MESSAGES[action];
  return `@${actor} ${message({ names: subjects.map(nameOf).join(', '), data })}`;
}

function nameOf({ type, id, nickname }: LogSubject): string {
  if (type === 'report') return `#${id} about @${nickname}`;
  if (nickname !== undefined) return `@${nickname}`;
  return ['instance', 'config', 'file'].includes(type) ? id : `#${id}`;
}

function of(data: Readonly<Record<string, unknown>>, key: string): string {
  const value = data[key];
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function assigneeOf({ assigned }: Readonly<Record<string, unknown>>): string {
  return typeof assigned === 'string' ? `@${assigned}` : 'nobody';
}

function changesOf({ sensitive, visibility }: Readonly<Record<string, unknown>>): string {
  const changes = Object.entries({ sensitive, visibility }).filter(([, value]) => value !== undefined);
  return changes.map(([name, value]) => `${name} ${String(value)}`).join(', ') || 'nothing';
}
