import type { StoredEmoji } from '../../emoji/index.js';
import { parseHandle, type PostingRestrictions } from '../../accounts/index.js';
import {
  type FormattedText,
  type Handle,
  isBlank,
  isStatusLongerThan,
  languageTag,
  meantVisibility,
  POST_FORMATS,
  type PostFormat,
  type TextResolver,
  unique,
  Unprocessable,
} from '../../common/index.js';
import { QuotePolicy, type QuotePolicyName } from '../model/quote-policy.js';
import { expiryOf } from '../model/expiry.js';
import { draftPoll, type PollDraft, type PollLimits, type PollOptions } from '../polls/poll.draft.js';
import { type Quoted, requireQuotable } from './quotable.js';
import { hasPageLink } from '../model/page-card.js';
import { restrictedMedia, restrictedVisibility } from '../model/restricted.js';
import { Visibility, visibilityName, type VisibilityName, DIRECT, FOLLOWERS_ONLY, LIST } from '../model/visibility.js';

/** The input for a post. Names in `to` replace the mentions in the text. */
export interface ComposeOptions {
  readonly text: string;
  /** A format that is not allowed here counts as plain text. */
  readonly contentType?: string | undefined;
  readonly spoiler?: string | undefined;
  readonly sensitive?: boolean | undefined;
  readonly visibility?: VisibilityName | undefined;
  /** For the visibility `list`: the author's list whose members are addressed. */
  readonly listId?: string | undefined;
  readonly language?: string | undefined;
  readonly inReplyToId?: string | undefined;
  readonly quoteId?: string | undefined;
  /** Who may quote the post. */
  readonly quotePolicy?: QuotePolicyName | undefined;
  /** Makes it a direct post to the recipients of the conversation, for any other options. */
  readonly inReplyToConversationId?: string | undefined;
  readonly to?: readonly string[] | undefined;
  /** Seconds. */
  readonly expiresIn?: number | undefined;
  /** The attachments, in order. */
  readonly mediaIds?: readonly string[] | undefined;
  readonly poll?: PollOptions | undefined;
  /** For an edit: the post keeps its poll. */
  readonly keepsPoll?: boolean;
  /** Whether the app knows `local` and `list` only under other names. */
  readonly isReferenceApp?: boolean;
}

/** The post that the draft replies to. */
export interface Parent {
  readonly id: string;
  readonly authorId: string;
  readonly visibility: number;
  readonly spoiler?: string;
  readonly conversationId: string | null;
  /** Known of a stored post. */
  readonly uri?: string;
  readonly local?: boolean;
}

/** The conversation that the draft continues. */
export interface ContinuedConversation {
  readonly conversationId: string;
  /** Account ids, including the author. */
  readonly recipients: readonly string[];
}

/** The context for the rules of a post. */
export interface DraftContext extends Pick<TextResolver, 'mention'> {
  readonly authorId: string;
  /** The author's defaults. */
  readonly defaults: {
    readonly visibility: VisibilityName;
    readonly sensitive: boolean;
    readonly language: string | null;
    readonly quotePolicy: QuotePolicyName;
  };
  /** The restrictions by the author's moderation tags. */
  readonly restrictions: PostingRestrictions;
  /** Whether an account subscribed to the author's posts. */
  readonly hasSubscribers?: boolean;
  /** Whether the author reads posts with their formatting. */
  readonly isFormattingShown?: boolean;
  readonly parent: Parent | undefined;
  readonly conversation?: ContinuedConversation | undefined;
  readonly quoted?: Quoted | undefined;
  /** The author's list that the post is for. */
  readonly listId?: string | undefined;
  readonly formats: readonly string[];
  /** Whether a direct post addresses only the accounts mentioned at its beginning. */
  readonly safeDirectMentions: boolean;
  readonly pollLimits: PollLimits;
  readonly now: Date;
}

/** A valid post, ready to be stored. */
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
  readonly quotePolicy: number;
  readonly listId: string | null;
  /** Null when the post starts a conversation. */
  readonly conversationId: string | null;
  /** Ids of the addressed accounts, in order. */
  readonly addressees: readonly string[];
  readonly tags: readonly string[];
  readonly hasLinks: boolean;
  readonly hasSubscribers: boolean;
  readonly isFormattingShown: boolean;
  readonly expiresAt: Date | null;
  readonly mediaIds: readonly string[];
  readonly poll: PollDraft | null;
}

const PLAIN: PostFormat = 'text/plain';
const SENSITIVE_TAG = 'nsfw';

/**
 * Checks the length in characters. Call it first, since a long text takes long to parse.
 * @throws Unprocessable
 */
export function requireLength({ text, spoiler = '' }: ComposeOptions, max: number): void {
  if (isStatusLongerThan(max, text.trim(), spoiler.trim()))
    throw new Unprocessable('The status is over the character limit');
}

/** The text that is formatted, and its format. */
export function typedText(options: ComposeOptions, formats: readonly string[]): { source: string; type: PostFormat } {
  return { source: options.text.trim(), type: formatOf(options, formats) };
}

/**
 * Turns the input into a post (spec §10.7, §10.8).
 * @param formatted its {@link typedText}, formatted
 * @throws Unprocessable when the content breaks a rule
 */
