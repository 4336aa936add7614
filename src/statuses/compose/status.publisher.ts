import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccountCounters } from '../../accounts/index.js';
import { activityUri, contextUri, NotFound, objectUri } from '../../common/index.js';
import { AttachmentsService } from '../../media/index.js';
import { ENV, type Env, Events, FlakeIds, Jobs } from '../../platform/index.js';
import { AuthorFeed } from './author-feed.port.js';
import { PreviewCardsService } from '../cards/preview-cards.service.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import { ComposeRepository, type NewBoost, type NewStatus } from './compose.repository.js';
import type { Draft } from './draft.js';
import { endOfPoll, endOfStatus, ExpireStatus } from '../model/expiry.js';
import type { PollDraft } from '../polls/poll.draft.js';
import { PollRepository } from '../polls/poll.repository.js';
import { ClosePoll } from '../polls/polls.service.js';
import { StatusCounters } from '../counters/status.counters.js';
import { StatusFlag } from '../model/status.flags.js';
import { StatusRepository, type StatusRow } from '../core/status.repository.js';
import { StatusCreated } from '../model/statuses.events.js';
import { Visibility, type VisibilityName, DIRECT, PUBLIC_OR_UNLISTED, ADDRESSED_ONLY } from '../model/visibility.js';

/** A post with everything that is written with it. */
export interface NewPost {
  readonly status: NewStatus;
  /** Account ids, in order. */
  readonly addressees: readonly string[];
  readonly tags: readonly string[];
  readonly hasLinks: boolean;
  /** The page whose card it shows. */
  readonly page: string | undefined;
  readonly hasSubscribers: boolean;
  /** Uploads, in order. */
  readonly mediaIds: readonly string[];
  readonly poll: PollDraft | null;
}

/** Visibilities that somebody may choose for a boost. */
export const BOOST_VISIBILITIES = ['public', 'unlisted', 'private'] as const satisfies readonly VisibilityName[];
export type BoostVisibility = (typeof BOOST_VISIBILITIES)[number];

