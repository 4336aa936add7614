import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { NotFound, translateForeignKeyViolation } from '../../common/index.js';
import { AttachmentDescribed, AttachmentsService } from '../../media/index.js';
import { Events, Jobs, Subscribes, UnitOfWork } from '../../platform/index.js';
import { ComposeRepository } from '../compose/compose.repository.js';
import type { ComposeOptions, Draft, EditableRow } from '../compose/draft.js';
import { DraftsService } from '../compose/drafts.service.js';
import { EditRepository, type Revision, type RevisionRow } from './edit.repository.js';
import { endOfPoll } from '../model/expiry.js';
import type { PollDraft } from '../polls/poll.draft.js';
import { PollRepository } from '../polls/poll.repository.js';
import { ClosePoll } from '../polls/polls.service.js';
import { isStaffSensitive, StatusFlag } from '../model/status.flags.js';
import { GroupAddressed, StatusEdited } from '../model/statuses.events.js';
import { StatusesService } from '../core/statuses.service.js';
import { QuoteConsentService } from '../quotes/quote-consent.service.js';
import { OPEN_TO_USERS, PUBLIC } from '../model/visibility.js';

/** Changes of a post; omitted fields stay unchanged. */
export type EditOptions = Pick<
  ComposeOptions,
  'contentType' | 'spoiler' | 'sensitive' | 'language' | 'to' | 'mediaIds' | 'quotePolicy'
> & {
  readonly text?: string | undefined;
  /** Descriptions of the post's attachments, by their ids. */
  readonly descriptions?: ReadonlyMap<string, string>;
  /** Null removes the poll. */
  readonly poll?: ComposeOptions['poll'] | null;
};

/** Edits posts and reads their history (reference StatusEdit). */
@Injectable()
export class EditsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly drafts: DraftsService,
    private readonly statuses: StatusesService,
    private readonly repository: EditRepository,
    private readonly composing: ComposeRepository,
    private readonly polls: PollRepository,
    private readonly attachments: AttachmentsService,
    private readonly consent: QuoteConsentService,
  ) {}

  /**
   * Edits a post of the author. Concurrent edits run one after the other, each on top of the one before. An edit never
   * makes a post visible to more accounts (threat V16).
   * @throws NotFound unless the account is the author, for a boost, and when an account that it mentions is removed meanwhile;
   * Unprocessable when the content breaks a rule
   */
  async edit(id: string, authorId: string, options: EditOptions): Promise<void> {
    const typed = { ...options, poll: undefined, text: options.text ?? '' };
    this.drafts.requireLength(typed);
    await this.drafts.fetchMentioned(typed);
    const read = await this.repository.findEditable(id, authorId);
    if (!read) throw new NotFound();
    const drafted = await this.revised(read, options); // a long text waits for others, so before the lock
    const unit = this.uow.run(async () => {
      const row = await this.repository.lock(id, authorId);
      if (!row) throw new NotFound();
      if (options.quotePolicy !== undefined) await this.consent.choose(id, authorId, options.quotePolicy);
      const keepsPoll = isPollKept(row, options);
      const draft = isDeepStrictEqual(row, read) ? drafted : await this.revised(row, options);
      const losesPoll = row.poll !== null && options.poll === null;
      const { descriptions = new Map<string, string>() } = options;
      const isDescribed = await this.attachments.redescribe(authorId, descriptions, draft.mediaIds);
      if (!losesPoll && !isDescribed && !isChange(row, draft)) return;
      await this.repository.insertRevision(id, row.mediaDescriptions);
      await this.replaceMedia(row, draft.mediaIds);
      await this.write(row, { ...draft, hasMedia: draft.mediaIds.length > 0, isRevision: true }, keepsPoll);
    });
    await translateForeignKeyViolation(unit);
  }

  /**
   * A file of a post was described: that is an edit, which other servers and streams get too. The version before it has the
   * descriptions of that moment, whatever was described or edited since. Safe to run twice.
   */
  @Subscribes(AttachmentDescribed, { job: 'statuses.refresh', queue: 'fanout' })
  async onDescribed({ statusId, accountId, former, at }: AttachmentDescribed): Promise<void> {
    await this.uow.run(async () => {
      const row = await this.repository.lock(statusId, accountId);
      if (!row) return this.statuses.refresh(statusId);
      if (row.editedAt !== null && new Date(row.editedAt) >= new Date(at)) {
        await this.repository.redescribe(statusId, at, former);
        return this.statuses.refresh(statusId);
      }
      const before = row.mediaIds.map((id, place) => former[id] ?? row.mediaDescriptions[place] ?? '');
      await this.repository.insertRevision(statusId, before);
      const version = await this.repository.redate(statusId, at);
      this.emitEdited(row, { version, mentionedIds: [], isRevision: true, pollChanged: false, joinsTag: false });
    });
  }

  private async revised(row: EditableRow, options: EditOptions): Promise<Draft> {
    const draft = await this.drafts.revise(row, whole(options, row), isPollKept(row, options));
    const addressees = renames(options, row) ? await this.addressable(row, draft.addressees) : row.mentionedIds;
    return { ...draft, addressees };
  }

  /** The accounts that an edit addresses: those that block the author only stay. */
  private async addressable({ authorId, mentionedIds }: EditableRow, named: readonly string[]): Promise<string[]> {
    const added = named.filter((id) => !mentionedIds.includes(id));
    const open = added.length === 0 ? [] : await this.repository.listAddressable(authorId, added);
    return named.filter((id) => mentionedIds.includes(id) || open.includes(id));
  }

  /**
   * The versions of a post, the oldest first, up to the current one.
   * @throws NotFound when the viewer may not see it
   */
  async history(id: string, viewerId?: string): Promise<RevisionRow[]> {
    const status = await this.statuses.visible(id, viewerId);
    return this.repository.history(status.id);
  }

  private async replaceMedia({ id, authorId, mediaIds: former }: EditableRow, ids: readonly string[]) {
    if (!isSame(former, ids)) await this.attachments.replace(id, authorId, ids);
  }

  /** Writes a new version of a post that the open unit of work has locked. The caller replaces its media. */
  async write(row: EditableRow, revision: Revision, keepsPoll: boolean): Promise<void> {
    const { id, visibility } = row;
    const { addressees, tags, poll, isRevision } = revision;
    const mentionedIds = isSame(row.mentionedIds, addressees) ? [] : await this.replaceMentions(row, addressees);
    await this.repository.dropTags(id, tags);
    if (tags.length > 0) await this.composing.addTags(id, tags);
    const pollChanged = row.poll !== null && !keepsPoll;
    if (poll) await this.writePoll(row, poll);
    else if (pollChanged) await this.polls.remove(id);
    if (pollChanged || poll) this.planEnd(id, poll?.expiresAt ?? null);
    const version = await this.repository.rewrite(id, revision, flagsOf(row, revision, keepsPoll || poll !== null));
    const joinsTag = PUBLIC.includes(visibility) && tags.some((tag) => !row.tags.includes(tag));
    this.emitEdited(row, { version, mentionedIds, isRevision, pollChanged, joinsTag });
  }

  private emitEdited(
    row: EditableRow,
    changes: Pick<StatusEdited, 'version' | 'mentionedIds' | 'isRevision' | 'pollChanged' | 'joinsTag'>,
  ): void {
    const { id: statusId, authorId, local, visibility, tags, flags } = row;
    const former = { visibility, tags, hasMedia: (flags & StatusFlag.media) !== 0 };
    this.events.emit(new StatusEdited({ statusId, authorId, local, visibility, ...changes, former }));
  }

  /** Returns the ids of the newly mentioned accounts. */
  private async replaceMentions({ id, authorId, visibility }: EditableRow, addressees: readonly string[]) {
    const added = await this.repository.replaceMentions(id, authorId, addressees);
    const groupIds = added.filter((mention) => mention.isGroupHere).map((mention) => mention.id);
    if (groupIds.length > 0 && PUBLIC.includes(visibility)) this.events.emit(new GroupAddressed(id, groupIds));
    return added.map((mention) => mention.id);
  }

  /** Replaces the poll, with its votes, when its options change. */
  private async writePoll({ id, poll: former }: EditableRow, poll: PollDraft): Promise<void> {
    const isOther = !former || former.multiple !== poll.multiple || !isSame(former.options, poll.options);
    if (isOther) await this.polls.replace(id, poll);
    else await this.polls.reset(id, poll);
  }

  /** Plans that the end of a poll is announced, at this time alone. Joins the open unit of work. */
  planEnd(statusId: string, expiresAt: Date | null): void {
    this.jobs.cancel(endOfPoll(statusId));
    if (expiresAt) this.jobs.enqueue(ClosePoll, { statusId }, { key: endOfPoll(statusId), runAt: expiresAt });
  }
}

