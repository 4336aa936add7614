import Papa from 'papaparse';
import type { HostList } from '../../config/index.js';
import { phrase, Phrase, type Reason, searchedDomain } from '../../common/index.js';

/** The lists of SimplePolicy that block lists of other servers know. */
export type BlockListName = 'reject' | 'federated_timeline_removal' | 'media_removal' | 'report_removal';

export type BlockLists = Readonly<Record<BlockListName, HostList>>;

/** One line of a block list: a host and the lists that it is on. */
export interface HostBlock {
  readonly host: string;
  readonly lists: readonly BlockListName[];
  readonly reason: string;
}

/** The columns of Mastodon's export of domain blocks: no others are read. Its title line writes them with `#`. */
const COLUMNS = ['domain', 'severity', 'reject_media', 'reject_reports', 'public_comment', 'obfuscate'];
/** A refused list names no more lines than somebody mends at once. */
const MAX_PROBLEMS = 100;
const SEVERITIES: ReadonlyMap<string, readonly BlockListName[]> = new Map<string, BlockListName[]>([
  ['suspend', ['reject']],
  ['silence', ['federated_timeline_removal']],
  ['noop', []],
]);
const EXTRA = [
  ['reject_media', 'media_removal'],
  ['reject_reports', 'report_removal'],
] as const;
const NAME = '[a-z0-9-]+(?:\\.[a-z0-9-]+)+';
const HOST = new RegExp(`^(?:\\*\\.)?${NAME}(?::\\d{1,5})?$`);

/** What a block names as it is stored: see {@link isBlockable}. */
export function blockedName(text: string): string {
  const [, every = '', host = ''] = /^(\*\.)?(.*)$/s.exec(text.trim()) ?? [];
  return every + searchedDomain(host);
}

/** Whether a block can name this: a host, or `*.` and a domain for it and all of its hosts, either with a port. */
export function isBlockable(host: string): boolean {
  return HOST.test(host);
}

/**
 * Reads a block list: CSV as Mastodon exports it, or one host in a line. Hosts that are partly hidden, as `b*d.example`,
 * are problems.
 * @returns the hosts, each once, and what is wrong with which line; behind {@link MAX_PROBLEMS} it reads no further
 */
export function readBlockList(text: string): { readonly blocks: HostBlock[]; readonly problems: Reason[] } {
  const rows = numberedRows(text);
  const titles = rows[0]?.cells.map((name) => name.replace(/^#/, '').toLowerCase()) ?? [];
  const isTitled = titles.includes('domain');
  const columns = columnsOf(isTitled ? titles : ['domain']);
  const blocks = new Map<string, HostBlock>();
  const problems: Reason[] = [];
  for (const { line, cells } of isTitled ? rows.slice(1) : rows) {
    const read = readRow(new Map(columns.map(([name, at]) => [name, cells[at] ?? ''])));
    if (read instanceof Phrase) problems.push(phrase('Line {line}: {problem}', { line, problem: read }));
    else blocks.set(read.host, merged(blocks.get(read.host), read));
    if (problems.length === MAX_PROBLEMS) break;
  }
  return { blocks: [...blocks.values()], problems };
}

/** Where the columns stand that are read: a title line may have a hundred thousand others. */
function columnsOf(titles: readonly string[]): [name: string, at: number][] {
  const places = new Map(titles.map((name, at) => [name, at]));
  return [...places].filter(([name]) => COLUMNS.includes(name));
}

/** The block of a row, or what is wrong with it. */
function readRow(row: ReadonlyMap<string, string>): HostBlock | Phrase {
  const host = blockedName(row.get('domain') ?? '');
  const severity = row.get('severity')?.toLowerCase() ?? 'suspend';
  const lists = SEVERITIES.get(severity);
  if (!isBlockable(host)) return phrase('{name} is no host', { name: JSON.stringify(host) });
  if (!lists) return phrase('{name} is no severity', { name: JSON.stringify(severity) });
  const extra = EXTRA.filter(([column]) => isYes(row.get(column))).map(([, list]) => list);
  return { host, lists: [...lists, ...extra], reason: row.get('public_comment') ?? '' };
}

function merged(known: HostBlock | undefined, block: HostBlock): HostBlock {
  if (!known) return block;
  return { ...known, lists: [...new Set([...known.lists, ...block.lists])], reason: known.reason || block.reason };
}

/** Writes a block list as Mastodon's import reads it: one severity for each host, of which a suspension is the highest. */
export function writeBlockList(blocks: readonly HostBlock[]): string {
  const rows = blocks.map(({ host, lists, reason }) => {
    const severity = lists.includes('reject')
      ? 'suspend'
      : lists.includes('federated_timeline_removal')
        ? 'silence'
        : 'noop';
    const flags = [lists.includes('media_removal'), lists.includes('report_removal')];
    return [host, severity, ...flags.map((flag) => (flag ? 'TRUE' : 'FALSE')), reason, 'FALSE'];
  });
  return Papa.unparse({ fields: COLUMNS.map((name) => `#${name}`), data: rows }, { newline: '\n' });
}

const isYes = (cell = '') => /^(?:true|1|yes|x)$/i.test(cell);

/** The rows that are not blank, with the line on which each begins: a cell in quotes may have several. */
function numberedRows(text: string): { readonly line: number; readonly cells: string[] }[] {
  let next = 1;
  const rows = Papa.parse<string[]>(text.replace(/^\uFEFF/, '')).data.map((cells) => {
    const line = next;
    next += cells.join('').split('\n').length;
    return { line, cells: cells.map((cell) => cell.trim()) };
  });
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
}
