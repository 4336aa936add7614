import { languageTag, unique } from '../../common/index.js';

/** The action for the accounts of a list. */
export type ImportAction = 'follow' | 'block' | 'mute';

/** An account on a list, with its options. */
export interface ListedAccount {
  /** As written in the list. */
  readonly address: string;
  /** Whether boosts are shown. */
  readonly reblogs?: boolean;
  /** Whether each post notifies. */
  readonly notify?: boolean;
  /** Whether notifications are hidden too. */
  readonly notifications?: boolean;
  /** The languages of the posts that are shown. */
  readonly languages?: readonly string[];
}

/** A column of an export, by its title in the exports of Mastodon. */
type Column = 'address' | 'reblogs' | 'notify' | 'notifications' | 'languages';

/** As many as a follow may name in the API. */
const MAX_LANGUAGES = 100;
const COLUMNS: ReadonlyMap<string, Column> = new Map([
  ['account address', 'address'],
  ['show boosts', 'reblogs'],
  ['notify on new posts', 'notify'],
  ['hide notifications', 'notifications'],
  ['languages', 'languages'],
]);
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Longer lines and words are ignored: no account has such an address. */
const MAX_LENGTH = 4_096;
const LINE = /[^\r\n]+/g;
const WORD = /[^\s,"\uFEFF]+/g;
/** One cell of a line, quoted or not; a quote within quotes is doubled (RFC 4180). */
const CELL = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/gy;

/**
 * Reads a list of accounts: an export of another server with a title line, whose other columns are options or ignored;
 * or addresses separated by spaces, commas or lines. Without titles, a bare `true` or `false` is an option of an export
 * that lost its titles, not an account. Reads no further than its caller takes accounts. What names no account is undefined,
 * so that the caller gets a turn there too.
 */
export function* readList(text: string): Generator<ListedAccount | undefined> {
  const lines = matchesIn(text.replace(/^\uFEFF/, ''), LINE);
  const columns = cells(lines.next().value ?? '').map((title) => COLUMNS.get(title.toLowerCase()));
  if (columns.includes('address')) {
    for (const line of lines) yield readRow(cells(line), columns);
    return;
  }
  for (const address of matchesIn(text, WORD)) yield BOOLEANS.has(address.toLowerCase()) ? undefined : { address };
}

/** The matches that are not blank and not too long. */
function* matchesIn(text: string, pattern: RegExp): Generator<string, undefined> {
  for (const [match] of text.matchAll(pattern)) if (match.length <= MAX_LENGTH && match.trim() !== '') yield match;
}

function readRow(row: readonly string[], columns: readonly (Column | undefined)[]): ListedAccount | undefined {
  const { address, languages, ...options } = Object.fromEntries(
    row.flatMap((cell, at) => (columns[at] === undefined ? [] : [[columns[at], cell]])),
  ) as Partial<Record<Column, string>>;
  if (address === undefined || address === '') return undefined;
  const said = Object.entries(options).flatMap(([name, cell]) => {
    const value = BOOLEANS.get(cell.toLowerCase());
    return value === undefined ? [] : [[name, value]];
  });
  return { address, ...(Object.fromEntries(said) as Omit<ListedAccount, 'address'>), ...languagesIn(languages) };
}

/** The language tags of a cell, separated by commas, without invalid ones. */
function languagesIn(cell = ''): Pick<ListedAccount, 'languages'> {
  const languages = unique(cell.split(',').flatMap((tag) => languageTag(tag) ?? [])).slice(0, MAX_LANGUAGES);
  return languages.length === 0 ? {} : { languages };
}

function cells(line: string): string[] {
  const found: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < line.length) {
    const match = CELL.exec(line);
    if (!match) break;
    found.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return found;
}
