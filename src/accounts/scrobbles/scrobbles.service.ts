import { Injectable } from '@nestjs/common';
import { Page, type PageQuery, Unprocessable } from '../../common/index.js';
import { bigintKeyset, Events, newestFirst, parseUrl, UnitOfWork } from '../../platform/index.js';
import { Scrobbled } from '../model/accounts.events.js';
import { FOR_FOLLOWERS } from '../model/visibility-classes.js';
import { type NewScrobble, type RemoteListen, ScrobbleRepository, type ScrobbleRow } from './scrobble.repository.js';

/** Scrobbles that each account keeps. */
const KEPT = 1_000;

/** Scrobbles: tracks that accounts listened to (spec §2.6, §4.2; deprecated). */
@Injectable()
export class ScrobblesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly scrobbles: ScrobbleRepository,
  ) {}

  /** Stores a scrobble and drops all but the account's newest thousand. Throws Unprocessable for an invalid link. */
  add(accountId: string, scrobble: NewScrobble): Promise<ScrobbleRow> {
    if (scrobble.externalLink !== '') requireLink(scrobble.externalLink);
    return this.uow.run(async () => {
      const row = await this.scrobbles.insert(accountId, scrobble);
      await this.scrobbles.deleteOlder(accountId, KEPT);
      if (FOR_FOLLOWERS.includesName(scrobble.visibility)) this.events.emit(new Scrobbled(row.id, accountId));
      return row;
    });
  }

  /** Stores once what an account of another server listens to. Its texts and its link are checked already. */
  async receive(accountId: string, scrobble: NewScrobble, listen: RemoteListen): Promise<void> {
    await this.uow.run(async () => {
      if (await this.scrobbles.insertRemote(accountId, scrobble, listen))
        await this.scrobbles.deleteOlder(accountId, KEPT);
    });
  }

  /** The scrobbles of an account that the viewer may see, latest first. */
  async list(accountId: string, query: PageQuery, viewerId = ''): Promise<Page<ScrobbleRow>> {
    const keyset = bigintKeyset(query);
    const rows = newestFirst(await this.scrobbles.page(accountId, viewerId, keyset, query.offset), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.id, last: last.id });
  }
}

function requireLink(link: string): void {
  const protocol = parseUrl(link)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') throw new Unprocessable('external_link must be an address');
}
