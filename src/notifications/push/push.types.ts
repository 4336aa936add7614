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

/** Returns the alerts that are switched on, by branded or neutral names. Ignores unknown names. */
export function alertsOn(brand: string, flags: ReadonlyMap<string, boolean>): PushAlert[] {
  const on = new Set([...flags].filter(([, isOn]) => isOn).map(([name]) => neutral(brand, name)));
  return PUSH_ALERTS.filter((type) => on.has(type));
}

function neutral(brand: string, name: string): string {
  return name.startsWith(`${brand}:`) ? `svc${name.slice(brand.length)}` : name;
}
