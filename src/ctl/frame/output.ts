import { snakeCase } from '../../platform/index.js';

/** Rows as lines with aligned columns; nothing for no rows. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, at) => Math.max(known[at] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Facts as lines: a name and its value, `-` for none, yes and no. */
export function valueLines(facts: Readonly<Record<string, string | number | boolean | null>>): string[] {
  return columns(Object.entries(facts).map(([name, value]) => [name, shown(value)]));
}

function shown(value: string | number | boolean | null): string {
  if (value === null) return '-';
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' '); // one line, without control characters
}

/** The option of commands with machine-readable output. */
export const JSON_OPTION = { type: 'boolean', help: 'Prints JSON, for programs.' } as const;

/** A value as JSON for programs. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Rows as JSON for programs, under the names of the API: `last_error`. */
export function rowsAsJson(rows: readonly object[]): string {
  const named = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]));
  return json(rows.map(named));
}

/** `1 account`, `2 accounts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
