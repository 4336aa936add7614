import { Injectable } from '@nestjs/common';
import { IsNull, Raw } from 'typeorm';
import { MAX_UNPAGED } from '../../common/index.js';
import { Database, purge, UnitOfWork } from '../../platform/index.js';
import { Invite } from './invite.entity.js';

/** The invites that still let people in. One with neither limit is for one person. */
const VALID = {
  endedAt: IsNull(),
  expiresAt: Raw((day) => `coalesce(${day}, 'infinity') >= (now() at time zone 'utc')::date`),
};
/** A use ends the invite when it was the last one. */
const USED = {
  uses: () => 'uses + 1',
  endedAt: () => 'case when uses + 1 >= coalesce(max_use, case when expires_at is null then 1 end) then now() end',
};
/** How long an invite that has ended stays in the list. */
const LISTED = `interval '90 days'`;

/** All SQL on `invites`. */
@Injectable()
export class InvitesRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async insert(invite: Pick<Invite, 'tokenHash' | 'tokenSealed' | 'maxUse' | 'expiresAt'>): Promise<Invite> {
    const row = this.uow.manager.create(Invite, { ...invite, endedAt: null });
    await this.uow.manager.insert(Invite, row);
    return row;
  }

  /** The newest invites. */
  list(): Promise<Invite[]> {
    return this.uow.manager.find(Invite, { order: { id: 'DESC' }, take: MAX_UNPAGED });
  }

  find(where: Partial<Pick<Invite, 'id' | 'tokenHash'>>): Promise<Invite | null> {
    return this.uow.manager.findOneBy(Invite, where);
  }

  isValid(tokenHash: Buffer): Promise<boolean> {
    return this.uow.manager.existsBy(Invite, { tokenHash, ...VALID });
  }

  /**
   * Uses an invite once; false when it is not valid any more. The row stays locked until the open unit of work ends, so
   * that of several sign-ups at once no more than `max_use` pass (threat A10).
   */
  async use(tokenHash: Buffer): Promise<boolean> {
    return (await this.uow.manager.update(Invite, { tokenHash, ...VALID }, USED)).affected === 1;
  }

  /** Ends an invite; nothing happens when it has ended. */
  async end(tokenHash: Buffer): Promise<void> {
    await this.uow.manager.update(Invite, { tokenHash, endedAt: IsNull() }, { endedAt: () => 'now()' });
  }

  /** Removes invites that ended long ago. */
  async purge(): Promise<void> {
    const where = `least(ended_at, expires_at::timestamp at time zone 'utc') < now() - ${LISTED}`;
    await purge(this.db, { table: 'invites', where, by: 'id' });
  }
}
