import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { postingRestrictions } from '../../accounts/index.js';
import { isBlank, languageTag, translateForeignKeyViolation } from '../../common/index.js';
import { AttachmentsService } from '../../media/index.js';
import { Events, FlakeIds, Handles, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { type StatusToWrite, pastOf, StatusWriter, type Written } from '../compose/status.writer.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { StatusCounters } from '../counters/status.counters.js';
import { StatusRepository, type StatusRow } from '../core/status.repository.js';
import { StatusesService } from '../core/statuses.service.js';
import { EditRepository } from '../edits/edit.repository.js';
import { EditsService } from '../edits/edits.service.js';
import { QuoteConsentService } from '../quotes/quote-consent.service.js';
import type { EditableRow } from '../compose/draft.js';
import { hasPageLink } from '../model/page-card.js';
import { isStaffSensitive, StatusFlag } from '../model/status.flags.js';
import { PollReopened } from '../model/statuses.events.js';
import { restrictedMedia, restrictedVisibility } from '../model/restricted.js';
import { OPEN_TO_USERS } from '../model/visibility.js';
import type { PollDraft } from '../polls/poll.draft.js';
import type { EditResult, RemotePoll, RemoteStatus } from './remote-status.js';
import { type ArrivalFacts, type RemoteReblogRow, RemoteStatusRepository } from './remote-status.repository.js';

interface StoredStatus {
  readonly statusId: string;
  readonly uri: string;
}

/** Attaches what arrived before a post, where that is too much for the unit of work that stores it. */
export const LinkChildren = job<StoredStatus>('statuses.link-children', 'fanout');

/** Stores, edits and deletes remote posts, with the same writer as for local posts. */
@Injectable()
export class RemoteStatusesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly ids: FlakeIds,
    private readonly writer: StatusWriter,
    private readonly statuses: StatusesService,
    private readonly statusRows: StatusRepository,
    private readonly repository: RemoteStatusRepository,
    private readonly edits: EditsService,
    private readonly editRows: EditRepository,
    private readonly attachments: AttachmentsService,
    private readonly counters: StatusCounters,
    private readonly consent: QuoteConsentService,
    private readonly conversations: ConversationsService,
  ) {}

  /** A stored post by its URI, local or remote. Does not check visibility. */
  findByUri(uri: string): Promise<StatusRow | undefined> {
    return this.statusRows.byUri(uri);
  }

  /** A stored boost by the id of its activity. */
  findReblogByUri(uri: string): Promise<RemoteReblogRow | undefined> {
    return this.repository.reblogByUri(uri);
  }

  /** Stores a post; undefined when it was deleted. Attaches replies and quotes that arrived before it. */
  async create(status: RemoteStatus): Promise<Written | undefined> {
    const unit = this.uow.run(async () => {
      const facts = await this.repository.facts(status);
      if (facts.isDeleted) return undefined;
      const isRefused = await this.consent.refuses(status.quoteOfId, status.authorId);
      const written = await this.writer.create(this.newStatus(restricted(status, facts.authorTags), facts, isRefused));
      if (written.isNew) {
        this.counters.setRemote(written.statusId, status.counts);
        await this.linkChildren({ statusId: written.statusId, uri: status.uri });
        await this.editRows.insertFormer(written.statusId, status.former ?? []);
      }
      return written;
    });
    return translateForeignKeyViolation(unit);
  }

  /**
   * Attaches some of the replies and quotes that arrived before a post, with the conversations that the replies begin, and
   * leaves the rest to the next job. Safe to run twice.
   */
  @Handles(LinkChildren)
  async linkChildren({ statusId, uri }: StoredStatus): Promise<void> {
    await this.uow.run(async () => {
      const status = { id: statusId, uri };
      const [replies, quotes] = await Promise.all([
        this.repository.linkReplies(status),
        this.repository.linkQuotes(status),
      ]);
      if (replies.counted > 0) this.counters.add(statusId, 'replies', replies.counted);
      if (quotes.counted > 0) this.counters.add(statusId, 'quotes', quotes.counted);
      for (const begun of replies.begun) this.conversations.planMove({ ...begun, statusId });
      if (replies.hasMore || quotes.hasMore)
        this.jobs.enqueue(LinkChildren, { statusId, uri }, { key: `statuses.link-children:${statusId}` });
    });
  }

  /**
   * Replaces the content of a stored post of the same author; an older version changes nothing. New counts of a poll do not
   * create a new version. The audience never grows (threat V16). With `ifNewer`, what was not edited since the stored version
   * changes nothing but counts.
   */
  async edit(given: RemoteStatus, { ifNewer = false } = {}): Promise<EditResult> {
    return this.uow.run(async () => {
      const status = restricted(given, (await this.repository.facts(given)).authorTags);
      const stored = await this.statusRows.byUri(status.uri);
      if (stored?.authorId !== status.authorId) return 'unknown';
      const row = await this.editRows.lock(stored.id, status.authorId);
      if (!row) return 'unknown';
      if (isOlder(status, row)) return 'unchanged';
      const keepsPoll = await this.updateFacts(row, status);
      if (ifNewer && !isNewer(status, row)) return 'unchanged';
      await this.consent.setStatedPolicy(row.id, status.authorId, status.quotePolicy);
      const quotesAnother = await this.consent.revise(row.id, status);
      return (await this.rewrite(row, status, keepsPoll)) || quotesAnother ? 'edited' : 'unchanged';
    });
  }

  /** Whether posts quote one that is not stored. */
  isQuoted(uri: string): Promise<boolean> {
    return this.repository.isQuoted(uri);
  }

  /** Lets the quotes of a post that is not stored say that it was deleted, until its server serves it. */
  async endQuotes(uri: string): Promise<void> {
    await this.repository.endQuotes(uri);
  }

  /** Whether a post was deleted here because its own server deleted it, and not by the staff. */
  isWithdrawn(uri: string): Promise<boolean> {
    return this.repository.isWithdrawn(uri);
  }

  /** Lets a post that its server deleted be stored again, when that server restores it. Joins the open unit of work. */
  async forgetDeletion(uri: string): Promise<void> {
    await this.repository.forgetDeletion(uri);
  }

  /** Deletes a post of a remote author because its server did; false when it is not stored. */
  async delete(uri: string, authorId: string): Promise<boolean> {
    return this.uow.run(async () => {
      const stored = await this.statusRows.byUri(uri);
      if (stored?.authorId !== authorId) return false;
      await this.statuses.delete(stored.id, authorId, { removesMedia: true, byServer: true });
      return true;
    });
  }

  /**
   * Stores when its server changed a post, and its counts. Returns whether it has the poll that is stored. Votes do not
   * change the time of the edit, so that it says nothing about the counts.
   */
  private async updateFacts(row: EditableRow, status: RemoteStatus): Promise<boolean> {
    const { id, poll: stored } = row;
    const { poll, counts, editedAt, asOf, sentAt } = status;
    if (editedAt) await this.editRows.describe(id, editedAt);
    this.counters.setRemote(id, counts);
    if (!poll || !stored || !isSamePoll(stored, poll)) return false;
    const otherEnd = await this.repository.recountPoll(id, poll, {
      asOf: asOf ?? sentAt,
      isLaterVersion: isNewer(status, row),
    });
    if (otherEnd) this.edits.planEnd(id, poll.expiresAt);
    if (otherEnd?.isReopened) this.events.emit(new PollReopened(id));
    return true;
  }

  private newStatus(status: RemoteStatus, facts: ArrivalFacts, isRefused: boolean): StatusToWrite {
    const content = contentOf(status);
    const createdAt = pastOf(status.publishedAt);
    const named = status.mentions.filter(({ silent }) => !silent).map(({ accountId }) => accountId);
    const silent = status.mentions.filter((mention) => mention.silent).map(({ accountId }) => accountId);
    return {
      status: {
        ...content,
        id: this.ids.at(createdAt.getTime()),
        authorId: status.authorId,
        uri: status.uri,
        url: status.url,
        visibility: status.visibility,
        inReplyToId: status.parent?.id ?? null,
        inReplyToAccountId: status.parent?.authorId ?? null,
        inReplyToUri: status.inReplyToUri,
        groupId: status.groupId,
        quoteOfId: isRefused ? null : status.quoteOfId,
        quoteUri: status.quoteUri,
        quotePolicy: status.quotePolicy,
        quoteApproval: isRefused ? null : status.quoteApproval,
        quoteRefused: isRefused,
        listId: null,
        conversationId: status.parent?.conversationId ?? null,
        contextUri: status.contextUri ?? status.uri,
        source: null,
        local: false,
        emojis: status.emojis,
        application: null,
        createdAt,
        editedAt: status.editedAt && pastOf(status.editedAt),
        describedAt: status.editedAt,
        expiresAt: null,
        flags: flagsOf(status),
      },
      addressees: named,
      silentAddressees: silent,
      tags: status.tags,
      hasLinks: hasPageLink(content.contentHtml),
      page: undefined,
      hasSubscribers: facts.hasSubscribers,
      isCounted: facts.isCounted,
      mediaIds: [],
      remoteMedia: status.attachments,
      poll: pollOf(status),
    };
  }

  /**
   * Returns whether anything but the counts of its poll changed. Only what people read makes a revision: its hashtags and
   * language do not. A mark of the staff as sensitive stays.
   */
  private async rewrite(row: EditableRow, status: RemoteStatus, keepsPoll: boolean): Promise<boolean> {
    const given = contentOf(status);
    const content = { ...given, sensitive: given.sensitive || isStaffSensitive(row) };
    const hasOtherMedia = await this.hasOtherMedia(row.id, status);
    const isRevision = hasOtherMedia || isChange(row, content, status, keepsPoll);
    if (!isRevision && !isOtherwiseChanged(row, content, status)) return false;
    const editedAt = pastOf(status.editedAt ?? new Date());
    if (isRevision) await this.editRows.insertRevision(row.id);
    if (hasOtherMedia) {
      await this.attachments.setAside(row.id);
      await this.attachments.attachRemote(row.id, row.authorId, status.attachments);
    }
    const named = status.mentions.filter(({ silent }) => !silent).map(({ accountId }) => accountId);
    const revision = {
      ...content,
      source: null,
      addressees: OPEN_TO_USERS.includes(row.visibility) ? named : row.mentionedIds,
      tags: status.tags,
      hasMedia: status.attachments.length > 0,
      poll: keepsPoll ? null : pollOf(status),
      remote: { emojis: status.emojis, editedAt },
      isRevision,
    };
    await this.edits.write(row, revision, keepsPoll);
    return true;
  }

  private async hasOtherMedia(id: string, { attachments }: RemoteStatus): Promise<boolean> {
    const stored = await this.repository.media(id);
    const isSame = (file: { url: string | null; description: string }, at: number) =>
      file.url === attachments[at]?.url && file.description === attachments[at].description;
    return stored.length !== attachments.length || !stored.every(isSame);
  }
}

