import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccountCounters } from '../../accounts/index.js';
import { activityUri, contextUri, NotFound, objectUri, quoteApprovalUri } from '../../common/index.js';
import { AttachmentsService, type RemoteAttachment } from '../../media/index.js';
import { ENV, type Env, Events, FlakeIds, Jobs } from '../../platform/index.js';
import { AuthorFeed } from './author-feed.port.js';
import { PreviewCardsService } from '../cards/preview-cards.service.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import { ComposeRepository, type NewReblog, type NewStatus } from './compose.repository.js';
import type { Draft } from './draft.js';
import { endOfPoll, endOfStatus, ExpireStatus } from '../model/expiry.js';
import type { PollDraft } from '../polls/poll.draft.js';
import { PollRepository } from '../polls/poll.repository.js';
import { ClosePoll } from '../polls/polls.service.js';
import { StatusTotals } from '../counters/status-totals.js';
import { StatusCounters } from '../counters/status.counters.js';
import { StatusFlag } from '../model/status.flags.js';
import { StatusRepository, type StatusRow } from '../core/status.repository.js';
import { GroupAddressed, StatusCreated } from '../model/statuses.events.js';
import {
  Visibility,
  type VisibilityName,
  DIRECT,
  PUBLIC,
  PUBLIC_OR_UNLISTED,
  ADDRESSED_ONLY,
} from '../model/visibility.js';

/** A post with all rows that are written with it. */
export interface StatusToWrite {
  readonly status: NewStatus;
  /** Account ids, in order. */
  readonly addressees: readonly string[];
  /** The posts that it answers and quotes, where their visibility matters: remote posts are never local-only. */
  readonly parent?: { readonly visibility: number } | undefined;
  readonly quoted?: { readonly visibility: number } | undefined;
  /** Accounts that may read it without being named. */
  readonly silentAddressees: readonly string[];
  readonly tags: readonly string[];
  readonly hasLinks: boolean;
  /** The URL of the page whose card it shows. */
  readonly page: string | undefined;
  readonly hasSubscribers: boolean;
  /** Whether the number of its author's posts contains it already. */
  readonly isCounted?: boolean;
  /** Uploads, in order. */
  readonly mediaIds: readonly string[];
  /** The files of a remote post, in order. */
  readonly remoteMedia: readonly RemoteAttachment[];
  readonly poll: PollDraft | null;
}

/** A post of an account here. */
export interface LocalStatus extends StatusToWrite {
  /** Whether it is shown to its author by its row alone: nothing else belongs to it, and its formatting is wanted. */
  readonly isRowOnly: boolean;
}

/** The result of {@link StatusWriter.create}. A URI is stored only once. */
export interface Written {
  readonly statusId: string;
  readonly isNew: boolean;
  /** The conversation of a new post. */
  readonly conversationId?: string | undefined;
}

/** Servers that were away get what waited for them for up to about as long; what is older was most likely fetched. */
const NEWS_MS = 7 * 24 * 60 * 60 * 1_000;

/** The visibilities that a boost may have. */
export const REBLOG_VISIBILITIES = ['public', 'unlisted', 'private'] as const satisfies readonly VisibilityName[];
export type ReblogVisibility = (typeof REBLOG_VISIBILITIES)[number];

/** An Announce of a remote server. */
export interface RemoteReblog {
  readonly uri: string;
  readonly publishedAt: Date;
  /**
   * Whether a group, or a program that nobody here follows, passes the post on: its followers see that, but it neither counts
   * as a boost of the post nor notifies its author.
   */
  readonly isPassedOn?: boolean;
  /** Whether the post was fetched for this boost: the number of boosts that its server states, if it does, has it already. */
  readonly isStated?: boolean;
}

