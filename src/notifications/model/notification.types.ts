/** The types of notifications, by the neutral names that are stored (spec §2.4). */
export const NOTIFICATION_TYPES = [
  'mention',
  'status',
  'reblog',
  'favourite',
  'follow',
  'follow_request',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'move',
  'svc:emoji_reaction',
  'svc:chat_mention',
  'svc:report',
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** Types that are listed and counted only when the client names them. */
const ON_REQUEST: ReadonlySet<NotificationType> = new Set(['svc:chat_mention', 'svc:report']);

/** The types that are listed when the client names none. */
export const LISTED_TYPES = NOTIFICATION_TYPES.filter((type) => !ON_REQUEST.has(type));

/** The types that the reference does not have. */
export const OWN_TYPES: readonly NotificationType[] = NOTIFICATION_TYPES.filter((type) => type.startsWith('svc:'));

/** Types of which the notifications about one thing are shown as one group: many accounts cause them. */
export const GROUPED_TYPES = ['favourite', 'reblog', 'follow'] as const satisfies readonly NotificationType[];

/** The type with a name, under the server's brand or neutral; undefined for an unknown name. */
export function notificationType(brand: string, name: string): NotificationType | undefined {
  const neutral = name.startsWith(`${brand}:`) ? `svc${name.slice(brand.length)}` : name;
  return NOTIFICATION_TYPES.find((type) => type === neutral);
}

export interface CreatedNotification {
  readonly id: string;
  readonly receiverId: string;
  readonly type: NotificationType;
  readonly statusId: string | null;
  readonly seen: boolean;
  /** The receiver's policy keeps it out of the list. */
  readonly filtered: boolean;
}