/** Stores posts and boosts with all that follows at once: counters, the author's feed, events. Runs in an open unit of work. */
@Injectable()
export class StatusPublisher {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly ids: FlakeIds,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly repository: ComposeRepository,
    private readonly statuses: StatusRepository,
    private readonly counters: StatusCounters,
    private readonly accountCounters: AccountCounters,
    private readonly authorFeed: AuthorFeed,
    private readonly attachments: AttachmentsService,
    private readonly conversations: ConversationRepository,
    private readonly polls: PollRepository,
    private readonly cards: PreviewCardsService,
  ) {}

  /** The local post that a draft becomes. */
  async postOf(draft: Draft, authorId: string, application: NewStatus['application']): Promise<NewPost> {
    const { parent, quoted, addressees, tags, hasLinks, hasSubscribers, mediaIds, poll } = draft;
    const status: NewStatus = {
      id: this.ids.next(),
      authorId,
      uri: objectUri(this.env.baseUrl, randomUUID()),
      visibility: draft.visibility,
      inReplyToId: parent?.id ?? null,
      inReplyToAccountId: parent?.author_id ?? null,
      quoteOfId: quoted?.id ?? null,
      quoteUri: quoted?.uri ?? null,
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
      application,
      createdAt: new Date(),
      expiresAt: draft.expiresAt,
      flags: flagsOf(draft),
    };
    const page = hasLinks ? await this.cards.pageOf(draft.contentHtml) : undefined;
    return { status, addressees, tags, hasLinks, page, hasSubscribers, mediaIds, poll };
  }

  /**
   * The statements go out together: none waits for the answer of another.
   * @throws Unprocessable unless all uploads are the author's and not part of another post
   */
  async post(post: NewPost): Promise<void> {
    const { status, addressees, tags, hasLinks, page, hasSubscribers, mediaIds, poll } = post;
    const { id, authorId, visibility, inReplyToId } = status;
    const written = [this.repository.insert(status)];
    if (addressees.length > 0) written.push(this.repository.insertMentions(id, authorId, addressees));
    if (status.listId !== null) written.push(this.repository.insertListed(id, authorId, status.listId));
    if (tags.length > 0) written.push(this.repository.insertTags(id, tags));
    if (page !== undefined) written.push(this.cards.attachNew(id, page));
    if (mediaIds.length > 0) written.push(this.attachments.attach(id, authorId, mediaIds));
    if (poll) written.push(this.addPoll(id, poll));
    if (DIRECT.includes(visibility)) written.push(this.conversations.join(id));
    written.push(this.authorFeed.insert(authorId, id, null));
    this.countPost(status);
    if (!ADDRESSED_ONLY.includes(visibility)) this.countReferences(status);
    if (status.expiresAt)
      this.jobs.enqueue(ExpireStatus, { statusId: id }, { key: endOfStatus(id), runAt: status.expiresAt });
    this.events.emit(
      new StatusCreated({
        statusId: id,
        authorId,
        local: status.local,
        visibility,
        reblogOfId: null,
        inReplyToId,
        hasMentions: addressees.length > 0,
        hasTags: tags.length > 0,
        isQuote: status.quoteOfId !== null,
        hasLinks,
        hasSubscribers,
      }),
    );
    await Promise.all(written);
  }

  private addPoll(statusId: string, poll: PollDraft): Promise<void> {
    this.jobs.enqueue(ClosePoll, { statusId }, { key: endOfPoll(statusId), runAt: poll.expiresAt });
    return this.polls.insert(statusId, poll);
  }

  /** Boosts a post; answers the id of the boost, also of an earlier one. */
  async boost(accountId: string, status: StatusRow, wanted?: BoostVisibility): Promise<string> {
    const boost: NewBoost = {
      id: this.ids.next(),
      authorId: accountId,
      uri: activityUri(this.env.baseUrl, randomUUID()),
      visibility: boostVisibility(status.visibility, wanted),
      reblogOfId: status.id,
      local: true,
      createdAt: new Date(),
    };
    if (!(await this.repository.insertBoost(boost))) return this.earlierBoost(status.id, accountId);
    this.countPost(boost);
    this.counters.add(status.id, 'reblogs', 1);
    this.events.emit(
      new StatusCreated({
        statusId: boost.id,
        authorId: accountId,
        local: boost.local,
        visibility: boost.visibility,
        reblogOfId: status.id,
        inReplyToId: null,
        hasMentions: false,
        hasTags: false,
        isQuote: false,
        hasLinks: false,
        hasSubscribers: false,
      }),
    );
    await this.authorFeed.insert(accountId, boost.id, status.id);
    return boost.id;
  }

  /** @throws NotFound when the earlier boost, or the post, is being deleted at this moment */
  private async earlierBoost(statusId: string, accountId: string): Promise<string> {
    const id = await this.statuses.boostOf(statusId, accountId);
    if (id === undefined) throw new NotFound();
    return id;
  }

  private countReferences({ inReplyToId, quoteOfId }: NewStatus): void {
    if (inReplyToId !== null) this.counters.add(inReplyToId, 'replies', 1);
    if (quoteOfId !== null) this.counters.add(quoteOfId, 'quotes', 1);
  }

  private countPost({
    authorId,
    visibility,
    createdAt,
  }: Pick<NewStatus, 'authorId' | 'visibility' | 'createdAt'>): void {
    if (ADDRESSED_ONLY.includes(visibility)) return;
    this.accountCounters.add(authorId, 'statuses', 1);
    this.accountCounters.posted(authorId, createdAt.toISOString());
  }
}

function flagsOf({ addressees, listId, tags, mediaIds, poll }: Draft): number {
  return (
    (addressees.length > 0 || listId !== null ? StatusFlag.mentions : 0) |
    (tags.length > 0 ? StatusFlag.tags : 0) |
    (mediaIds.length > 0 ? StatusFlag.media : 0) |
    (poll ? StatusFlag.poll : 0)
  );
}

/** A boost reaches nobody whom the post was not for. */
function boostVisibility(visibility: number, wanted: BoostVisibility | undefined): number {
  return PUBLIC_OR_UNLISTED.includes(visibility) && wanted !== undefined ? Visibility[wanted] : visibility;
}
