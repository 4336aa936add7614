const LONGEST_NAME = 120;
/** What stands behind is not read, in UTF-16 units. */
const READ = 1_000;

/** Path separators, characters that file systems reject, controls, and marks of writing direction (threat M3). */
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const EDGES = /^[\s.]+|[\s.]+$/g;
/** Left alone by `encodeURIComponent`, but not allowed in an extended value (RFC 8187 §3.2.1). */
const RESERVED = /['()*]/g;

/**
 * Builds a Content-Disposition header (RFC 6266): sanitises the requested name and appends the extension of the file's
 * type. An empty name is left out.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string, extension: string): string {
  const safe = Array.from(name.slice(0, READ).toWellFormed().replace(UNSAFE, '_').replace(EDGES, ''))
    .slice(0, LONGEST_NAME)
    .join('');
  if (safe === '') return kind;
  const ending = `.${extension}`;
  const full = safe.toLowerCase().endsWith(ending) ? safe : safe + ending;
  return `${kind}; filename*=UTF-8''${encodeURIComponent(full).replace(RESERVED, hex)}`;
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
