import { Injectable } from '@nestjs/common';
import { type Auth, Json, keyBy } from '../../common/index.js';
import { type PageRow, type StatusJson, StatusView } from '../../statuses/index.js';
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
    const entries = await this.statuses.many(rows, { viewerId: accountId ?? '' });
    const statuses = entries.map((entry) => entry.parse() as StatusJson);
    const authors = keyBy(
      statuses.map(({ account }) => account),
      ({ id }) => id,
    );
    const json = new Map(Array.from(authors, ([id, account]) => [id, Json.of(account)]));
    const accounts = await this.merged.many(json, isAdmin);
    return statuses.map((status) => Json.of({ ...status, account: accounts.get(status.account.id)?.parse() }));
  }
}
