import { Injectable } from '@nestjs/common';
import { type AccountJson, ModeratedAccountsService } from '../../accounts/index.js';
import { Json, keyBy } from '../../common/index.js';
import { AdminUserView } from './admin-user.view.js';

/** Only administrators see these. */
const PRIVATE = { email: null, registration_reason: null } as const;

/** Accounts with the fields of admin users besides, as dashboards expect them in reports. */
@Injectable()
export class MergedAccountsView {
  constructor(
    private readonly accounts: ModeratedAccountsService,
    private readonly view: AdminUserView,
  ) {}

  /** One statement for any number. A deleted account stays as it is. */
  async many(rendered: ReadonlyMap<string, AccountJson>, isAdmin: boolean): Promise<Map<string, Json>> {
    const rows = rendered.size === 0 ? [] : await this.accounts.byIds([...rendered.keys()]);
    const byId = keyBy(rows, ({ id }) => id);
    return new Map(
      Array.from(rendered, ([id, account]) => {
        const row = byId.get(id);
        if (!row) return [id, Json.of(account)];
        const user = this.view.one(row);
        return [id, Json.of({ ...account, ...user, ...(isAdmin ? {} : PRIVATE) })];
      }),
    );
  }
}
