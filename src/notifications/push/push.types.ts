/** What apps may ask to be pushed, by neutral names (spec §2.6); the reference's further types too. */
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
  'svc:chat_mention',
  'svc:emoji_reaction',
] as const;

export type PushAlert = (typeof PUSH_ALERTS)[number];

/** Those of the alerts that are switched on, whether named under the server's brand or neutrally; unknown names mean nothing. */
export function alertsOn(brand: string, flags: ReadonlyMap<string, boolean>): PushAlert[] {
  const on = new Set([...flags].filter(([, isOn]) => isOn).map(([name]) => neutral(brand, name)));
  return PUSH_ALERTS.filter((type) => on.has(type));
}

function neutral(brand: string, name: string): string {
  return name.startsWith(`${brand}:`) ? `svc${name.slice(brand.length)}` : name;
}