/** Applies the moderation tags of its author to a post; files behind a content warning are sensitive. */
function restricted(status: RemoteStatus, tags: readonly string[]): RemoteStatus {
  const restrictions = postingRestrictions(tags);
  const { media, sensitive } = restrictedMedia({ ...status, media: status.attachments }, restrictions);
  return {
    ...status,
    sensitive,
    attachments: media,
    visibility: restrictedVisibility(status.visibility, restrictions),
  };
}

function contentOf({ html, text, spoiler, sensitive, language }: RemoteStatus) {
  return {
    contentHtml: html,
    contentText: text,
    contentType: 'text/html' as const,
    spoiler: isBlank(spoiler) ? '' : spoiler.trim(),
    sensitive,
    language: languageTag(language ?? '') ?? null,
  };
}

/** When the stored version was written: as its server states it, else when its last edit came. */
function knownAt({ describedAt, editedAt }: EditableRow): Date | null {
  const at = describedAt ?? editedAt;
  return at === null ? null : new Date(at);
}

function isNewer({ editedAt }: RemoteStatus, row: EditableRow): boolean {
  const known = knownAt(row);
  return editedAt !== null && (known === null || editedAt > known);
}

function isChange(
  row: EditableRow,
  { contentHtml, spoiler, sensitive }: ReturnType<typeof contentOf>,
  { poll }: RemoteStatus,
  keepsPoll: boolean,
): boolean {
  return (
    row.contentHtml !== contentHtml ||
    row.spoiler !== spoiler ||
    row.sensitive !== sensitive ||
    (!keepsPoll && (poll !== null || row.poll !== null))
  );
}

