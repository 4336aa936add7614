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

/** What was decided about a new user. */
export type AdmissionStep = 'confirmed' | 'approved';

/** What takes effect now. */
export interface Arrival {
  readonly step: AdmissionStep | null;
  /** Whether the user may be used from now on. */
  readonly arrives: boolean;
}

const deletePending = sql<RejectedUser>(
  'users.delete_pending',
  `with pending as materialized (
     select account_id, email, locale from users u where account_id = $1 and ${NEEDS_APPROVAL} for update),
   gone as (delete from accounts a using pending p where a.id = p.account_id returning a.nickname)
   select gone.nickname, p.email, p.locale from gone, pending p`,
);

/** An approval replaces a confirmation: a user that is approved is not announced any more. */
const arrive = sql<Arrival>(
  'users.arrive',
  `update users u set late_step = case
     when a.deactivated_at is null then null when u.late_step = 'approved' then u.late_step else $2::text end
   from accounts a where u.account_id = $1 and a.id = u.account_id
   returning case when a.deactivated_at is null then $2::text end as step,
     u.is_confirmed and u.is_approved and a.deactivated_at is null as arrives`,
);

const arriveLate = sql<Arrival>(
  'users.arrive_late',
  `with late as materialized (
     select account_id, late_step from users where account_id = $1 and late_step is not null for update)
   update users u set late_step = null from late where u.account_id = late.account_id
   returning late.late_step as step, u.is_confirmed and u.is_approved as arrives`,
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

  /** What takes effect after a step, or after the sign-up (null); nothing yet for a deactivated user. */
  arrive(accountId: string, step: AdmissionStep | null): Promise<Arrival | undefined> {
    return this.db.first(arrive, [accountId, step]);
  }

  /** What waited for the activation of a user; it waits no longer. */
  arriveLate(accountId: string): Promise<Arrival | undefined> {
    return this.db.first(arriveLate, [accountId]);
  }

  /** Removes a user that was never approved, and the account. Returns what was removed. */
  deletePending(accountId: string): Promise<RejectedUser | undefined> {
    return this.db.first(deletePending, [accountId]);
  }
}
