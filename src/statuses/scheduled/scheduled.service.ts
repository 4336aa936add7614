import { Injectable, Logger } from '@nestjs/common';
import {
  DomainError,
  Idempotency,
  Invalid,
  momentOf,
  NotFound,
  Page,
  type PageQuery,
  Unprocessable,
} from '../../common/index.js';
import { AttachmentsService } from '../../media/index.js';
import {
  bigintKeyset,
  done,
  Handles,
  isBigintId,
  job,
  Jobs,
  newestFirst,
  type Outcome,
  OwnerLocks,
  repeatSlices,
  skip,
  Subscribes,
  UnitOfWork,
} from '../../platform/index.js';
import { AccountActivated, type LocalOrigin } from '../../accounts/index.js';
import { ComposeService } from '../compose/compose.service.js';
import type { ComposeOptions } from '../compose/draft.js';
import { DraftsService } from '../compose/drafts.service.js';
import { ScheduledRepository, type ScheduledRow } from './scheduled.repository.js';

/** Publishes a scheduled post at the time its author chose. */
export const PublishScheduled = job<{ scheduledId: string }>('statuses.post-scheduled', 'timed');

/** The minimum time until a scheduled post, in milliseconds. */
const SOONEST_MS = 5 * 60_000;
/** Maximum number of scheduled posts of one author, for one day and in all. */
const MOST_OF_A_DAY = 25;
const MOST = 300;
/** Number of scheduled posts that one unit of work deletes. */
const BATCH = 100;
/** The route in the idempotency keys. */
const ROUTE = 'POST /api/v1/statuses (scheduled)';
/** The route under which the post is stored that a scheduled post became; the key is the id of the scheduled post. */
const PUBLISHED = 'statuses.post-scheduled';

/** Manages scheduled posts (reference ScheduledStatus; spec §10.14). Responds with 404 to everyone but the author. */
@Injectable()
export class ScheduledService {
  private readonly logger = new Logger(ScheduledService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly idempotency: Idempotency,
    private readonly drafts: DraftsService,
    private readonly compose: ComposeService,
    private readonly attachments: AttachmentsService,
    private readonly repository: ScheduledRepository,
    private readonly locks: OwnerLocks,
  ) {}

  /**
   * Schedules a post. For a key that the author has used before, returns the earlier one.
   * @throws what {@link DraftsService.draft} throws; Invalid for an invalid time; Unprocessable for a time that is past or
   * too near, and when the author has too many scheduled posts
   */
  async schedule(
    authorId: string,
    options: ComposeOptions,
    { appId }: LocalOrigin,
    scheduledAt: string,
    idempotencyKey?: string,
  ): Promise<{ id: string; replayed: boolean }> {
    const checked = await this.idempotency.checked(authorId, idempotencyKey, ROUTE, async () => {
      const time = timeIn(scheduledAt);
      if (!isFarEnough(time)) throw new Unprocessable('Scheduled At must be in the future');
      await this.drafts.draft(authorId, options);
      return time;
    });
    if ('earlier' in checked) return { id: checked.earlier, replayed: true };
    return this.uow.run(async () => {
      const store = () => this.store(authorId, options, appId, checked.value);
      if (idempotencyKey === undefined) return { id: await store(), replayed: false };
      const { ref, replayed } = await this.idempotency.once(authorId, idempotencyKey, ROUTE, store);
      return { id: ref, replayed };
    });
  }

