import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/index.js';

/** A member of the staff. */
export interface StaffMember {
  readonly id: string;
  readonly nickname: string;
  readonly apId: string;
  readonly isAdmin: boolean;
}

const visible = sql<StaffMember>(
  'staff.visible',
  `select accounts.id, accounts.nickname, accounts.ap_id as "apId", users.is_admin as "isAdmin"
   from users join accounts on accounts.id = users.account_id
   where (users.is_admin or users.is_moderator) and users.is_confirmed and users.is_approved
     and accounts.deactivated_at is null and accounts.show_role
   order by users.account_id`,
);

/** Reads the staff. */
@Injectable()
export class StaffRepository {
  constructor(private readonly db: Database) {}

  /** Active administrators and moderators who show it, the longest membership first. Index: users_staff. */
  visible(): Promise<StaffMember[]> {
    return this.db.rows(visible);
  }
}
