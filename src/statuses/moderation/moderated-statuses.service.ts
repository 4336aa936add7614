import { Inject, Injectable } from '@nestjs/common';
import {
  Invalid,
  inOrder,
  keyBy,
  listedTotal,
  localDomains,
  MAX_LISTED,
  NotFound,
  searchedDomain,
} from '../../common/index.js';
import { ENV, type Env, Events, isFlakeId, UnitOfWork } from '../../platform/index.js';
import { StatusRepository } from '../core/status.repository.js';
import { NOTIFIED_REBLOGGERS, StatusesService } from '../core/statuses.service.js';
import { StatusTotals } from '../counters/status-totals.js';
import { StatusCounters } from '../counters/status.counters.js';
import { EditRepository } from '../edits/edit.repository.js';
import type { PageRow } from '../model/page.sql.js';
import { StatusEdited, StatusNarrowed } from '../model/statuses.events.js';
import { FOR_FOLLOWERS, PUBLIC, PUBLIC_OR_UNLISTED, Visibility } from '../model/visibility.js';
import {
  type ModeratedFilter,
  type ModeratedRow,
  ModeratedStatusesRepository,
} from './moderated-statuses.repository.js';

/** Changes of a post by staff; undefined keeps the value. */
export interface ModeratedChanges {
  readonly sensitive?: boolean | undefined;
  /** One of {@link MODERATED_VISIBILITIES}; another name is refused. */
  readonly visibility?: string | undefined;
}

/** The visibilities that staff may set (spec §4.1.4). */
export const MODERATED_VISIBILITIES = ['public', 'private', 'unlisted'] as const;

interface PageOptions {
  readonly limit: number;
  readonly offset: number;
  readonly viewerId: string | undefined;
}

/**
 * Lists, changes and deletes statuses of all visibilities and of deactivated accounts. The caller checks permissions.
 */
