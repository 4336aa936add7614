import { Injectable } from '@nestjs/common';
import type { LocalOrigin } from '../../accounts/index.js';
import { Idempotency, translateForeignKeyViolation } from '../../common/index.js';
import { AttachmentsService } from '../../media/index.js';
import { AppsService } from '../../oauth/index.js';
import { UnitOfWork } from '../../platform/index.js';
import type { ComposeOptions } from './draft.js';
import { bodyRowOf } from '../rendering/body-row.js';
import type { NewEntry } from '../rendering/status.view.js';
import { pageRowOf } from './compose.repository.js';
import { DraftsService } from './drafts.service.js';
import type { Preview } from './status-preview.view.js';
import { type LocalStatus, StatusWriter } from './status.writer.js';

/** A stored post. */
export interface Composed {
  readonly statusId: string;
  /** What to show its author; undefined when an earlier request with the same key created the post. */
  readonly entry: NewEntry | undefined;
}

/** The route in the idempotency keys. */
const ROUTE = 'POST /api/v1/statuses';

/** Creates local posts. */
@Injectable()
export class ComposeService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly apps: AppsService,
    private readonly drafts: DraftsService,
    private readonly writer: StatusWriter,
    private readonly attachments: AttachmentsService,
  ) {}

  /**
   * Creates a post. For a key that the author has used before, returns the earlier post.
   * @throws Unprocessable when the content breaks a rule; NotFound, Forbidden for a parent that the author may not see
   * or reply to; Conflict when a request with the same key takes too long
   */
  async create(
    authorId: string,
    options: ComposeOptions,
    origin: LocalOrigin,
    idempotencyKey?: string,
  ): Promise<Composed> {
    const check = () => this.postOf(authorId, options, origin);
    const checked = await this.idempotency.checked(authorId, idempotencyKey, ROUTE, check);
    if ('earlier' in checked) return { statusId: checked.earlier, entry: undefined };
    const post = checked.value;
    let conversationId: string | undefined;
    const publish = async () => {
      ({ conversationId } = await this.writer.create(post));
      return post.status.id;
    };
    const unit = this.uow.run(async () => {
      if (idempotencyKey === undefined) return { ref: await publish(), replayed: false };
      return this.idempotency.once(authorId, idempotencyKey, ROUTE, publish);
    });
    const { ref, replayed } = await translateForeignKeyViolation(unit);
    if (replayed) return { statusId: ref, entry: undefined };
    return { statusId: ref, entry: newEntryOf(post, conversationId) };
  }

  /**
   * Creates a post if `claim`, which gets its id and runs in the same unit of work, returns true.
   * @throws what {@link create} throws
   */
  async createAfter(
    authorId: string,
    options: ComposeOptions,
    origin: LocalOrigin,
    claim: (statusId: string) => Promise<boolean>,
  ): Promise<void> {
    const post = await this.postOf(authorId, options, origin);
    const unit = this.uow.run(async () => {
      if (await claim(post.status.id)) await this.writer.create(post);
    });
    await translateForeignKeyViolation(unit);
  }

  /**
   * Returns the post that {@link create} would create.
   * @throws what {@link create} throws
   */
  async preview(authorId: string, options: ComposeOptions, origin: LocalOrigin): Promise<Preview> {
    const post = await this.postOf(authorId, options, origin);
    return { ...post, attachments: await this.attachments.unattached(authorId, post.mediaIds) };
  }

  private async postOf(authorId: string, options: ComposeOptions, { appId }: LocalOrigin): Promise<LocalStatus> {
    const [draft, application] = await Promise.all([
      this.drafts.draft(authorId, options),
      appId === null ? undefined : this.apps.describe(appId),
    ]);
    return this.writer.postOf(draft, authorId, application ?? null);
  }
}

/** A new post for its author; more than its row is read. */
function newEntryOf({ status, isRowOnly }: LocalStatus, conversationId: string | undefined): NewEntry {
  const isWhole = isRowOnly && conversationId !== undefined;
  const body = isWhole ? bodyRowOf(status, { conversationId, context: status.contextUri }) : undefined;
  return { row: pageRowOf(status), body };
}
