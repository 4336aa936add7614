import { Injectable } from '@nestjs/common';
import { type Auth, Json, keyBy } from '../../common/index.js';
import { type PageRow, StatusView } from '../../statuses/index.js';
import { MergedAccountsView } from '../users/merged-accounts.view.js';

/** Statuses whose authors have the fields of admin users besides, as dashboards expect them. */
@Injectable()
export class AdminStatusView {
  constructor(
    private readonly statuses: StatusView,
    private readonly merged: MergedAccountsView,
  ) {}

  /** One statement more than the lists of apps, for any number. */
  async many(rows: readonly PageRow[], { accountId, isAdmin }: Auth): Promise<Json[]> {
    const statuses = await this.statuses.objects(rows, { viewerId: accountId ?? '' });
    const authors = keyBy(
      statuses.map(({ account }) => account),
      ({ id }) => id,
    );
    const accounts = await this.merged.many(authors, isAdmin);
    return statuses.map((status) => Json.object({ ...status, account: accounts.get(status.account.id) }));
  }
}
