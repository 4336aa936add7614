import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountsService, acctOf } from '../../accounts/index.js';
import { listedTotal } from '../../common/index.js';
import { type Actor, type LogWriter, ModerationLog } from '../../config/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { LogActor, LogSubject } from './moderation-log.entity.js';
import { messageOf, type ModerationAction } from './moderation-log.messages.js';
import { type LogFilter, ModerationLogRepository, type LogRow } from './moderation-log.repository.js';

/** The operator: who holds the admin token or sits at the command line. */
export const OPERATOR: Actor = { accountId: null };

const OPERATOR_IN_LOG: LogActor = { id: null, nickname: 'operator', type: 'operator' };

/** The log of what the staff did (spec §4.1.5, threat A9). Implements the port {@link ModerationLog}. */
@Injectable()
export class ModerationLogService implements OnModuleInit, LogWriter {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: AccountsService,
    private readonly entries: ModerationLogRepository,
    private readonly port: ModerationLog,
  ) {}

  onModuleInit(): void {
    this.port.use(this);
  }

  /**
   * Writes one entry into the open unit of work, so that an action that fails leaves none. `data` is shown to all
   * administrators: no secrets.
   */
  async record(
    actor: Actor,
    action: ModerationAction,
    subject: LogSubject | readonly LogSubject[],
    data: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    if (!this.uow.isOpen) throw new Error('An entry of the moderation log needs the unit of work of its action');
    const who = await this.actor(actor);
    const subjects = 'type' in subject ? [subject] : subject;
    const entry = { ...data, actor: who, action, subject: subjects };
    await this.entries.insert({ actorId: who.id, action, data: entry, message: messageOf(entry) });
  }

  /** A page of entries, the newest first, and how many there are. */
  async page(filter: LogFilter, limit: number, offset: number): Promise<{ rows: LogRow[]; total: number }> {
    const [rows, counted] = await Promise.all([this.entries.page(filter, limit, offset), this.entries.count(filter)]);
    return { rows, total: listedTotal(counted, { limit, offset, found: rows.length }) };
  }

  private async actor({ accountId }: Actor): Promise<LogActor> {
    const account = accountId === null ? undefined : await this.accounts.byId(accountId);
    return account
      ? { id: account.id, nickname: acctOf(account.nickname, account.domain), type: 'user' }
      : OPERATOR_IN_LOG;
  }
}
