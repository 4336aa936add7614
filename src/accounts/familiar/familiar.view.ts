import { Injectable } from '@nestjs/common';
import { type Static, Type } from 'typebox';
import { Described, FlakeId, groupBy, inOrder, Json, unique } from '../../common/index.js';
import { AccountShape } from '../model/account.shape.js';
import { AccountView } from '../rendering/account.view.js';
import { FamiliarRepository } from './familiar.repository.js';

/** The viewer's followees that follow the account with the id (reference FamiliarFollowers). */
export const FamiliarFollowersShape = Type.Object(
  {
    id: Described(FlakeId, 'The id of the account.'),
    accounts: Described(Type.Array(AccountShape), 'The followers of the account that the caller follows.'),
  },
  { additionalProperties: false, title: 'FamiliarFollowers' },
);

export type FamiliarFollowersJson = Static<typeof FamiliarFollowersShape>;

/**
 * The viewer's followees that follow an account, as JSON: one statement for any number of accounts, besides the bodies.
 */
@Injectable()
export class FamiliarView {
  constructor(
    private readonly repository: FamiliarRepository,
    private readonly accounts: AccountView,
  ) {}

  /** In the order of `ids`; hidden accounts are left out. */
  async many(viewerId: string, ids: readonly string[]): Promise<Json[]> {
    const wanted = unique(ids);
    if (wanted.length === 0) return [];
    const byTarget = groupBy(await this.repository.familiar(viewerId, wanted), ({ targetId }) => targetId);
    const followers = [...byTarget.values()].flat().filter(({ cursor }) => cursor !== null);
    const rendered = await this.accounts.render(followers, { viewerId });
    return wanted.flatMap((id) => {
      const rows = byTarget.get(id);
      const accounts = rows?.filter(({ cursor }) => cursor !== null).map((row) => row.id);
      return accounts ? [Json.object({ id, accounts: inOrder(accounts, rendered) })] : [];
    });
  }
}
