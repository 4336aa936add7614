import { Inject, Injectable } from '@nestjs/common';
import { acctOf, mentionJson } from '../../accounts/index.js';
import {
  cutHtml,
  hasQuoteLink,
  Json,
  MAX_HTML_BYTES,
  noticeUrl,
  tagUrl,
  withoutVouching,
  withPictures,
} from '../../common/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { AttachmentView, MediaUrls } from '../../media/index.js';
import { Brand, ENV, type Env } from '../../platform/index.js';
import type { BodyRow } from './body-row.js';
import { cardJson } from './preview-card.render.js';
import type { PageRow } from '../model/page.sql.js';
import { quoteApproval } from './quote-approval.render.js';
import { withPicture } from './reaction.render.js';
import type { ReactionCountJson } from './reaction.shape.js';
import { type PollFacts, pollJson } from './poll.render.js';
import { type Body, membersOf, readableText } from './status-body.cache.js';
import { emojiOfStatus } from './status.emoji.js';
import { type FilterSet, type FilterVerdict, UNFILTERED } from './viewer-filters.port.js';
import { visibilityName } from '../model/visibility.js';

/** The state of a viewer for a page of statuses, including facts that only their author sees. */
export interface ViewerFacts {
  /** Undefined for anonymous callers. */
  readonly viewerId: string | undefined;
  readonly favourited: ReadonlySet<string>;
  readonly reblogged: ReadonlySet<string>;
  /** Conversation ids. */
  readonly mutedThreads: ReadonlySet<string>;
  /** Account ids. */
  readonly mutedAuthors: ReadonlySet<string>;
  /** When the first of these mutes ends, in Unix milliseconds. */
  readonly mutesEndAt: number;
  /** Ids of accounts that block the viewer, or that the viewer blocks. */
  readonly blockedAuthors: ReadonlySet<string>;
  /** Ids of posts that the viewer may quote as a follower of their authors. */
  readonly followedChoices: ReadonlySet<string>;
  /** When the viewer's own statuses are deleted, by status id. */
  readonly expiries: ReadonlyMap<string, string>;
  /** The lists that the viewer's own statuses are for, by status id. */
  readonly lists: ReadonlyMap<string, string>;
  /** The viewer's ids of the conversations of direct posts, by status id. */
  readonly conversations: ReadonlyMap<string, string>;
  /** The polls of statuses with the viewer's choices, by status id. */
  readonly polls: ReadonlyMap<string, PollFacts>;
  /** Folders of bookmarks, null for none, by status id. */
  readonly bookmarks: ReadonlyMap<string, string | null>;
  /** Posts that their authors pinned, for every viewer: web frontends need it to show them at the top of a profile. */
  readonly pinned: ReadonlySet<string>;
  /** By status id, in the order of first use. */
  readonly reactions: ReadonlyMap<string, readonly ReactionCountJson[]>;
  /** Whether the viewer wants posts without formatting (`no_rich_text`). */
  readonly plain: boolean;
  /** Undefined for a viewer without filters. */
  readonly filters: FilterSet | undefined;
}

/** The facts of an anonymous viewer. */
export const NO_FACTS: ViewerFacts = {
  viewerId: undefined,
  favourited: new Set(),
  reblogged: new Set(),
  mutedThreads: new Set(),
  mutedAuthors: new Set(),
  mutesEndAt: Infinity,
  blockedAuthors: new Set(),
  followedChoices: new Set(),
  expiries: new Map(),
  lists: new Map(),
  conversations: new Map(),
  polls: new Map(),
  bookmarks: new Map(),
  pinned: new Set(),
  reactions: new Map(),
  plain: false,
  filters: undefined,
};

/** The source text of a post and its format. */
export interface TypedText {
  readonly text: string;
  readonly contentType: string;
}

/** The data that one entry of a page is rendered from. */
export interface Entry {
  readonly row: PageRow;
  /** In the variant that the viewer gets. */
  readonly body: Body<string | Buffer>;
  readonly author: Json;
  /** Set for a boost. */
  readonly reblogger: Json | undefined;
  readonly viewer: ViewerFacts;
  readonly verdict: FilterVerdict;
  /** The quoted post, if the viewer may see it. Null inside a quote: quotes are shown one level deep. */
  readonly quote: Json | null;
  /** Whether it stands within the post that quotes it. */
  readonly isQuoted?: boolean;
  /** Set when a status is deleted, so that the author can write it again. */
  readonly source: TypedText | null;
}

