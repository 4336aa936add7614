import type { MessageKey, Translator } from '../../common/index.js';

/** The order in which permissions are named. */
const FAMILIES = ['read', 'write', 'follow', 'push', 'profile', 'admin', 'admin:read', 'admin:write'] as const;

type Family = (typeof FAMILIES)[number];
type Part = Extract<MessageKey, `scope.part.${string}`>;

/** The meaning of scopes in plain words: a line for each kind, which names the parts unless it covers all of them. */
export function scopeWords(t: Translator, scopes: readonly string[]): string[] {
  return FAMILIES.flatMap((family) => {
    if (scopes.includes(family)) return [t.text(`scope.${family}`)];
    const parts = scopes.filter((scope) => familyOf(scope) === family).map((scope) => scope.slice(family.length + 1));
    if (parts.length === 0) return [];
    const named = parts.map((part) => t.text(`scope.part.${part}` as Part)).join(', ');
    return [t.text(`scope.some.${family as PartedFamily}`, { parts: named })];
  });
}

type PartedFamily = 'read' | 'write' | 'admin:read' | 'admin:write';

/** `admin:read:accounts` belongs to `admin:read`, `write:lists` to `write`; `admin:read` is a family itself. */
function familyOf(scope: string): Family | undefined {
  if (FAMILIES.some((family) => family === scope)) return undefined;
  return FAMILIES.findLast((family) => scope.startsWith(`${family}:`));
}
