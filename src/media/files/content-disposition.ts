const LONGEST_NAME = 120;

/** Separators of paths, what file systems refuse, controls, and marks that turn the direction of writing (threat M3). */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const EDGES = /^[\s.]+|[\s.]+$/g;
/** Left alone by `encodeURIComponent`, but not allowed in an extended value (RFC 8187 §3.2.1). */
const RESERVED = /['()*]/g;

/**
 * How a browser shows or saves a file (RFC 6266): under a name that somebody wished, made harmless, with the ending of what
 * the file is. An empty name is none.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string, extension: string): string {
  const safe = Array.from(name.toWellFormed().replace(UNSAFE, '_').replace(EDGES, '')).slice(0, LONGEST_NAME).join('');
  if (safe === '') return kind;
  const ending = `.${extension}`;
  const full = safe.toLowerCase().endsWith(ending) ? safe : safe + ending;
  return `${kind}; filename*=UTF-8''${encodeURIComponent(full).replace(RESERVED, hex)}`;
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
