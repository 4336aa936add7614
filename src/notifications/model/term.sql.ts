/** Whether a timed block or mute has not run out: an SQL condition on its row. */
export function isRunning(row: string): string {
  return `(${row}.expires_at is null or ${row}.expires_at > now())`;
}
