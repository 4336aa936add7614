import { Injectable } from '@nestjs/common';
import { columns, Database, sql, UnitOfWork } from '../../platform/index.js';
import { User } from '../model/account.entities.js';
import { NEEDS_APPROVAL } from '../model/account.sql.js';

/** A filter of users; all given conditions must hold. */
export interface UserFilter {
  /** The user waits for approval. */
  readonly pending?: boolean | undefined;
  /** The user has not confirmed its e-mail address. */
  readonly unconfirmed?: boolean | undefined;
  readonly deactivated?: boolean | undefined;
  /** Administrators and moderators. */
  readonly staff?: boolean | undefined;
  /** A part of the nickname or of the e-mail address. */
  readonly query?: string | undefined;
  readonly limit: number;
}

/** A user as the staff sees it. */
export interface ListedUser {
  readonly id: string;
  readonly nickname: string;
  readonly email: string | null;
  readonly isAdmin: boolean;
  readonly isModerator: boolean;
  readonly isApproved: boolean;
  readonly isConfirmed: boolean;
  readonly isDeactivated: boolean;
  readonly registrationReason: string;
  readonly createdAt: string;
}

/** A user that was removed before it was approved. */
export interface RejectedUser {
  readonly nickname: string;
  readonly email: string | null;
  readonly locale: string | null;
}

const deletePending = sql<RejectedUser>(
  'users.delete_pending',
  `with pending as materialized (
     select account_id, email, locale from users u where account_id = $1 and ${NEEDS_APPROVAL} for update),
   gone as (delete from accounts a using pending p where a.id = p.account_id returning a.nickname)
   select gone.nickname, p.email, p.locale from gone, pending p`,
);

const arrive = sql<{ arrives: boolean }>(
  'users.arrive',
  `update users u set arrives_later = a.deactivated_at is not null from accounts a
   where u.account_id = $1 and a.id = u.account_id and u.is_confirmed and u.is_approved
   returning not u.arrives_later as arrives`,
);

/** SQL on the admission of users. */
@Injectable()
export class UserAdmissionRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The newest users that match. Index: users_pkey, from its end. */
  list({ pending, unconfirmed, deactivated, staff, query, limit }: UserFilter): Promise<ListedUser[]> {
    const conditions = [
      ...(pending ? [NEEDS_APPROVAL] : []),
      ...(unconfirmed ? ['not u.is_confirmed'] : []),
      ...(deactivated ? ['a.deactivated_at is not null'] : []),
      ...(staff ? ['(u.is_admin or u.is_moderator)'] : []),
    ];
    return this.db.query(
      `select a.id, a.nickname, ${columns(User, 'u', ['email', 'isAdmin', 'isModerator', 'isApproved', 'isConfirmed'])},
         a.deactivated_at is not null as "isDeactivated",
         u.registration_reason as "registrationReason", u.created_at as "createdAt"
       from users u join accounts a on a.id = u.account_id
       where ($2 = '' or strpos(lower(a.nickname), lower($2)) > 0 or strpos(lower(u.email), lower($2)) > 0)
         ${conditions.map((condition) => `and ${condition}`).join(' ')}
       order by u.account_id desc limit $1`,
      [limit, query ?? ''],
    );
  }

  /** Approves a user; false when it was approved already. */
  async approve(accountId: string): Promise<boolean> {
    const waiting = { accountId, isApproved: false };
    return (await this.uow.manager.update(User, waiting, { isApproved: true })).affected === 1;
  }

  /** Confirms the e-mail address of a user; false when it was confirmed already. */
  async confirm(accountId: string): Promise<boolean> {
    const waiting = { accountId, isConfirmed: false };
    return (await this.uow.manager.update(User, waiting, { isConfirmed: true })).affected === 1;
  }

  /** Whether a user that was just confirmed or approved arrives now; one that is deactivated arrives later. */
  async arrive(accountId: string): Promise<boolean> {
    return (await this.db.first(arrive, [accountId]))?.arrives === true;
  }

  /** Whether the arrival of a user waited for its activation; it waits no longer. */
  async arriveLate(accountId: string): Promise<boolean> {
    const waiting = { accountId, arrivesLater: true };
    return (await this.uow.manager.update(User, waiting, { arrivesLater: false })).affected === 1;
  }

  /** Removes a user that was never approved, and the account. Returns what was removed. */
  deletePending(accountId: string): Promise<RejectedUser | undefined> {
    return this.db.first(deletePending, [accountId]);
  }
}
