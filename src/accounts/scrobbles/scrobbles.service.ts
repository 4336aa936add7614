import { Injectable } from '@nestjs/common';
import { Page, type PageQuery, Unprocessable } from '../../common/index.js';
import { bigintKeyset, newestFirst, UnitOfWork } from '../../platform/index.js';
import { type NewScrobble, ScrobbleRepository, type ScrobbleRow } from './scrobble.repository.js';

/** What is kept of each account. */
const KEPT = 1_000;

/** What people listened to (spec §2.6, §4.2; deprecated). */
@Injectable()
export class ScrobblesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly scrobbles: ScrobbleRepository,
  ) {}

  /** Notes what somebody listens to; of each account the newest thousand are kept. Throws Unprocessable for a link that is none. */
  add(accountId: string, scrobble: NewScrobble): Promise<ScrobbleRow> {
    if (scrobble.externalLink !== '') requireLink(scrobble.externalLink);
    return this.uow.run(async () => {
      const row = await this.scrobbles.insert(accountId, scrobble);
      await this.scrobbles.keepNewest(accountId, KEPT);
      return row;
    });
  }

  /** What an account listened to, as far as the viewer may know, the latest first. */
  async list(accountId: string, query: PageQuery, viewerId = ''): Promise<Page<ScrobbleRow>> {
    const keyset = bigintKeyset(query);
    const rows = newestFirst(await this.scrobbles.page(accountId, viewerId, keyset, query.offset), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.id, last: last.id });
  }
}

function requireLink(link: string): void {
  const protocol = URL.parse(link)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:') throw new Unprocessable('external_link must be an address');
}
