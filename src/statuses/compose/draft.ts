import { parseHandle, type PostRestrictions } from '../../accounts/index.js';
import {
  codePointLength,
  findMentions,
  type FormattedText,
  formatText,
  type Handle,
  isBlank,
  languageTag,
  leadingMentions,
  POST_FORMATS,
  type PostFormat,
  type TextResolver,
  unique,
  Unprocessable,
} from '../../common/index.js';
import { expiryOf } from '../model/expiry.js';
import { draftPoll, type PollDraft, type PollLimits, type PollOptions } from '../polls/poll.draft.js';
import { type Quoted, requireQuotable } from './quotable.js';
import { restrictedMedia, restrictedVisibility } from '../model/restricted.js';
import { Visibility, type VisibilityName, DIRECT, FOLLOWERS_ONLY, LIST } from '../model/visibility.js';

/** What somebody wants to post. Names in `to` replace the people that the text mentions. */
export interface ComposeOptions {
  readonly text: string;
  /** A format that is not allowed here counts as plain text. */
  readonly contentType?: string | undefined;
  readonly spoiler?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly visibility?: VisibilityName | undefined;
  /** Of the visibility `list`: one of the author's lists, to whose members it goes. */
  readonly listId?: string | undefined;
  readonly language?: string | undefined;
  readonly inReplyToId?: string | undefined;
  readonly quoteId?: string | undefined;
  /** Makes it a direct post to those whom the author writes to there, whatever else is chosen. */
  readonly inReplyToConversationId?: string | undefined;
  readonly to?: readonly string[] | undefined;
  /** Seconds. */
  readonly expiresIn?: number | undefined;
  /** What is attached, in order. */
  readonly mediaIds?: readonly string[] | undefined;
  readonly poll?: PollOptions | undefined;
  /** Of an edit: it has a poll already, which stays. */
  readonly keepsPoll?: boolean;
}

/** The post that is answered. */
export interface Parent {
  readonly id: string;
  readonly author_id: string;
  readonly visibility: number;
  readonly spoiler?: string;
  readonly conversation_id: string | null;
}

/** The conversation that is continued. */
export interface ContinuedConversation {
  readonly conversation_id: string;
  /** Account ids, the author's too. */
  readonly recipients: readonly string[];
}

/** What the rules of a post depend on besides the post. Accounts are found among those loaded for {@link handlesIn}. */
export interface DraftContext extends TextResolver {
  readonly authorId: string;
  /** What the author chose for posts that do not say. */
  readonly defaults: {
    readonly visibility: VisibilityName;
    readonly sensitive: boolean;
    readonly language: string | null;
  };
  /** What the author's moderation tags do. */
  readonly restrictions: PostRestrictions;
  /** Whether somebody asked to be told of the author's posts. */
  readonly hasSubscribers?: boolean;
  readonly parent: Parent | undefined;
  readonly conversation?: ContinuedConversation | undefined;
  readonly quoted?: Quoted | undefined;
  /** The author's list that it is for. */
  readonly listId?: string | undefined;
  readonly formats: readonly string[];
  /** Whether a direct post reaches only those named at its beginning. */
  readonly safeDirectMentions: boolean;
  readonly pollLimits: PollLimits;
  readonly now: Date;
}

/** A post that obeys the rules, ready to be stored. */
export interface Draft {
  readonly visibility: number;
  readonly source: string;
  readonly contentType: PostFormat;
  readonly contentHtml: string;
  readonly contentText: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly parent: Parent | undefined;
  readonly quoted: Quoted | undefined;
  readonly listId: string | null;
  /** Null when it opens one. */
  readonly conversationId: string | null;
  /** Whom it addresses, in order. */
  readonly addressees: readonly string[];
  readonly tags: readonly string[];
  readonly hasLinks: boolean;
  readonly hasSubscribers: boolean;
  readonly expiresAt: Date | null;
  readonly mediaIds: readonly string[];
  readonly poll: PollDraft | null;
}

const PLAIN: PostFormat = 'text/plain';
const SENSITIVE_TAG = 'nsfw';
/** A link that is neither a mention nor a hashtag: both carry a class. */
const PLAIN_LINK = /<a (?![^>]*class=)[^>]*href=/;

/**
 * Checks the length, in characters: before anything else, since a long text takes long to read.
 * @throws Unprocessable
 */
export function requireLength({ text, spoiler = '' }: ComposeOptions, max: number): void {
  if (codePointLength(text.trim()) + codePointLength(spoiler.trim()) <= max) return;
  throw new Unprocessable('The status is over the character limit');
}

/** Every handle whose account {@link draftStatus} will ask for. */
export function handlesIn(options: ComposeOptions, formats: readonly string[]): Handle[] {
  return [...findMentions(options.text.trim(), formatOf(options, formats)), ...handlesOf(options.to ?? [])];
}

/**
 * Makes a post out of what was typed (spec §10.7, §10.8).
 * @throws Unprocessable when it breaks a rule about content
 */
