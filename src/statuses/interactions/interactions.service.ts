import { Injectable } from '@nestjs/common';
import { type AccountRow, LOCAL, type Origin, uriOf } from '../../accounts/index.js';
import {
  cursorPage,
  Forbidden,
  Page,
  type PageQuery,
  Unprocessable,
  translateForeignKeyViolation,
} from '../../common/index.js';
import { StatusPolicies } from '../compose/status-policies.port.js';
import { AnonymousAccess, Settings } from '../../config/index.js';
import { bigintKeyset, Events, flakeKeyset, newestFirst, UnitOfWork } from '../../platform/index.js';
import { type FavouriteRow, type GivenRow, InteractionsRepository } from './interactions.repository.js';
import { StatusCounters } from '../counters/status.counters.js';
import { type ReblogVisibility, type RemoteReblog, StatusWriter } from '../compose/status.writer.js';
import type { StatusRow } from '../core/status.repository.js';
import { Favourited, Unfavourited } from '../model/statuses.events.js';
import { actionOn, type Removal, StatusesService } from '../core/statuses.service.js';
import { OPEN_TO_USERS, FOLLOWERS_ONLY } from '../model/visibility.js';

/** Favourites and boosts statuses, and lists both. Repeating an action changes nothing. */
@Injectable()
export class InteractionsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly settings: Settings,
    private readonly anonymous: AnonymousAccess,
    private readonly statuses: StatusesService,
    private readonly policies: StatusPolicies,
    private readonly writer: StatusWriter,
    private readonly repository: InteractionsRepository,
    private readonly counters: StatusCounters,
  ) {}

  /**
   * Favourites a post; for a boost, the boosted post. Returns the id of the post.
   * @throws NotFound, Forbidden when the account may not see the status or interact with it
   */
  async favourite(id: string, accountId: string, origin: Origin = LOCAL): Promise<string> {
    const status = await this.statuses.requireInteractable(id, accountId, origin);
    const unit = this.uow.run(async () => {
      if (!(await this.repository.favourite(accountId, status.id, uriOf(origin)))) return;
      this.counters.add(status.id, 'favourites', 1);
      this.events.emit(new Favourited(actionOn(status, accountId, origin)));
    });
    await translateForeignKeyViolation(unit);
    return status.id;
  }

  /** A favourite or reaction of a remote account, by the id of its activity. */
  findGiven(uri: string, accountId: string): Promise<GivenRow | undefined> {
    return this.repository.findGiven(uri, accountId);
  }

  async unfavourite(id: string, accountId: string, origin: Origin = LOCAL): Promise<Removal> {
    const status = await this.statuses.requireRetractable(id, accountId, origin);
    return this.uow.run(async () => {
      const wasCounted = await this.repository.unfavourite(accountId, status.id);
      const removed = wasCounted !== undefined;
      if (wasCounted) this.counters.add(status.id, 'favourites', -1);
      if (removed) {
        this.events.emit(new Unfavourited(actionOn(status, accountId, origin)));
      }
      return { statusId: status.id, removed };
    });
  }

  /**
   * Boosts a post; returns the id of the new or the earlier boost.
   * @throws Unprocessable for direct posts, for followers-only posts of other accounts, and here for posts of authors whom
   * the policies refuse
   */
  async reblog(id: string, accountId: string, wanted?: ReblogVisibility, remote?: RemoteReblog): Promise<string> {
    const origin: Origin = remote ? { kind: 'remote', uri: remote.uri } : LOCAL;
    const status = await this.statuses.requireInteractable(id, accountId, origin);
    if (!mayReblog(status, accountId)) throw new Unprocessable('Could not repeat');
    if (!remote) await this.policies.requireAuthorAccepted(status);
    return translateForeignKeyViolation(this.uow.run(() => this.writer.reblog(accountId, status, wanted, remote)));
  }

  /** Removes a boost; returns the id of the post. */
  async unreblog(id: string, accountId: string): Promise<string> {
    const status = await this.statuses.visible(id, accountId);
    await this.statuses.removeReblog(status.id, accountId);
    return status.id;
  }

  /**
   * Ids of the accounts that favourited a status, the latest first; none while `instance.show_reactions` is off. The viewer
   * must be allowed to see the status.
   */
  async favouritedBy(id: string, query: PageQuery, viewerId = ''): Promise<Page<string>> {
    const status = await this.statuses.visible(id, viewerId);
    if (!this.settings.get('instance.show_reactions')) return new Page<string>([], undefined);
    const keyset = bigintKeyset(query);
    const listed = this.anonymous.listedProfiles(viewerId);
    const rows = await this.repository.favouritedBy(status.id, viewerId, keyset, query.offset, listed);
    return cursorPage(newestFirst(rows, keyset)).map((row) => row.accountId);
  }

  /** Ids of the accounts that boosted a status, the latest first. The viewer must be allowed to see the status. */
  async rebloggedBy(id: string, query: PageQuery, viewerId = ''): Promise<Page<string>> {
    const status = await this.statuses.visible(id, viewerId);
    const keyset = flakeKeyset(query);
    const listed = this.anonymous.listedProfiles(viewerId);
    const rows = await this.repository.rebloggedBy(status.id, viewerId, keyset, query.offset, listed);
    return cursorPage(newestFirst(rows, keyset)).map((row) => row.accountId);
  }

  /** The account's favourites, the latest first. */
  async favourites(accountId: string, query: PageQuery): Promise<FavouriteRow[]> {
    const keyset = bigintKeyset(query);
    return newestFirst(await this.repository.favourites(accountId, keyset, query.offset), keyset);
  }

  /**
   * The favourites of another account that the viewer may see, the latest first.
   * @throws Forbidden when the account hides them from others (spec §4.2)
   */
  async favouritesOf(account: AccountRow, query: PageQuery, viewerId = ''): Promise<FavouriteRow[]> {
    if (account.id === viewerId) return this.favourites(viewerId, query);
    if (account.hideFavorites) throw new Forbidden("Can't get favorites");
    const keyset = bigintKeyset(query);
    return newestFirst(await this.repository.favouritesOfAnother(account.id, viewerId, keyset, query.offset), keyset);
  }
}

/** Only its author may boost a followers-only post, to the same followers. */
function mayReblog({ visibility, authorId }: StatusRow, accountId: string): boolean {
  return OPEN_TO_USERS.includes(visibility) || (FOLLOWERS_ONLY.includes(visibility) && authorId === accountId);
}
