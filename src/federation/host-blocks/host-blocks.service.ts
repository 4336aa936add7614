import { Inject, Injectable } from '@nestjs/common';
import { Invalid } from '../../common/index.js';
import {
  type HostList,
  hostReasons,
  listsHost,
  type SettingChange,
  Settings,
  SettingsService,
} from '../../config/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { type BlockListName, type HostBlock, readBlockList, writeBlockList } from './block-list.js';
import { type ExchangeRow, HostBlocksRepository } from './host-blocks.repository.js';

const LISTS = ['reject', 'federated_timeline_removal', 'media_removal', 'report_removal'] as const;
const pathOf = (list: BlockListName) => `mrf_simple.${list}` as const;

/** What a block of a host would end. */
export interface BlockPreview extends ExchangeRow {
  /** The known hosts that it concerns. */
  readonly hosts: readonly string[];
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
    const byHost = new Map<string, { lists: BlockListName[]; reason: string }>();
    for (const list of LISTS) {
      for (const [host, reason] of hostReasons(this.settings.get(pathOf(list)))) {
        const known = byHost.get(host) ?? { lists: [], reason: '' };
        byHost.set(host, { lists: [...known.lists, list], reason: known.reason || reason });
      }
    }
    return Array.from(byHost, ([host, block]) => ({ host, ...block })).toSorted((a, b) => (a.host < b.host ? -1 : 1));
  }

  /** @param host a name, or `*.` and a domain for it and all of its hosts */
  async preview(host: string): Promise<BlockPreview> {
    const hosts = (await this.repository.knownHosts()).filter((known) => listsHost([host], known));
    return { hosts, ...(await this.repository.exchange(hosts)) };
  }

  export(): string {
    return writeBlockList(this.list());
  }

  /**
   * Adds the entries of a block list to the lists here; reasons that stand here stay. Nothing is stored when a line is
   * wrong.
   * @returns the entries that were missing here
   * @throws Invalid with the problems, a line each
   */
  async import(text: string, isDry = false): Promise<HostBlock[]> {
    const { blocks, problems } = readBlockList(text);
    const own = blocks.filter(({ host }) => listsHost([host], new URL(this.env.baseUrl).host));
    const all = [...problems, ...own.map(({ host }) => `${host} is this server`)];
    if (all.length > 0) throw new Invalid(all.join('\n'));
    return this.add(blocks, isDry);
  }

  /** Adds entries; returns those that were missing. @throws Invalid for what is no host */
  async add(blocks: readonly HostBlock[], isDry = false): Promise<HostBlock[]> {
    const missing = blocks
      .map((block) => ({ ...block, lists: block.lists.filter((list) => !this.stands(block.host, list)) }))
      .filter(({ lists }) => lists.length > 0);
    if (missing.length > 0 && !isDry) await this.service.update(LISTS.flatMap((list) => this.grown(list, missing)));
    return missing;
  }

  /** Takes a host off all lists; returns whether it was on one. */
  async remove(host: string): Promise<boolean> {
    const changes = LISTS.flatMap((list): SettingChange[] => {
      const before: HostList = this.settings.get(pathOf(list));
      const after = before.filter((entry) => !isEntry([entry], host));
      return after.length < before.length ? [{ path: pathOf(list), value: after }] : [];
    });
    if (changes.length > 0) await this.service.update(changes);
    return changes.length > 0;
  }

  private grown(list: BlockListName, missing: readonly HostBlock[]): SettingChange[] {
    const added = missing
      .filter(({ lists }) => lists.includes(list))
      .map(({ host, reason }) => [host, reason] as const);
    return added.length === 0 ? [] : [{ path: pathOf(list), value: [...this.settings.get(pathOf(list)), ...added] }];
  }

  private stands(host: string, list: BlockListName): boolean {
    return isEntry(this.settings.get(pathOf(list)), host);
  }
}

/** Whether a list has exactly this entry. */
function isEntry(hosts: HostList, host: string): boolean {
  return hostReasons(hosts).some(([listed]) => listed === host.toLowerCase());
}