  /** A page of the account's scheduled posts, the latest created first. */
  async page(accountId: string, query: PageQuery): Promise<Page<ScheduledRow>> {
    const keyset = bigintKeyset(query);
    const rows = newestFirst(await this.repository.page(accountId, keyset, query.offset), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.id, last: last.id });
  }

  /** @throws NotFound */
  async one(id: string, accountId: string): Promise<ScheduledRow> {
    const row = isBigintId(id) ? await this.repository.own(id, accountId) : undefined;
    if (!row) throw new NotFound();
    return row;
  }

  /**
   * A scheduled post, or the id of the post that it became in the last hours: a retry of the request may come after that.
   * @throws NotFound
   */
  async oneOrPublished(id: string, accountId: string): Promise<ScheduledRow | string> {
    const waiting = await this.repository.own(id, accountId);
    const found = waiting ?? (await this.idempotency.earlier(accountId, id, PUBLISHED));
    if (found === undefined) throw new NotFound();
    return found;
  }

  /**
   * Changes the time of a scheduled post.
   * @throws Invalid for an invalid time, Unprocessable for a time that is too near or a full day, NotFound
   */
  async move(id: string, accountId: string, text: string): Promise<void> {
    const time = timeIn(text);
    if (!isBigintId(id)) throw new NotFound();
    await this.uow.run(async () => {
      if (!(await this.repository.move(id, accountId, time))) throw new NotFound();
      if (!isFarEnough(time)) throw new Unprocessable('must be at least 5 minutes from now');
      await this.requireRoom(accountId, time, id);
      this.jobs.cancel(jobKey(id));
      this.enqueue(id, time);
    });
  }

  /**
   * Deletes a scheduled post, which releases its uploads, and returns it.
   * @throws NotFound
   */
  async remove(id: string, accountId: string): Promise<ScheduledRow> {
    const row = await this.one(id, accountId);
    await this.uow.run(async () => {
      if (!(await this.repository.remove(id, accountId))) throw new NotFound();
      await this.attachments.renew((row.attachments ?? []).map((upload) => upload.id));
      this.jobs.cancel(jobKey(id));
    });
    return row;
  }

  /** Deletes all scheduled posts of an account, in batches, which releases their uploads. Safe to run twice. */
  removeAll(accountId: string): Promise<void> {
    return repeatSlices(() =>
      this.uow.run(async () => {
        const ids = await this.repository.removeSome(accountId, BATCH);
        for (const id of ids) this.jobs.cancel(jobKey(id));
        return ids.length === BATCH;
      }),
    );
  }

  /**
   * Publishes a due post, once: deleting the row and posting are one unit of work. A post that breaks a rule by now,
   * such as a reply to a deleted post, stays in its author's list. The posts of a deactivated author wait for {@link
   * resume}.
   */
  @Handles(PublishScheduled)
  async post({ scheduledId }: { scheduledId: string }): Promise<Outcome> {
    const row = await this.repository.due(scheduledId);
    if (!row) return done;
    try {
      const origin = { kind: 'local', appId: row.appId } as const;
      await this.compose.createAfter(row.accountId, row.options, origin, async (statusId) => {
        if (!(await this.repository.claim(scheduledId))) return false;
        await this.idempotency.record(row.accountId, scheduledId, PUBLISHED, statusId);
        return true;
      });
      return done;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn(`A scheduled post was not made: ${error.message}`);
      return skip(error.message);
    }
  }

  /** Enqueues the posts that came due while their author was deactivated. */
  @Subscribes(AccountActivated, {
    job: 'statuses.resume-scheduled',
    queue: 'maintenance',
    when: ({ local }) => local,
  })
  async resume({ accountId }: AccountActivated): Promise<void> {
    await this.uow.run(async () => {
      for (const id of await this.repository.overdue(accountId)) this.enqueue(id);
    });
  }

  private async store(authorId: string, options: ComposeOptions, appId: string | null, time: Date): Promise<string> {
    await this.requireRoom(authorId, time);
    const id = await this.repository.insert(authorId, appId, time, options);
    await this.attachments.reserve(id, authorId, options.mediaIds ?? []);
    this.enqueue(id, time);
    return id;
  }

  private enqueue(id: string, time = new Date()): void {
    this.jobs.enqueue(PublishScheduled, { scheduledId: id }, { key: jobKey(id), runAt: time });
  }

  private async requireRoom(accountId: string, time: Date, exceptId?: string): Promise<void> {
    await this.locks.lock('scheduled', accountId);
    const { total, ofDay } = await this.repository.counts(accountId, time, exceptId);
    if (ofDay >= MOST_OF_A_DAY) throw new Unprocessable('daily limit exceeded');
    if (total >= MOST) throw new Unprocessable('total limit exceeded');
  }
}

/**
 * A scheduled post has at most one job. The key allows the job to be cancelled with the post, which may be years ahead.
 */
function jobKey(id: string): string {
  return `scheduled:${id}`;
}

/** @throws Invalid for an invalid time */
function timeIn(text: string): Date {
  const time = momentOf(text);
  if (!time) throw new Invalid('scheduled_at must be a date and time');
  return time;
}

function isFarEnough(time: Date): boolean {
  return time.getTime() >= Date.now() + SOONEST_MS;
}
