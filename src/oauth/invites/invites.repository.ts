import { Injectable } from '@nestjs/common';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { Invite } from './invite.entity.js';

/** The invites that still let people in. One with neither limit is for one person. */
const VALID = `ended_at is null and coalesce(expires_at, 'infinity') >= (now() at time zone 'utc')::date`;
/** How long an invite that has ended stays in the list. */
const LISTED = `interval '90 days'`;
const MOST_LISTED = 1_000;

/** All SQL on `invites`. */
@Injectable()
export class InvitesRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  insert(invite: Pick<Invite, 'tokenHash' | 'tokenSealed' | 'maxUse' | 'expiresAt'>): Promise<Invite> {
    return this.uow.manager.save(Invite, invite);
  }

  /** The newest invites. */
  list(): Promise<Invite[]> {
    return this.uow.manager.find(Invite, { order: { id: 'DESC' }, take: MOST_LISTED });
  }

  find(where: Partial<Pick<Invite, 'id' | 'tokenHash'>>): Promise<Invite | null> {
    return this.uow.manager.findOneBy(Invite, where);
  }

  async isValid(tokenHash: Buffer): Promise<boolean> {
    return (await this.db.query(`select 1 from invites where token_hash = $1 and ${VALID}`, [tokenHash])).length > 0;
  }

  /**
   * Uses an invite once; false when it is not valid any more. The row stays locked until the open unit of work ends, so
   * that of several sign-ups at once no more than `max_use` pass (threat A10).
   */
  async use(tokenHash: Buffer): Promise<boolean> {
    const rows = await this.db.query(
      `update invites set uses = uses + 1, ended_at = case
         when uses + 1 >= coalesce(max_use, case when expires_at is null then 1 end) then now() end
       where token_hash = $1 and ${VALID} returning 1`,
      [tokenHash],
    );
    return rows.length === 1;
  }

  /** Ends an invite; nothing happens when it has ended. */
  async end(tokenHash: Buffer): Promise<void> {
    await this.db.query(`update invites set ended_at = now() where token_hash = $1 and ended_at is null`, [tokenHash]);
  }

  /** Removes invites that ended long ago. */
  async purge(): Promise<void> {
    const where = `least(ended_at, expires_at::timestamp at time zone 'utc') < now() - ${LISTED}`;
    await purge(this.db, { table: 'invites', where, by: 'id' });
  }
}