export function draftStatus(options: ComposeOptions, around: DraftContext): Draft {
  const contentType = formatOf(options, around.formats);
  const source = options.text.trim();
  const spoiler = spoilerOf(options);
  const visibility = restrictedVisibility(visibilityOf(options, around), around.restrictions);
  requireQuotable(around, visibility);
  const formatted = formatText(source, contentType, around);
  const chosen = (options.sensitive ?? around.defaults.sensitive) || formatted.tags.includes(SENSITIVE_TAG);
  const { media: mediaIds, sensitive } = restrictedMedia(
    { media: options.mediaIds ?? [], sensitive: chosen },
    around.restrictions,
  );
  const poll = options.poll ? draftPoll(options.poll, around.pollLimits, around.now) : null;
  if (mediaIds.length === 0 && !poll && !options.keepsPoll && showsNothing(formatted)) {
    throw new Unprocessable('Cannot post an empty status without attachments');
  }
  return {
    visibility,
    source,
    contentType,
    contentHtml: formatted.html,
    contentText: formatted.text,
    spoiler,
    sensitive,
    language: languageOf(options.language) ?? around.defaults.language,
    parent: around.parent,
    quoted: around.quoted,
    listId: listOf(around, visibility),
    conversationId: conversationOf(around),
    addressees: addresseesOf(options, around, visibility, formatted, contentType),
    tags: formatted.tags,
    hasLinks: PLAIN_LINK.test(formatted.html),
    hasSubscribers: around.hasSubscribers ?? false,
    expiresAt: expiryOf(options.expiresIn, around.now),
    mediaIds,
    poll,
  };
}

function formatOf({ contentType }: ComposeOptions, allowed: readonly string[]): PostFormat {
  return POST_FORMATS.find((format) => format === contentType && allowed.includes(format)) ?? PLAIN;
}

function listOf({ listId }: DraftContext, visibility: number): string | null {
  return LIST.includes(visibility) ? (listId ?? null) : null;
}

function conversationOf({ conversation, parent }: DraftContext): string | null {
  return conversation?.conversation_id ?? parent?.conversation_id ?? null;
}

/** A warning that nobody sees is none (threat U3). */
function spoilerOf({ spoiler = '' }: ComposeOptions): string {
  return isBlank(spoiler) ? '' : spoiler.trim();
}

/** Invisible characters and empty markup are nothing; a picture is something. */
function showsNothing({ html, text }: FormattedText): boolean {
  return isBlank(text) && !html.includes('<img ');
}

/** What was asked for, else the parent's, else the author's choice. Nobody makes an answer to a direct post public. */
function visibilityOf({ visibility }: ComposeOptions, { parent, conversation, defaults }: DraftContext): number {
  if (conversation) return Visibility.direct;
  if (visibility === undefined) return parent?.visibility ?? Visibility[defaults.visibility];
  if (parent && DIRECT.includes(parent.visibility) && visibility !== 'direct') {
    throw new Unprocessable('The message visibility must be direct');
  }
  return Visibility[visibility];
}

/** The parent's author is addressed too, unless the answer is for followers only. */
function addresseesOf(
  options: ComposeOptions,
  around: DraftContext,
  visibility: number,
  formatted: FormattedText,
  contentType: PostFormat,
): string[] {
  const { parent, authorId, conversation, safeDirectMentions } = around;
  if (conversation) return conversation.recipients.filter((id) => id !== authorId);
  const isForFew = FOLLOWERS_ONLY.includes(visibility) || DIRECT.includes(visibility);
  const answered = parent && (!isForFew || DIRECT.includes(parent.visibility)) && parent.author_id !== authorId;
  const named = options.to
    ? accountIds(handlesOf(options.to), around)
    : safeDirectMentions && DIRECT.includes(visibility)
      ? accountIds(leadingMentions(options.text.trim(), contentType), around)
      : formatted.mentions;
  return unique([answered ? parent.author_id : null, ...named]);
}

function accountIds(handles: readonly Handle[], around: DraftContext): string[] {
  return unique(handles.map((handle) => around.mention(handle)?.accountId));
}

/** `name`, `@name`, `name@domain` or `@name@domain`; what is none names nobody. */
function handlesOf(nicknames: readonly string[]): Handle[] {
  const handles = nicknames.flatMap((nickname) => parseHandle(nickname, []) ?? []);
  return handles.map(({ username, domain }) => ({ username, domain }));
}

/** A language tag, however it is spelled; what is none is not worth losing a post for. */
function languageOf(language = ''): string | null {
  return languageTag(language) ?? null;
}

/** A post that its author wants to edit. */
export interface EditableRow {
  readonly id: string;
  readonly author_id: string;
  readonly visibility: number;
  readonly in_reply_to_account_id: string | null;
  readonly content_html: string;
  readonly source: string | null;
  readonly content_type: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly local: boolean;
  readonly flags: number;
  readonly edited_at: string | null;
  /** In order. */
  readonly media_ids: readonly string[];
  /** Account ids of those it names, in order. */
  readonly mentioned_ids: readonly string[];
  readonly poll: EditablePoll | null;
}

export interface EditablePoll {
  readonly options: readonly string[];
  readonly multiple: boolean;
  readonly hide_totals: boolean;
}