/** The verdict of the viewer's filters on a post. They do not apply to the viewer's own posts. */
export function verdictOf(
  { filters, polls }: ViewerFacts,
  row: PageRow,
  body: Body,
  viewerId: string | undefined,
): FilterVerdict {
  if (!filters || row.authorId === viewerId) return UNFILTERED;
  return filters.judge({ id: row.id, text: readableText(body, polls.get(row.id)) });
}

/** Renders statuses (spec §2.3). Pure: it loads nothing. */
@Injectable()
export class StatusRenderer {
  private readonly baseUrl: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly brand: Brand,
    private readonly attachments: AttachmentView,
    private readonly emoji: EmojiCache,
    private readonly urls: MediaUrls,
  ) {
    this.baseUrl = env.baseUrl;
  }

  /** The part that is the same for every viewer. */
  body(row: BodyRow): Body<string> {
    const replied = row.replyNickname === null ? null : acctOf(row.replyNickname, row.replyDomain);
    const content = withPictures(withoutVouching(boundedHtml(row)), (url) => this.urls.remote(url));
    const attachments = row.attachments ?? [];
    return {
      shared: membersOf({
        uri: row.uri,
        url: row.local ? noticeUrl(this.baseUrl, row.id) : (row.url ?? row.uri),
        content,
        language: row.language,
        media_attachments: this.attachments.many(attachments),
        mentions: (row.mentions ?? []).map(mentionJson),
        tags: (row.tags ?? []).map((name) => ({ name, url: tagUrl(this.baseUrl, name) })),
        tagged_collections: [],
      }),
      own: membersOf({
        id: row.id,
        created_at: row.createdAt,
        edited_at: row.editedAt,
        in_reply_to_account_id: row.inReplyToAccountId,
        spoiler_text: row.spoiler,
        sensitive: row.sensitive,
        visibility: visibilityName(row.visibility),
        application: row.application,
        emojis: emojiOfStatus(row, this.emoji, this.urls),
        card: row.card && cardJson(row.card, this.brand.word, (url) => this.urls.remote(url)),
        quote: missingQuote(row, this.baseUrl), // the last one: see quoteOf
      }),
      service: membersOf({
        local: row.local,
        conversation_id: this.conversationId(row.conversationId),
        context: row.context,
        in_reply_to_account_acct: replied,
        content: { 'text/plain': row.contentText },
        spoiler_text: { 'text/plain': row.spoiler },
        pinned_at: row.pinnedAt,
        quote_url: row.quoteUri,
      }),
      readable: [row.spoiler, row.contentText, ...attachments.map(({ description }) => description)].join('\n'),
      isLocal: row.local,
      hasQuoteLink: hasQuoteLink(content),
    };
  }

  /** An entry of a page: the post, or the boost that wraps it. */
  entry(entry: Entry): Json {
    const status = this.status(entry);
    return entry.reblogger === undefined ? status : this.reblog(entry, entry.reblogger, status);
  }

  private status(entry: Entry): Json {
    const { row, body, author, viewer, verdict, source, quote } = entry;
    const reactions = (viewer.reactions.get(row.id) ?? []).map((reaction) =>
      withPicture(reaction, this.emoji, this.urls),
    );
    const top = membersOf({
      in_reply_to_id: row.inReplyToId,
      reblog: null,
      text: source?.text ?? null,
      poll: this.poll(row, viewer),
      ...counters(row),
      ...viewerActions(row, viewer),
      filtered: verdict.results,
      emoji_reactions: reactions,
      quote_id: row.quoteOfId,
      quote_approval: quoteApproval(row, viewer),
    });
    const service = membersOf({
      thread_muted: isThreadMuted(row, viewer),
      parent_visible: row.inReplyToId !== null,
      expires_at: viewer.expiries.get(row.id) ?? null,
      direct_conversation_id: this.conversationId(viewer.conversations.get(row.id) ?? null),
      emoji_reactions: reactions,
      bookmark_folder: folderOf(row, viewer),
      list_id: viewer.lists.get(row.id) ?? null,
      quotes_count: row.quotes,
      quote_id: row.quoteOfId,
      quote_visible: quote !== null,
      ...(source ? { content_type: source.contentType } : {}),
    });
    return Json.join([
      '{',
      ...ownParts(body.own, entry),
      ',',
      body.shared,
      ',"account":',
      author,
      `,${top},"${this.brand.word}":{`,
      body.service,
      `,${service},"quote":`,
      quote ?? 'null',
      '}}',
    ]);
  }

  /** Apps for servers of another brand expect numbers here, and some accept nothing else (ADR 20). */
  private conversationId(id: string | null): string | number | null {
    return id === null || this.brand.word === 'svc' ? id : Number(id);
  }

  private poll({ id, authorId }: PageRow, { viewerId, polls }: ViewerFacts): object | null {
    const poll = polls.get(id);
    if (!poll) return null;
    const viewer = { isSignedIn: viewerId !== undefined, isAuthor: viewerId === authorId };
    const { svc, ...rest } = pollJson(poll, viewer, this.emoji, this.urls);
    return { ...rest, [this.brand.word]: svc };
  }

  /** A boost repeats the content of its post, but little else, for clients that ignore `reblog`. */
  private reblog({ row, body, viewer, verdict }: Entry, reblogger: Json, status: Json): Json {
    const top = membersOf({
      id: row.feedId,
      created_at: row.entryCreatedAt,
      edited_at: null,
      visibility: row.entryVisibility === null ? null : visibilityName(row.entryVisibility),
      in_reply_to_id: null,
      in_reply_to_account_id: null,
      text: null,
      spoiler_text: '',
      sensitive: false,
      application: null,
      emojis: [],
      card: null,
      poll: null,
      ...NO_COUNTS,
      ...viewerActions(row, viewer),
      filtered: verdict.results,
      emoji_reactions: [],
      quote: null,
      quote_id: null,
      quote_approval: quoteApproval(row, viewer),
      [this.brand.word]: { local: row.entryLocal, pinned_at: null, bookmark_folder: folderOf(row, viewer) },
    });
    return Json.join([`{${top},`, body.shared, ',"account":', reblogger, ',"reblog":', status, '}']);
  }
}

