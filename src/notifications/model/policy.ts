import type { NotificationSettings } from '../../accounts/index.js';

/** What becomes of a notification: it is listed, waits in a request, or is not made. */
export const POLICY_ACTIONS = ['accept', 'filter', 'drop'] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

/** The kinds of senders and notifications that a receiver's policy is about (reference NotificationPolicy). */
export const POLICY_FIELDS = [
  'for_not_following',
  'for_not_followers',
  'for_new_accounts',
  'for_private_mentions',
  'for_limited_accounts',
] as const;
export type PolicyField = (typeof POLICY_FIELDS)[number];
export type NotificationPolicy = Readonly<Record<PolicyField, PolicyAction>>;

/** A policy, and the number of requests that it has led to. */
export interface PolicySummary {
  readonly policy: NotificationPolicy;
  readonly requests: number;
  readonly notifications: number;
}

/** The policy of a user. To drop what strangers cause is the older setting `block_from_strangers`. */
export function policyOf(settings: NotificationSettings): NotificationPolicy {
  const policy = Object.fromEntries(POLICY_FIELDS.map((field) => [field, settings[field] ?? 'accept']));
  if (settings.block_from_strangers) policy['for_not_following'] = 'drop';
  return policy as NotificationPolicy;
}

/** The changes of settings that make a policy of its fields. */
export function settingsOf(changes: Partial<NotificationPolicy>): Partial<NotificationSettings> {
  const { for_not_following: strangers, ...others } = changes;
  if (strangers === undefined) return others;
  const isBlocked = strangers === 'drop';
  return { ...others, block_from_strangers: isBlocked, for_not_following: isBlocked ? 'accept' : strangers };
}
