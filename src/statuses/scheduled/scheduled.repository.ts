import { Injectable } from '@nestjs/common';
import { type AttachmentRow, scheduledAttachmentsOf } from '../../media/index.js';
import { Raw } from 'typeorm';
import { columns, Database, type Keyset, sql, UnitOfWork } from '../../platform/index.js';
import { ScheduledStatus } from './scheduled.entity.js';
import type { ComposeOptions } from '../compose/draft.js';

/** A scheduled post with its uploads. */
export interface ScheduledRow {
  readonly id: string;
  readonly scheduledAt: string;
  readonly options: ComposeOptions;
  readonly appId: string | null;
  readonly attachments: readonly AttachmentRow[] | null;
}

/** A scheduled post that is due. */
export interface DueRow {
  readonly accountId: string;
  readonly appId: string | null;
  readonly options: ComposeOptions;
}

const COLUMNS = `${columns(ScheduledStatus, 's', ['id', 'scheduledAt', 'options', 'appId'])},
  ${scheduledAttachmentsOf('s.id')} as attachments`;

const counts = sql<{ total: number; ofDay: number }>(
  'scheduled.counts',
  `select count(*)::int as total, count(*) filter (
     where (scheduled_at at time zone 'UTC')::date = ($2::timestamptz at time zone 'UTC')::date)::int as "ofDay"
   from scheduled_statuses where account_id = $1 and id <> $3`,
);

const page = {
  older: sql<ScheduledRow>(
    'scheduled.page.older',
    `select ${COLUMNS} from scheduled_statuses s where s.account_id = $1 and s.id < $2 and s.id > $3
     order by s.id desc limit $4 offset $5`,
  ),
  newer: sql<ScheduledRow>(
    'scheduled.page.newer',
    `select ${COLUMNS} from scheduled_statuses s where s.account_id = $1 and s.id < $2 and s.id > $3
     order by s.id asc limit $4 offset $5`,
  ),
};

const own = sql<ScheduledRow>(
  'scheduled.own',
  `select ${COLUMNS} from scheduled_statuses s where s.id = $1 and s.account_id = $2`,
);

const due = sql<DueRow>(
  'scheduled.due',
  `select s.account_id as "accountId", s.app_id as "appId", s.options
   from scheduled_statuses s join accounts a on a.id = s.account_id
   where s.id = $1 and s.scheduled_at <= now() and a.deactivated_at is null`,
);

const isDue = Raw((scheduledAt) => `${scheduledAt} <= now()`);

// Index: scheduled_statuses_account.
const removeSome = sql<{ id: string }>(
  'scheduled.remove_some',
  `delete from scheduled_statuses where id in (
     select id from scheduled_statuses where account_id = $1 order by id desc limit $2) returning id`,
);

/** All SQL on `scheduled_statuses`. Ids are checked texts of `bigint`. */
@Injectable()
export class ScheduledRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** Counts the author's other scheduled posts, in all and on the day (UTC). */
  async counts(accountId: string, day: Date, exceptId = '0'): Promise<{ total: number; ofDay: number }> {
    return (await this.db.first(counts, [accountId, day, exceptId])) ?? { total: 0, ofDay: 0 };
  }

  async insert(accountId: string, appId: string | null, scheduledAt: Date, options: ComposeOptions): Promise<string> {
    const status = { accountId, appId, scheduledAt, options: options as object };
    const { identifiers } = await this.uow.manager.insert(ScheduledStatus, status);
    return (identifiers[0] as Pick<ScheduledStatus, 'id'>).id;
  }

  page(accountId: string, { direction, below, above, limit }: Keyset, offset: number): Promise<ScheduledRow[]> {
    return this.db.rows(page[direction], [accountId, below, above, limit, offset]);
  }

  own(id: string, accountId: string): Promise<ScheduledRow | undefined> {
    return this.db.first(own, [id, accountId]);
  }

  /** Returns false when the account does not own it, or when it was posted meanwhile. */
  async move(id: string, accountId: string, scheduledAt: Date): Promise<boolean> {
    return (await this.uow.manager.update(ScheduledStatus, { id, accountId }, { scheduledAt })).affected === 1;
  }

  /** Returns false when the account does not own it, or when it was posted meanwhile. */
  async remove(id: string, accountId: string): Promise<boolean> {
    return (await this.uow.manager.delete(ScheduledStatus, { id, accountId })).affected === 1;
  }

  /** The post if it is due; undefined when it was deleted or postponed, or when its author is deactivated. */
  due(id: string): Promise<DueRow | undefined> {
    return this.db.first(due, [id]);
  }

  /** Ids of an account's overdue posts, the earliest first. Index: scheduled_statuses_account. */
  async overdue(accountId: string): Promise<string[]> {
    const found = await this.uow.manager.find(ScheduledStatus, {
      select: { id: true },
      where: { accountId, scheduledAt: isDue },
      order: { scheduledAt: 'ASC', id: 'ASC' },
    });
    return found.map(({ id }) => id);
  }

  /** Deletes some of an account's scheduled posts; returns their ids. */
  async removeSome(accountId: string, limit: number): Promise<string[]> {
    return (await this.db.rows(removeSome, [accountId, limit])).map(({ id }) => id);
  }

  /** Deletes a due post, which releases its uploads. Returns false when it was already taken, or was postponed. */
  async claim(id: string): Promise<boolean> {
    return (await this.uow.manager.delete(ScheduledStatus, { id, scheduledAt: isDue })).affected === 1;
  }
}
