/**
 * The roles of an account, a visibility that the reference does not have, the id of a push subscription, and an action of a
 * filter that not all apps of the reference know.
 */
const OTHER_SHAPES =
  /"roles":\{"admin":(true|false),"moderator":(true|false)\}|"(visibility|privacy|posting:default:visibility)":"(local|list)"|"id":"(\d+)","endpoint":|"filter_action":"blur"/g;

const BLURS = '"filter_action":"blur"';

/** The visibilities of the reference that stand for those it does not have. */
const VISIBILITIES: Readonly<Record<string, string>> = { local: 'unlisted', list: 'private' };

/** What an app of the reference means by a visibility: the first of the known ones that it reads under this name. */
export function meantVisibility<Name extends string>(sent: Name, ...known: readonly (Name | undefined)[]): Name {
  return known.find((name) => name !== undefined && referenceVisibility(name) === sent) ?? sent;
}

/**
 * Maps rendered JSON to the shapes of the reference, where those of the specification clash with them (docs/clients.md).
 * Works on bytes, without parsing: every match begins with a key, whose quotes no text contains unescaped. What frontends
 * store in `settings_store` is mapped as well.
 */
export function inReferenceShapes(json: Buffer): Buffer {
  const mapped = json.toString('latin1').replace(OTHER_SHAPES, referenceShape);
  return Buffer.from(mapped, 'latin1');
}

function referenceShape(all: string, ...[admin, moderator, key, name = '', id]: (string | undefined)[]): string {
  if (key !== undefined) return `"${key}":"${referenceVisibility(name)}"`;
  if (id !== undefined) return `"id":${id},"endpoint":`;
  if (all === BLURS) return '"filter_action":"warn"';
  const names = [...(admin === 'true' ? ['Admin'] : []), ...(moderator === 'true' ? ['Moderator'] : [])];
  return `"roles":${JSON.stringify(names.map((role) => ({ id: role.toLowerCase(), name: role, color: '' })))}`;
}

function referenceVisibility(name: string): string {
  return VISIBILITIES[name] ?? name;
}