function isPollKept({ poll }: EditableRow, options: EditOptions): boolean {
  return poll !== null && options.poll === undefined;
}

/** Completes the changes with the current values of the post. A mark of the staff as sensitive stays. */
function whole(options: EditOptions, row: EditableRow): ComposeOptions {
  return {
    ...options,
    poll: options.poll ?? undefined,
    text: options.text ?? row.source ?? '',
    contentType: options.contentType ?? row.contentType,
    spoiler: options.spoiler ?? row.spoiler,
    sensitive: isStaffSensitive(row) || (options.sensitive ?? row.sensitive),
    language: options.language ?? row.language ?? undefined,
    mediaIds: options.mediaIds ?? row.mediaIds,
  };
}

/** Whether the edit changes the mentions. The addressees of a post that is not open to all users never change. */
function renames({ text, to }: EditOptions, { visibility }: EditableRow): boolean {
  return OPEN_TO_USERS.includes(visibility) && (text !== undefined || to !== undefined);
}

function isChange(row: EditableRow, draft: Draft): boolean {
  return (
    draft.poll !== null ||
    row.contentHtml !== draft.contentHtml ||
    row.source !== draft.source ||
    row.spoiler !== draft.spoiler ||
    row.sensitive !== draft.sensitive ||
    row.language !== draft.language ||
    !isSame(row.mediaIds, draft.mediaIds) ||
    !isSame(row.mentionedIds, draft.addressees)
  );
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

/** The new flags. A post keeps its flag for mentions, since its silent addressees stay. */
function flagsOf({ flags }: EditableRow, { addressees, tags, hasMedia }: Revision, hasPoll: boolean): number {
  const { mentions, tags: tagged, media, poll: asking } = StatusFlag;
  const changing = tagged | media | asking;
  return (
    (flags & ~changing) |
    (addressees.length > 0 ? mentions : 0) |
    (tags.length > 0 ? tagged : 0) |
    (hasMedia ? media : 0) |
    (hasPoll ? asking : 0)
  );
}
