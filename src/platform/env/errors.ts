/**
 * True when `error` carries one of these codes: a system error such as `ENOENT`, or PostgreSQL's SQLSTATE.
 * It asks for the code alone, because errors of Node's own modules can come from another realm.
 */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** What an error says, or its code when it says nothing, as the failure of several connection attempts does. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
