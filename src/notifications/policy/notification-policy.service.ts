import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/index.js';
import { cursorPage, NotFound, type Page, type PageQuery } from '../../common/index.js';
import {
  BIGINT_LAST,
  bigintKeyset,
  Handles,
  isBigintId,
  job,
  Jobs,
  remainderOf,
  skipped,
  UnitOfWork,
  walkDown,
} from '../../platform/index.js';
import { type NotificationPolicy, policyOf, type PolicySummary, settingsOf } from '../model/policy.js';
import { NotificationRequestRepository, type RequestDecision } from './notification-request.repository.js';
import type { RequestRow } from './notification-request.sql.js';

/** Maximum number of requests that are counted, as in the reference. */
const COUNTED = 100;

/** Accounts whose requests were accepted or dismissed, and the newest of their notifications that are meant. */
interface DecidedRequests {
  readonly decision: RequestDecision;
  readonly receiverId: string;
  readonly fromIds: readonly string[];
  readonly upTo: string;
}

/** Lists or removes the filtered notifications of accounts up to an id. */
export const DecideFiltered = job<DecidedRequests>('notification-requests.decide', 'notify');

/** A request as the cursor of its page. */
export type PagedRequest = RequestRow & { readonly cursor: string };

/** The policies of receivers, and the requests that they lead to (reference). Another's request is unknown: 404. */
@Injectable()
export class NotificationPolicyService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
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
    const rows = await skipped(query, bigintKeyset(query), (keyset) => this.requests.page(receiverId, keyset));
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
    return this.decide('accept', receiverId, ids);
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
    return this.decide('dismiss', receiverId, ids);
  }

  /** Lists or removes what {@link decide} left, an account at a time. Safe to run twice. */
  @Handles(DecideFiltered)
  async decideRest({ decision, receiverId, fromIds, upTo: first }: DecidedRequests): Promise<void> {
    for (const fromId of fromIds) {
      await walkDown(first, (upTo) => this.requests.decideFiltered(decision, receiverId, [fromId], upTo));
    }
  }

  /** Decides with the newest notifications; a job does so with those that are too many for the request. */
  private decide(decision: RequestDecision, receiverId: string, ids: readonly string[]): Promise<number> {
    return this.uow.run(async () => {
      const fromIds = await this.requests.decide(decision, receiverId, ids.filter(isBigintId));
      const upTo = remainderOf(await this.requests.decideFiltered(decision, receiverId, fromIds, BIGINT_LAST));
      if (upTo !== undefined) this.jobs.enqueue(DecideFiltered, { decision, receiverId, fromIds, upTo });
      return fromIds.length;
    });
  }
}
