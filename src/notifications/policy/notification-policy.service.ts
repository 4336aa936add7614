import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { cursorPage, NotFound, type Page, type PageQuery } from '../../common/index.js';
import { bigintKeyset, isBigintId, UnitOfWork } from '../../platform/index.js';
import { type NotificationPolicy, policyOf, type PolicySummary, settingsOf } from '../model/policy.js';
import { NotificationRequestRepository } from './notification-request.repository.js';
import type { RequestRow } from './notification-request.sql.js';

/** Maximum number of requests that are counted, as in the reference. */
const COUNTED = 100;

/** A request as the cursor of its page. */
export type PagedRequest = RequestRow & { readonly cursor: string };

/** The policies of receivers, and the requests that they lead to (reference). Another's request is unknown: 404. */
@Injectable()
export class NotificationPolicyService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly users: UsersService,
    private readonly requests: NotificationRequestRepository,
  ) {}

  async show(receiverId: string): Promise<PolicySummary> {
    const [settings, counts] = await Promise.all([
      this.users.notificationSettings(receiverId),
      this.requests.counts(receiverId, COUNTED),
    ]);
    return { policy: policyOf(settings), ...counts };
  }

  /** Changes the policy; absent fields stay. It holds for the notifications that follow. */
  async change(receiverId: string, changes: Partial<NotificationPolicy>): Promise<PolicySummary> {
    await this.users.changeNotificationSettings(receiverId, settingsOf(changes));
    return this.show(receiverId);
  }

  /** A page, newest first. */
  async page(receiverId: string, query: PageQuery): Promise<Page<PagedRequest>> {
    const rows = await this.requests.page(receiverId, bigintKeyset(query));
    return cursorPage(rows.map((row) => ({ ...row, cursor: row.id })));
  }

  /** @throws NotFound */
  async one(receiverId: string, id: string): Promise<RequestRow> {
    const request = isBigintId(id) ? await this.requests.one(receiverId, id) : undefined;
    if (!request) throw new NotFound();
    return request;
  }

  /**
   * Lists the notifications of the account, now and henceforth.
   * @throws NotFound
   */
  async accept(receiverId: string, id: string): Promise<void> {
    if ((await this.acceptMany(receiverId, [id])) === 0) throw new NotFound();
  }

  /** Ignores unknown ids; returns the number of requests. */
  acceptMany(receiverId: string, ids: readonly string[]): Promise<number> {
    return this.uow.run(() => this.requests.accept(receiverId, ids.filter(isBigintId)));
  }

  /**
   * Removes the request and its notifications.
   * @throws NotFound
   */
  async dismiss(receiverId: string, id: string): Promise<void> {
    if ((await this.dismissMany(receiverId, [id])) === 0) throw new NotFound();
  }

  /** Ignores unknown ids; returns the number of requests. */
  dismissMany(receiverId: string, ids: readonly string[]): Promise<number> {
    return this.uow.run(() => this.requests.remove(receiverId, ids.filter(isBigintId)));
  }
}