/** Stores posts and boosts, and updates counters, the author's feed and events. Needs an open unit of work. */
@Injectable()
export class StatusWriter {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly ids: FlakeIds,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly repository: ComposeRepository,
    private readonly statuses: StatusRepository,
    private readonly counters: StatusCounters,
    private readonly accountCounters: AccountCounters,
    private readonly totals: StatusTotals,
    private readonly authorFeed: AuthorFeed,
    private readonly attachments: AttachmentsService,
    private readonly conversations: ConversationRepository,
    private readonly polls: PollRepository,
    private readonly cards: PreviewCardsService,
  ) {}

  /** Turns a draft into a local post. */
  async postOf(draft: Draft, authorId: string, application: NewStatus['application']): Promise<LocalStatus> {
    const { parent, quoted, addressees, tags, hasLinks, hasSubscribers, mediaIds, poll } = draft;
    const status: NewStatus = {
      id: this.ids.next(),
      authorId,
      uri: objectUri(this.env.baseUrl, randomUUID()),
      url: null,
      visibility: draft.visibility,
      inReplyToId: parent?.id ?? null,
      inReplyToAccountId: parent?.authorId ?? null,
      inReplyToUri: remoteUriOf(parent),
      groupId: null,
      quoteOfId: quoted?.id ?? null,
      quoteUri: quoted?.uri ?? null,
      quotePolicy: draft.quotePolicy,
      quoteApproval: this.newApproval(quoted, authorId),
      quoteRefused: false,
      listId: draft.listId,
      conversationId: draft.conversationId,
      contextUri: contextUri(this.env.baseUrl, randomUUID()),
      contentHtml: draft.contentHtml,
      contentText: draft.contentText,
      source: draft.source,
      contentType: draft.contentType,
      spoiler: draft.spoiler,
      sensitive: draft.sensitive,
      language: draft.language,
      local: true,
      emojis: [],
      application,
      createdAt: new Date(),
      editedAt: null,
      describedAt: null,
      expiresAt: draft.expiresAt,
      flags: flagsOf(draft),
    };
    const page = hasLinks ? await this.cards.pageOf(draft.contentHtml) : undefined;
    return {
      status,
      addressees,
      parent,
      quoted,
      silentAddressees: [],
      tags,
      hasLinks,
      page,
      hasSubscribers,
      mediaIds,
      remoteMedia: [],
      poll,
      isRowOnly: draft.isFormattingShown && page === undefined && hasNoParts(status),
    };
  }

  /** Authors here consent to the quotes that their choice allows. */
  private newApproval(quoted: Draft['quoted'], authorId: string): string | null {
    if (!quoted?.local || quoted.authorId === authorId) return null;
    return quoteApprovalUri(this.env.baseUrl, randomUUID());
  }

  /**
   * Stores a local or remote post. Sends the statements of a local post together, since none needs the result of
   * another. Writes nothing for a remote post that is already stored.
   * @throws Unprocessable unless the author owns all uploads and no other post uses them
   */
  async create(post: StatusToWrite): Promise<Written> {
    const { status, addressees, silentAddressees, tags, hasLinks, hasSubscribers } = post;
    const { id, authorId, visibility, inReplyToId, local } = status;
    const inserted = this.repository.insert(status);
    if (!local && (await inserted) === undefined)
      return { statusId: await this.requireStored(status.uri), isNew: false };
    const written: Promise<unknown>[] = [inserted, ...this.parts(post)];
    if (DIRECT.includes(visibility)) written.push(this.conversations.join(id));
    if (local) written.push(this.authorFeed.insert(authorId, id, null));
    this.countStatus(status, post.isCounted);
    this.totals.add(authorId, visibility, 1);
    this.countReferences(post);
    if (status.expiresAt)
      this.jobs.enqueue(ExpireStatus, { statusId: id }, { key: endOfStatus(id), runAt: status.expiresAt });
    this.events.emit(
      new StatusCreated({
        statusId: id,
        authorId,
        local,
        visibility,
        reblogOfId: null,
        inReplyToId,
        hasMentions: addressees.length + silentAddressees.length > 0,
        hasTags: tags.length > 0,
        isQuote: status.quoteOfId !== null,
        hasLinks,
        hasSubscribers,
        isNews: isNews(status),
      }),
    );
    await Promise.all(written);
    return { statusId: id, isNew: true, conversationId: await inserted };
  }

  /** Writes the parts of a post besides its row. */
  private parts({ status, page, poll, tags, mediaIds, remoteMedia, ...post }: StatusToWrite): Promise<unknown>[] {
    const { id, authorId, listId } = status;
    const { addressees, silentAddressees } = post;
    const written: Promise<unknown>[] = [];
    if (addressees.length + silentAddressees.length > 0) {
      written.push(this.address(status, addressees, silentAddressees));
    }
    if (listId !== null) written.push(this.repository.insertListed(id, authorId, listId));
    if (tags.length > 0) written.push(this.repository.insertTags(id, tags));
    if (page !== undefined) written.push(this.cards.attachNew(id, page));
    if (mediaIds.length > 0) written.push(this.attachments.attach(id, authorId, mediaIds));
    if (remoteMedia.length > 0) written.push(this.attachments.attachRemote(id, authorId, remoteMedia));
    if (poll) written.push(this.addPoll(id, poll));
    return written;
  }

  private async address({ id, authorId, visibility }: NewStatus, named: readonly string[], silent: readonly string[]) {
    const groupIds = await this.repository.insertMentions(id, authorId, named, silent);
    if (groupIds.length > 0 && PUBLIC.includes(visibility)) this.events.emit(new GroupAddressed(id, groupIds));
  }

  private addPoll(statusId: string, poll: PollDraft): Promise<void> {
    const { expiresAt } = poll;
    if (expiresAt) this.jobs.enqueue(ClosePoll, { statusId }, { key: endOfPoll(statusId), runAt: expiresAt });
    return this.polls.insert(statusId, poll);
  }

  /** Boosts a post; returns the id of the new or the earlier boost. */
  async reblog(
    accountId: string,
    status: StatusRow,
    wanted?: ReblogVisibility,
    remote?: RemoteReblog,
  ): Promise<string> {
    const createdAt = remote ? pastOf(remote.publishedAt) : new Date();
    const reblog: NewReblog = {
      id: remote ? this.ids.at(createdAt.getTime()) : this.ids.next(),
      authorId: accountId,
      uri: remote?.uri ?? activityUri(this.env.baseUrl, randomUUID()),
      visibility: reblogVisibility(status.visibility, wanted),
      reblogOfId: status.id,
      flags: remote?.isPassedOn === true ? StatusFlag.passedOn : 0,
      local: remote === undefined,
      createdAt,
    };
    if (!(await this.repository.insertReblog(reblog))) return this.earlierReblog(status.id, accountId);
    this.countStatus(reblog);
    if (reblog.flags === 0) this.counters.addReblog(status.id, remote?.isStated);
    this.events.emit(
      new StatusCreated({
        statusId: reblog.id,
        authorId: accountId,
        local: reblog.local,
        visibility: reblog.visibility,
        reblogOfId: status.id,
        inReplyToId: null,
        hasMentions: false,
        hasTags: false,
        isQuote: false,
        hasLinks: false,
        hasSubscribers: false,
        isNews: isNews(reblog),
      }),
    );
    if (reblog.local) await this.authorFeed.insert(accountId, reblog.id, status.id);
    return reblog.id;
  }

  /** @throws NotFound when the earlier boost, or the post, is deleted at the same time */
  private async earlierReblog(statusId: string, accountId: string): Promise<string> {
    const id = await this.statuses.reblogOf(statusId, accountId);
    if (id === undefined) throw new NotFound();
    return id;
  }

  private async requireStored(uri: string): Promise<string> {
    const status = await this.statuses.byUri(uri);
    if (!status) throw new NotFound(); // deleted meanwhile
    return status.id;
  }

  private countReferences({ status, parent, quoted }: StatusToWrite): void {
    const visibilities = { parentVisibility: parent?.visibility, quotedVisibility: quoted?.visibility };
    this.counters.addReferences({ ...status, ...visibilities }, 1);
  }

  private countStatus(
    { authorId, visibility, createdAt }: Pick<NewStatus, 'authorId' | 'visibility' | 'createdAt'>,
    isCounted = false,
  ): void {
    if (ADDRESSED_ONLY.includes(visibility)) return;
    if (!isCounted) this.accountCounters.add(authorId, 'statuses', 1);
    this.accountCounters.posted(authorId, createdAt.toISOString());
  }
}