export function draftStatus(options: ComposeOptions, formatted: FormattedText, context: DraftContext): Draft {
  const { source, type: contentType } = typedText(options, context.formats);
  const spoiler = spoilerOf(options);
  const visibility = restrictedVisibility(visibilityOf(options, context), context.restrictions);
  requireQuotable(context, visibility);
  const chosen = (options.sensitive ?? context.defaults.sensitive) || formatted.tags.includes(SENSITIVE_TAG);
  const { media: mediaIds, sensitive } = restrictedMedia(
    { media: options.mediaIds ?? [], sensitive: chosen, spoiler },
    context.restrictions,
  );
  const poll = options.poll ? draftPoll(options.poll, context.pollLimits, context.now) : null;
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
    language: languageOf(options.language) ?? context.defaults.language,
    parent: context.parent,
    quoted: context.quoted,
    quotePolicy: quotePolicyOf(options, context),
    listId: listOf(context, visibility),
    conversationId: conversationOf(context),
    addressees: addresseesOf(options, context, visibility, formatted),
    tags: formatted.tags,
    hasLinks: hasPageLink(formatted.html),
    hasSubscribers: context.hasSubscribers ?? false,
    isFormattingShown: context.isFormattingShown ?? false,
    expiresAt: expiryOf(options.expiresIn, context.now),
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
  return conversation?.conversationId ?? parent?.conversationId ?? null;
}

/** Ignores a content warning without visible characters (threat U3). */
function spoilerOf({ spoiler = '' }: ComposeOptions): string {
  return isBlank(spoiler) ? '' : spoiler.trim();
}

/** Whether a text has nothing visible: only invisible characters or empty markup, and no image. */
function showsNothing({ html, text }: FormattedText): boolean {
  return isBlank(text) && !html.includes('<img ');
}

/** The requested choice, else the author's default. */
function quotePolicyOf({ quotePolicy }: ComposeOptions, { defaults }: DraftContext): number {
  return QuotePolicy[quotePolicy ?? defaults.quotePolicy];
}

/**
 * The requested visibility, else the parent's, else the author's default. A reply to a direct post must be direct. An
 * app of the reference repeats those of the parent and the author by its own names.
 */
function visibilityOf(
  { visibility: asked, isReferenceApp }: ComposeOptions,
  { parent, conversation, defaults }: DraftContext,
): number {
  if (conversation) return Visibility.direct;
  const known = isReferenceApp ? [parent && visibilityName(parent.visibility), defaults.visibility] : [];
  const visibility = asked && meantVisibility(asked, ...known);
  if (visibility === undefined) return parent?.visibility ?? Visibility[defaults.visibility];
  if (parent && DIRECT.includes(parent.visibility) && !DIRECT.includesName(visibility)) {
    throw new Unprocessable('The message visibility must be direct');
  }
  return Visibility[visibility];
}

/** Includes the parent's author, unless the reply is followers-only. */
function addresseesOf(
  options: ComposeOptions,
  context: DraftContext,
  visibility: number,
  formatted: FormattedText,
): string[] {
  const { parent, authorId, conversation, safeDirectMentions } = context;
  if (conversation) return conversation.recipients.filter((id) => id !== authorId);
  const isForFew = FOLLOWERS_ONLY.includes(visibility) || DIRECT.includes(visibility);
  const answered = parent && (!isForFew || DIRECT.includes(parent.visibility)) && parent.authorId !== authorId;
  const named = options.to
    ? accountIds(handlesOf(options.to), context)
    : safeDirectMentions && DIRECT.includes(visibility)
      ? formatted.leading
      : formatted.mentions;
  return unique([answered ? parent.authorId : null, ...named]);
}

function accountIds(handles: readonly Handle[], context: DraftContext): string[] {
  return unique(handles.map((handle) => context.mention(handle)?.accountId));
}

/** Parses `name`, `@name`, `name@domain` or `@name@domain`; ignores everything else. */
export function handlesOf(nicknames: readonly string[]): Handle[] {
  const handles = nicknames.flatMap((nickname) => parseHandle(nickname, []) ?? []);
  return handles.map(({ username, domain }) => ({ username, domain }));
}

/** Normalises a language tag. An invalid tag gives null: it is no reason to reject a post. */
function languageOf(language = ''): string | null {
  return languageTag(language) ?? null;
}

/** A post to edit. */
export interface EditableRow {
  readonly id: string;
  readonly authorId: string;
  readonly visibility: number;
  readonly inReplyToAccountId: string | null;
  readonly quotedUri: string | null;
  /** Null where the quoted post is not stored. */
  readonly quotedAuthorId: string | null;
  readonly contentHtml: string;
  readonly source: string | null;
  readonly contentType: string;
  readonly spoiler: string;
  readonly sensitive: boolean;
  readonly language: string | null;
  readonly local: boolean;
  readonly flags: number;
  readonly editedAt: string | null;
  /** When its server last changed a remote post, as far as the server states that. */
  readonly describedAt: string | null;
  /** In order. */
  readonly mediaIds: readonly string[];
  /** The descriptions of these, in the same order. */
  readonly mediaDescriptions: readonly string[];
  /** Ids of the mentioned accounts, in order. */
  readonly mentionedIds: readonly string[];
  readonly tags: readonly string[];
  /** The custom emoji of a remote post. */
  readonly emojis: readonly StoredEmoji[];
  readonly poll: EditablePoll | null;
}

export interface EditablePoll {
  readonly options: readonly string[];
  readonly multiple: boolean;
  readonly hideTotals: boolean;
}