const QUOTE = ',"quote":';

/** What a post quotes that is not known here. People of this server quote only what is known. */
function missingQuote(row: BodyRow, baseUrl: string): object | null {
  const { local, quoteUri: uri, quoteRefused: isRefused } = row;
  if (uri === null) return null;
  const isDeleted = local || row.isQuoteDeleted || uri.startsWith(`${baseUrl}/`);
  const state = isRefused ? 'rejected' : isDeleted ? 'deleted' : 'pending';
  return { state, quoted_status: null };
}

/** The members that only the post has; what it quotes is the last of them, and differs from viewer to viewer. */
function ownParts(own: string | Buffer, { row, quote, isQuoted }: Entry) {
  const { quoteOfId: id } = row;
  if (id === null && !isQuoted) return [own];
  const end = own.lastIndexOf(QUOTE);
  const rest = typeof own === 'string' ? own.slice(0, end) : own.subarray(0, end);
  if (isQuoted) return [rest, QUOTE, JSON.stringify(id === null ? null : { state: 'accepted', quoted_status_id: id })];
  if (quote === null) return [rest, QUOTE, JSON.stringify({ state: 'unauthorized', quoted_status: null })];
  return [rest, QUOTE, '{"state":"accepted","quoted_status":', quote, '}'];
}

const NO_COUNTS = { replies_count: 0, reblogs_count: 0, favourites_count: 0, quotes_count: 0 };

function counters(row: PageRow): typeof NO_COUNTS {
  const { replies, reblogs, favourites, quotes } = row;
  return { replies_count: replies, reblogs_count: reblogs, favourites_count: favourites, quotes_count: quotes };
}

function viewerActions(row: PageRow, viewer: ViewerFacts): Record<string, boolean> {
  return {
    favourited: viewer.favourited.has(row.id),
    reblogged: viewer.reblogged.has(row.id),
    bookmarked: viewer.bookmarks.has(row.id),
    muted: isThreadMuted(row, viewer) || viewer.mutedAuthors.has(row.authorId),
    pinned: viewer.pinned.has(row.id),
  };
}

function folderOf(row: PageRow, viewer: ViewerFacts): string | null {
  return viewer.bookmarks.get(row.id) ?? null;
}

function isThreadMuted({ conversationId: thread }: PageRow, viewer: ViewerFacts): boolean {
  return thread !== null && viewer.mutedThreads.has(thread);
}

/** Posts of other servers that were stored before there was a bound may be longer (threat F22). */
function boundedHtml({ local, contentHtml: html }: BodyRow): string {
  return local ? html : cutHtml(html, MAX_HTML_BYTES);
}