/** Whether a post has no parts, refers to no other post and does not end. */
function hasNoParts({ flags, visibility, inReplyToId, quoteOfId, conversationId, expiresAt }: NewStatus): boolean {
  const references = [inReplyToId, quoteOfId, conversationId, expiresAt];
  return flags === 0 && !DIRECT.includes(visibility) && references.every((reference) => reference === null);
}

/** The address under which a parent of another server may come back; one of this server never does. */
function remoteUriOf(parent: Draft['parent']): string | null {
  return parent?.local === false ? (parent.uri ?? null) : null;
}

function flagsOf({ addressees, listId, tags, mediaIds, poll }: Draft): number {
  return (
    (addressees.length > 0 || listId !== null ? StatusFlag.mentions : 0) |
    (tags.length > 0 ? StatusFlag.tags : 0) |
    (mediaIds.length > 0 ? StatusFlag.media : 0) |
    (poll ? StatusFlag.poll : 0)
  );
}

/** Limits a time from a remote server to now (threat F18). */
export function pastOf(time: Date): Date {
  return new Date(Math.min(time.getTime(), Date.now()));
}

/** A boost is never more visible than its post. */
function reblogVisibility(visibility: number, wanted: ReblogVisibility | undefined): number {
  return PUBLIC_OR_UNLISTED.includes(visibility) && wanted !== undefined ? Visibility[wanted] : visibility;
}

/**
 * Whether a post or boost that is stored now was written now, too. Posts of other servers may be old: they are fetched with
 * a profile or a thread. Those are in no stream, and notify nobody.
 */
function isNews({ local, createdAt }: { local: boolean; createdAt: Date }): boolean {
  return local || createdAt.getTime() > Date.now() - NEWS_MS;
}