/**
 * Whether a version is older than the stored one. One that was fetched without a time of its own is as old as the copy may
 * be. One that was sent without a time is from before the edits of a server that states their times; of other servers the
 * order of arrival counts.
 */
function isOlder({ editedAt, asOf }: RemoteStatus, row: EditableRow): boolean {
  const [at, known] = [editedAt ?? asOf, knownAt(row)];
  if (at === null) return row.describedAt !== null;
  return known !== null && at < known;
}

function isOtherwiseChanged(
  row: EditableRow,
  { language }: ReturnType<typeof contentOf>,
  { tags, emojis }: RemoteStatus,
): boolean {
  const hasOtherTags = !isDeepStrictEqual(new Set(row.tags), new Set(tags));
  return row.language !== language || hasOtherTags || !isDeepStrictEqual(row.emojis, emojis);
}

/** Whether two polls let one choose the same: one of these options, or several. */
function isSamePoll(stored: NonNullable<EditableRow['poll']>, { options, multiple }: RemotePoll): boolean {
  const { options: titles } = stored;
  const isSame = titles.length === options.length && options.every(({ title }, at) => title === titles[at]);
  return isSame && stored.multiple === multiple;
}

function pollOf({ poll, asOf, sentAt, editedAt, publishedAt }: RemoteStatus): PollDraft | null {
  if (!poll) return null;
  const { options, multiple, expiresAt, voters, nonAnonymous } = poll;
  const countedAt = pastOf(asOf ?? sentAt ?? editedAt ?? publishedAt);
  return {
    options: options.map(({ title }) => title),
    expiresAt,
    multiple,
    hideTotals: false,
    nonAnonymous,
    counts: { votes: options.map(({ votes }) => votes), voters, asOf: countedAt },
  };
}

function flagsOf({ mentions, tags, attachments, poll }: RemoteStatus): number {
  return (
    (mentions.length > 0 ? StatusFlag.mentions : 0) |
    (tags.length > 0 ? StatusFlag.tags : 0) |
    (attachments.length > 0 ? StatusFlag.media : 0) |
    (poll ? StatusFlag.poll : 0)
  );
}
