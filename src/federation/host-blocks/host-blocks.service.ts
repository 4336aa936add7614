import { Inject, Injectable } from '@nestjs/common';
import { Invalid, joined, phrase, type Reason } from '../../common/index.js';
import {
  hasEntry,
  type HostList,
  hostReasons,
  listsHost,
  type PolicyName,
  Settings,
  SettingsService,
} from '../../config/index.js';
import { ENV, type Env, knownUrl } from '../../platform/index.js';
import {
  type BlockListName,
  type BlockLists,
  type HostBlock,
  isBlockable,
  readBlockList,
  writeBlockList,
} from './block-list.js';
import { type ExchangeRow, HostBlocksRepository } from './host-blocks.repository.js';

const LISTS = ['reject', 'federated_timeline_removal', 'media_removal', 'report_removal'] as const;
const ENFORCER: PolicyName = 'SimplePolicy';
const pathOf = (list: BlockListName) => `mrf_simple.${list}` as const;

/** The relations that a block of a host would end. */
export interface BlockPreview extends ExchangeRow {
  /** The known hosts that it concerns. */
  readonly hosts: readonly string[];
}

interface Revision {
  readonly lists: BlockLists;
  /** Whether SimplePolicy has to run. */
  readonly isEnforced?: boolean;
}

/** Blocks of other servers: previewed, and exchanged as lists. They are settings of SimplePolicy. */
@Injectable()
export class HostBlocksService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly service: SettingsService,
    private readonly repository: HostBlocksRepository,
  ) {}

  /** Every host on one of the lists, in alphabetical order. */
  list(): HostBlock[] {
    const lists = this.lists();
    const byHost = new Map<string, { lists: BlockListName[]; reason: string }>();
    for (const list of LISTS) {
      for (const [host, reason] of hostReasons(lists[list])) {
        const known = byHost.get(host) ?? { lists: [], reason: '' };
        byHost.set(host, { lists: [...known.lists, list], reason: known.reason || reason });
      }
    }
    return Array.from(byHost, ([host, block]) => ({ host, ...block })).toSorted((a, b) => (a.host < b.host ? -1 : 1));
  }

  /** Whether the blocks have an effect: SimplePolicy runs. */
  areEnforced(): boolean {
    return this.settings.get('mrf.policies').includes(ENFORCER);
  }

  /** @param host a name, or `*.` and a domain for it and all of its hosts */
  async preview(host: string): Promise<BlockPreview> {
    const block = [host];
    const hosts = (await this.repository.knownHosts()).filter((known) => listsHost(block, known));
    return { hosts, ...(await this.repository.exchange(hosts)) };
  }

  export(): string {
    return writeBlockList(this.list());
  }

  /**
   * Adds the entries of a block list, as {@link add} does.
   * @throws Invalid with the problems, a line each
   */
  async import(text: string, changeId?: string): Promise<HostBlock[]> {
    return this.add(this.read(text), changeId);
  }

  /** The entries of a block list that are missing here. @throws Invalid with the problems, a line each */
  missing(text: string): HostBlock[] {
    return missingIn(this.lists(), this.read(text));
  }

  /**
   * Adds entries; reasons that stand here stay. Nothing is stored when one is wrong. SimplePolicy runs from now on, also
   * where the entries were there before: a block without it has no effect.
   * @param changeId the name under which other processes confirm the change
   * @returns the entries that were missing
   * @throws Invalid for what is no host, and for this server
   */
  async add(blocks: readonly HostBlock[], changeId?: string): Promise<HostBlock[]> {
    refuse(
      blocks.flatMap(({ host }) =>
        isBlockable(host) ? [] : [phrase('{name} is no host', { name: JSON.stringify(host) })],
      ),
    );
    const own = knownUrl(this.env.baseUrl).host;
    refuse(
      blocks.flatMap(({ host }) => (listsHost([host], own) ? [phrase('{name} is this server', { name: host })] : [])),
    );
    let missing: HostBlock[] = [];
    await this.revise((lists) => {
      missing = missingIn(lists, blocks);
      const added = (list: BlockListName) => missing.filter((block) => block.lists.includes(list));
      const after = eachList((list) => [
        ...lists[list],
        ...added(list).map(({ host, reason }) => [host, reason] as const),
      ]);
      return { lists: after, isEnforced: blocks.length > 0 };
    }, changeId);
    return missing;
  }

  /** Takes a host off all lists; returns whether it was on one. */
  async remove(host: string, changeId?: string): Promise<boolean> {
    let isListed = false;
    await this.revise((lists) => {
      isListed = LISTS.some((list) => hasEntry(lists[list], host));
      return { lists: eachList((list) => lists[list].filter((entry) => !hasEntry([entry], host))) };
    }, changeId);
    return isListed;
  }

  private read(text: string): HostBlock[] {
    const { blocks, problems } = readBlockList(text);
    refuse(problems);
    return blocks;
  }

  /** The lists as this process follows them. */
  private lists(): BlockLists {
    return eachList((list) => this.settings.get(pathOf(list)));
  }

  /** Replaces the lists that a plan makes longer or shorter, of what is stored at this moment. */
  private async revise(plan: (lists: BlockLists) => Revision, changeId?: string): Promise<void> {
    await this.service.amend((values) => {
      const before = eachList((list) => values[pathOf(list)]);
      const { lists: after, isEnforced = false } = plan(before);
      const policies = values['mrf.policies'];
      return [
        ...LISTS.filter((list) => after[list].length !== before[list].length).map((list) => ({
          path: pathOf(list),
          value: after[list],
        })),
        ...(isEnforced && !policies.includes(ENFORCER)
          ? [{ path: 'mrf.policies', value: [ENFORCER, ...policies] }]
          : []),
      ];
    }, changeId);
  }
}

function eachList(listed: (list: BlockListName) => HostList): BlockLists {
  return Object.fromEntries(LISTS.map((list) => [list, listed(list)])) as BlockLists;
}

/** The entries, each with the lists that lack it. */
function missingIn(lists: BlockLists, blocks: readonly HostBlock[]): HostBlock[] {
  return blocks
    .map((block) => ({ ...block, lists: block.lists.filter((list) => !hasEntry(lists[list], block.host)) }))
    .filter((block) => block.lists.length > 0);
}

function refuse(problems: readonly Reason[]): void {
  if (problems.length > 0) throw new Invalid(joined(problems, '\n'));
}
