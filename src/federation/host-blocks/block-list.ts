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
  '': ['reject'],
};
const HOST = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * Reads a block list: CSV as Mastodon exports it, or one host in a line. Hosts that are partly hidden, as `b*d.example`,
 * are problems.
 * @returns the entries, and what is wrong with which line
 */
export function readBlockList(text: string): { readonly blocks: HostBlock[]; readonly problems: string[] } {
  const { data: rows } = Papa.parse<string[]>(text.replace(/^\uFEFF/, '').trim(), { skipEmptyLines: 'greedy' });
  const names = rows[0]?.map((name) => name.trim().replace(/^#/, '').toLowerCase()) ?? [];
  const isTitled = names.includes('domain');
  const blocks: HostBlock[] = [];
  const problems: string[] = [];
  for (const [at, cells] of rows.entries()) {
    if (isTitled && at === 0) continue;
    const cell = (name: string) => cells[isTitled ? names.indexOf(name) : name === 'domain' ? 0 : -1]?.trim() ?? '';
    const host = cell('domain').toLowerCase();
    const severity = cell('severity').toLowerCase();
    const lists = SEVERITIES[severity];
    if (!HOST.test(host)) problems.push(`Line ${at + 1}: ${JSON.stringify(host)} is no host`);
    else if (!lists) problems.push(`Line ${at + 1}: ${JSON.stringify(severity)} is no severity`);
    else {
      const extra: BlockListName[] = [
        ...(isYes(cell('reject_media')) ? (['media_removal'] as const) : []),
        ...(isYes(cell('reject_reports')) ? (['report_removal'] as const) : []),
      ];
      blocks.push({ host, lists: [...lists, ...extra], reason: cell('public_comment') });
    }
  }
  return { blocks, problems };
}

/** Writes a block list as Mastodon's import reads it. */
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
