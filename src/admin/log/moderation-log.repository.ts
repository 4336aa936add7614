import { Injectable } from '@nestjs/common';
import { MAX_LISTED } from '../../common/index.js';
import { columns, countUpTo, Database, UnitOfWork } from '../../platform/index.js';
import { type LogData, ModerationLogEntry } from './moderation-log.entity.js';

export interface LogFilter {
  readonly actorId?: string | undefined;
  /** A part of the message, without regard to case. */
  readonly search?: string | undefined;
  readonly from?: Date | undefined;
  /** The last moment. */
  readonly until?: Date | undefined;
  /** The first moment after. */
  readonly before?: Date | undefined;
}

export interface LogRow {
  readonly id: string;
  readonly data: LogData;
  readonly message: string;
  readonly createdAt: string;
}

/** All SQL on `moderation_log`. */
@Injectable()
export class ModerationLogRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  async insert(entry: Pick<ModerationLogEntry, 'actorId' | 'action' | 'message'> & { data: LogData }): Promise<void> {
    await this.uow.manager.insert(ModerationLogEntry, { ...entry, data: entry.data as object });
  }

  /** The newest entries first. Reads only ids of the entries before the page; planned for each filter. */
  page(filter: LogFilter, limit: number, offset: number): Promise<LogRow[]> {
    const { where, values } = conditions(filter);
    return this.db.query<LogRow>(
      `select ${columns(ModerationLogEntry, 'l', ['id', 'data', 'message', 'createdAt'])}
       from (select id from moderation_log ${where} order by id desc limit $1 offset $2) page
       join moderation_log l on l.id = page.id order by l.id desc`,
      [limit, offset, ...values],
    );
  }

  /** Up to {@link MAX_LISTED}. */
  async count(filter: LogFilter): Promise<number> {
    const { where, values } = conditions(filter, 1);
    const statement = `select ${countUpTo(MAX_LISTED, `moderation_log ${where}`)} as count`;
    const [row] = await this.db.query<{ count: number }>(statement, values);
    return row?.count ?? 0;
  }
}

/** Indexes: moderation_log_pkey, moderation_log_actor, moderation_log_time, moderation_log_words. */
function conditions(
  { actorId, search, from, until, before }: LogFilter,
  first = 3,
): { where: string; values: unknown[] } {
  const asked: [condition: string, value: unknown][] = [];
  if (actorId !== undefined) asked.push(['actor_id =', actorId]);
  if (from !== undefined) asked.push(['created_at >=', from]);
  if (until !== undefined) asked.push(['created_at <=', until]);
  if (before !== undefined) asked.push(['created_at <', before]);
  if (search) asked.push(['message ilike', `%${search.replace(/[\\%_]/g, String.raw`\$&`)}%`]);
  const texts = asked.map(([condition], at) => `${condition} $${at + first}`);
  return { where: texts.length > 0 ? `where ${texts.join(' and ')}` : '', values: asked.map(([, value]) => value) };
}
