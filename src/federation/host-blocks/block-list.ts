import Papa from 'papaparse';
import type { HostList } from '../../config/index.js';

/** The lists of SimplePolicy that block lists of other servers know. */
export type BlockListName = 'reject' | 'federated_timeline_removal' | 'media_removal' | 'report_removal';

export type BlockLists = Readonly<Record<BlockListName, HostList>>;

/** One line of a block list: a host and the lists that it is on. */
export interface HostBlock {
  readonly host: string;
  readonly lists: readonly BlockListName[];
  readonly reason: string;
}

/** The columns of Mastodon's export of domain blocks. */
const COLUMNS = ['#domain', '#severity', '#reject_media', '#reject_reports', '#public_comment', '#obfuscate'];
const SEVERITIES: Readonly<Record<string, readonly BlockListName[]>> = {
  suspend: ['reject'],
  silence: ['federated_timeline_removal'],
  noop: [],
};
const NAME = '[a-z0-9-]+(?:\\.[a-z0-9-]+)+';
const HOST = new RegExp(`^(?:\\*\\.${NAME}|${NAME}(?::\\d{1,5})?)$`);

/** Whether a block can name this: a host, which may have a port, or `*.` and a domain for it and all of its hosts. */
export function isBlockable(host: string): boolean {
  return HOST.test(host);
}

/**
 * Reads a block list: CSV as Mastodon exports it, or one host in a line. Hosts that are partly hidden, as `b*d.example`,
 * are problems.
 * @returns the hosts, each once, and what is wrong with which line
 */
export function readBlockList(text: string): { readonly blocks: HostBlock[]; readonly problems: string[] } {
  const rows = numberedRows(text);
  const titles = rows[0]?.cells.map((name) => name.replace(/^#/, '').toLowerCase()) ?? [];
  const columns = titles.includes('domain') ? titles : ['domain'];
  const blocks = new Map<string, HostBlock>();
  const problems: string[] = [];
  for (const { line, cells } of columns === titles ? rows.slice(1) : rows) {
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    const host = cell('domain').toLowerCase();
    const severity = columns.includes('severity') ? cell('severity').toLowerCase() : 'suspend';
    const lists = SEVERITIES[severity];
    if (!isBlockable(host)) problems.push(`Line ${line}: ${JSON.stringify(host)} is no host`);
    else if (!lists) problems.push(`Line ${line}: ${JSON.stringify(severity)} is no severity`);
    else {
      const known = blocks.get(host);
      const named = new Set([...(known?.lists ?? []), ...lists]);
      if (isYes(cell('reject_media'))) named.add('media_removal');
      if (isYes(cell('reject_reports'))) named.add('report_removal');
      blocks.set(host, { host, lists: [...named], reason: known?.reason || cell('public_comment') });
    }
  }
  return { blocks: [...blocks.values()], problems };
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
  return Papa.unparse({ fields: COLUMNS, data: rows }, { newline: '\n' });
}

const isYes = (cell: string) => /^(?:true|1|yes|x)$/i.test(cell);

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