@Injectable()
export class ModeratedStatusesService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly statuses: StatusesService,
    private readonly repository: ModeratedStatusesRepository,
    private readonly statusRows: StatusRepository,
    private readonly edits: EditRepository,
    private readonly totals: StatusTotals,
    private readonly counters: StatusCounters,
  ) {}

  /** The statuses of all servers or of this one, the newest first. */
  async page(filter: ModeratedFilter, localOnly: boolean, options: PageOptions): Promise<PageRow[]> {
    const { limit, offset, viewerId } = options;
    return this.byIds(await this.repository.page(filter, localOnly, limit, offset), viewerId);
  }

  /** The statuses of the accounts of a server, the newest first, and their number; boosts are not counted. */
  async pageOfServer(server: string, filter: ModeratedFilter, options: PageOptions) {
    const domain = searchedDomain(server);
    const { limit, offset, viewerId } = options;
    const author = localDomains(this.env).includes(domain) ? null : domain;
    const [ids, counts] = await Promise.all([
      this.repository.pageOfServer(author, filter, limit, offset),
      this.totals.ofServer(domain),
    ]);
    const names = filter.everyVisibility ? [...counts.keys()] : (['public', 'unlisted'] as const);
    const counted = names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    const isExact = counted < MAX_LISTED && !filter.withReblogs;
    const total = listedTotal(counted, { limit, offset, found: ids.length }, isExact);
    return { rows: await this.byIds(ids, viewerId), total };
  }

  /** The statuses of an account, the newest first, and their number. */
  async pageOfAuthor(accountId: string, filter: ModeratedFilter, options: PageOptions) {
    const { limit, offset, viewerId } = options;
    const [ids, counted] = await Promise.all([
      this.repository.pageOfAuthor(accountId, filter, limit, offset),
      this.repository.countOfAuthor(accountId, filter),
    ]);
    const total = listedTotal(counted, { limit, offset, found: ids.length });
    return { rows: await this.byIds(ids, viewerId), total };
  }

  /**
   * The id of a status by itself, by the address of its page here, or by its id on the network.
   * @throws NotFound for an address that is not known here
   */
  async idOf(idOrAddress: string): Promise<string> {
    const last = /[^/]*$/.exec(idOrAddress)?.[0] ?? '';
    const isOurs = idOrAddress === last || idOrAddress.startsWith(`${this.env.baseUrl}/`);
    if (isOurs && isFlakeId(last)) return last;
    const row = await this.statusRows.byUri(idOrAddress);
    if (!row) throw new NotFound();
    return row.id;
  }

  /** Statuses by their ids, in their order, without those that are gone. */
  async byIds(ids: readonly string[], viewerId = ''): Promise<PageRow[]> {
    if (ids.length === 0) return [];
    return inOrder(
      ids,
      keyBy(await this.repository.rows(ids, viewerId), ({ feedId: id }) => id),
    );
  }

  /** @throws NotFound */
  async byId(id: string, viewerId: string | undefined): Promise<PageRow> {
    const [row] = await this.byIds([id], viewerId);
    if (!row) throw new NotFound();
    return row;
  }

  /**
   * Changes a post. A changed local post is federated again. Direct, list and local-only posts keep their visibility.
   * @throws Invalid for another visibility, NotFound
   */
  async change(id: string, { sensitive, visibility }: ModeratedChanges): Promise<void> {
    const wanted = visibility === undefined ? undefined : visibilityOf(visibility);
    await this.uow.run(async () => {
      const row = await this.repository.lock(id);
      if (!row) throw new NotFound();
      if (wanted !== undefined && !FOR_FOLLOWERS.includes(row.visibility)) throw unsupported();
      if (sensitive) await this.repository.markSensitive(id); // also what its author marked already
      const next = withChanges(row, { sensitive, visibility: wanted });
      if (next.sensitive === row.sensitive && next.visibility === row.visibility) return;
      if (row.local) await this.edits.insertRevision(id);
      const changed = await this.repository.change(id, next.sensitive, next.visibility, NOTIFIED_REBLOGGERS);
      const { version, ...audience } = changed;
      const { authorId, local, inReplyToId, quoteOfId } = row;
      this.totals.add(authorId, row.visibility, -1);
      this.totals.add(authorId, next.visibility, 1);
      this.counters.addReferences({ visibility: row.visibility, inReplyToId, quoteOfId }, -1);
      this.counters.addReferences({ visibility: next.visibility, inReplyToId, quoteOfId }, 1);
      const facts = { statusId: id, authorId, local };
      const joinsTag = PUBLIC.includes(next.visibility) && !PUBLIC.includes(row.visibility);
      const isNarrowed = PUBLIC_OR_UNLISTED.includes(row.visibility) && !PUBLIC_OR_UNLISTED.includes(next.visibility);
      const former = { visibility: isNarrowed ? next.visibility : row.visibility, tags: [], hasMedia: false };
      const edit = { version, mentionedIds: [], isRevision: local, pollChanged: false, joinsTag, former };
      this.events.emit(new StatusEdited({ ...facts, visibility: next.visibility, ...edit }));
      if (isNarrowed) this.events.emit(new StatusNarrowed({ ...facts, visibility: row.visibility, ...audience }));
    });
  }

  /**
   * Deletes a status of any account with its media.
   * @throws NotFound
   */
  async delete(id: string): Promise<void> {
    const { entryAuthorId: authorId } = await this.byId(id, undefined);
    await this.statuses.delete(id, authorId, { removesMedia: true, byStaff: true });
  }
}

type Moderated = Pick<ModeratedRow, 'sensitive' | 'visibility'>;

function withChanges(
  row: Moderated,
  changes: { readonly [K in keyof Moderated]: Moderated[K] | undefined },
): Moderated {
  return { sensitive: changes.sensitive ?? row.sensitive, visibility: changes.visibility ?? row.visibility };
}

function visibilityOf(name: string): number {
  const known = MODERATED_VISIBILITIES.find((one) => one === name);
  if (known === undefined) throw unsupported();
  return Visibility[known];
}

/** The body that spec §7 fixes. */
function unsupported(): Invalid {
  return Invalid.plain('Unsupported visibility');
}
