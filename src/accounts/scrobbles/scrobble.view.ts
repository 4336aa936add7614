import { Injectable } from '@nestjs/common';
import { Json } from '../../common/index.js';
import { AccountView, type ViewContext } from '../rendering/account.view.js';
import type { ScrobbleRow } from './scrobble.repository.js';
import type { ScrobbleJson } from './scrobble.shape.js';

/** Scrobbles as JSON (spec §2.6). */
@Injectable()
export class ScrobbleView {
  constructor(private readonly accounts: AccountView) {}

  /** Leaves out scrobbles of accounts that were deleted meanwhile. */
  async many(rows: readonly ScrobbleRow[], context: ViewContext): Promise<Json[]> {
    const accounts = await this.accounts.many(
      rows.map((row) => row.accountId),
      context,
    );
    return rows.flatMap((row) => {
      const account = accounts.get(row.accountId);
      return account ? [Json.object({ ...fields(row), account })] : [];
    });
  }
}

function fields({
  id,
  title,
  artist,
  album,
  length,
  externalLink,
  createdAt,
}: ScrobbleRow): Omit<ScrobbleJson, 'account'> {
  return { id, title, artist, album, length, external_link: externalLink, externalLink, created_at: createdAt };
}
