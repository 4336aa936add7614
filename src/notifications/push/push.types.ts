/** The types that apps may subscribe to, by neutral names (spec §2.6). Includes types that only the reference has. */
export const PUSH_ALERTS = [
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
  'svc:chat_mention',
  'svc:emoji_reaction',
] as const;

export type PushAlert = (typeof PUSH_ALERTS)[number];

/**
 * Returns the alerts that are switched on, by branded or neutral names. Ignores unknown names. `follow_request` defaults to
 * `follow`, for apps that do not know it.
 */
export function alertsOn(brand: string, flags: ReadonlyMap<string, boolean>): PushAlert[] {
  const stated = new Map([...flags].map(([name, isOn]) => [neutral(brand, name), isOn]));
  return PUSH_ALERTS.filter((type) => stated.get(type) ?? (type === 'follow_request' && stated.get('follow')));
}

function neutral(brand: string, name: string): string {
  return name.startsWith(`${brand}:`) ? `svc${name.slice(brand.length)}` : name;
}
