import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, acctOf, ListsService, postingRestrictions, UsersService } from '../../accounts/index.js';
import {
  type FormattedText,
  type Handle,
  mentionedIn,
  type PostFormat,
  type TextResolver,
  TextWorkers,
  textOfHtml,
  Unprocessable,
  withTypedNames,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { QuoteConsentService } from '../quotes/quote-consent.service.js';
import { StatusPolicies } from './status-policies.port.js';
import {
  type ComposeOptions,
  type Draft,
  draftStatus,
  type EditableRow,
  handlesOf,
  requireLength,
  typedText,
} from './draft.js';
import { StatusesService } from '../core/statuses.service.js';
import type { StatusRow } from '../core/status.repository.js';
import { visibilityName, LIST } from '../model/visibility.js';

/** What policies know of the post that a post quotes. */
interface PolicyQuoted {
  readonly uri: string;
  readonly authorId: string | null;
}

/** Turns the input into a valid post. Runs before the unit of work that stores the post. */
@Injectable()
export class DraftsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly settings: Settings,
    private readonly accounts: AccountsService,
    private readonly users: UsersService,
    private readonly lists: ListsService,
    private readonly statuses: StatusesService,
    private readonly conversations: ConversationsService,
    private readonly policies: StatusPolicies,
    private readonly texts: TextWorkers,
    private readonly consent: QuoteConsentService,
  ) {}

  /**
   * Checks the length. Call it before the text is parsed.
   * @throws Unprocessable
   */
  requireLength(options: ComposeOptions): void {
    requireLength(options, this.settings.get('instance.limit'));
  }

  /** Fetches mentioned remote accounts that are not stored yet. Not inside a unit of work. */
  async fetchMentioned(options: ComposeOptions): Promise<void> {
    await this.accounts.fetchUnknown(await this.handlesIn(options));
  }

  /**
   * Drafts an edited post. Its parent and its visibility stay unchanged, and its format stays allowed: in another one,
   * its text would show its markup.
   * @throws Unprocessable when the content breaks a rule
   */
  async revise(row: EditableRow, options: ComposeOptions, keepsPoll: boolean): Promise<Draft> {
    this.requireLength(options);
    const { authorId, visibility, inReplyToAccountId: answeredId } = row;
    const formats = [...this.formats, row.contentType];
    const handles = await this.handlesIn(options, formats);
    const [known, { tags }] = await Promise.all([this.accounts.known(handles), this.users.defaults(authorId)]);
    const parent = answeredId === null ? undefined : { id: '', authorId: answeredId, visibility, conversationId: null };
    const draft = draftStatus(
      { ...options, visibility: visibilityName(visibility), keepsPoll },
      await this.formatted(options, handles, known, formats),
      {
        ...this.contextOf(known),
        formats,
        authorId,
        defaults: { visibility: 'public', sensitive: false, language: null, quotePolicy: 'public' },
        restrictions: postingRestrictions(tags),
        parent,
      },
    );
    const { quotedUri: uri, quotedAuthorId } = row;
    return this.filtered(authorId, draft, uri === null ? undefined : { uri, authorId: quotedAuthorId });
  }

  /**
   * @throws Unprocessable when the content breaks a rule; NotFound, Forbidden for a parent or a quoted post that the
   * author may not see or interact with; NotFound unless the author takes part in the conversation and owns the list
   */
  async draft(authorId: string, options: ComposeOptions): Promise<Draft> {
    this.requireLength(options);
    const handles = await this.handlesIn(options);
    await this.accounts.fetchUnknown(handles);
    const { inReplyToId, inReplyToConversationId, quoteId, listId } = options;
    const [defaults, parent, quoted, list, conversation, known] = await Promise.all([
      this.users.defaults(authorId),
      inReplyToId === undefined ? undefined : this.statuses.requireInteractable(inReplyToId, authorId),
      quoteId === undefined ? undefined : this.quotable(quoteId, authorId),
      listId === undefined ? undefined : this.lists.one(authorId, listId),
      inReplyToConversationId === undefined ? undefined : this.conversations.own(inReplyToConversationId, authorId),
      this.accounts.known(handles),
    ]);
    if (LIST.includesName(options.visibility ?? '') && !list && !(parent && LIST.includes(parent.visibility))) {
      throw new Unprocessable('Unknown visibility: list');
    }
    const draft = draftStatus(options, await this.formatted(options, handles, known), {
      ...this.contextOf(known),
      authorId,
      defaults: { ...defaults, visibility: defaults.scope, quotePolicy: defaults.quotePolicy },
      restrictions: postingRestrictions(defaults.tags),
      hasSubscribers: defaults.hasSubscribers,
      isFormattingShown: !defaults.noRichText,
      parent,
      quoted,
      listId: list?.id ?? listOf(parent, authorId),
      conversation,
    });
    return this.filtered(authorId, draft, quoted);
  }

  /** A post that its author lets the account quote, and that the policies let be quoted. */
  private async quotable(quoteId: string, authorId: string): Promise<StatusRow> {
    const status = await this.statuses.requireInteractable(quoteId, authorId);
    await this.consent.require(status.id, authorId);
    await this.policies.requireAuthorAccepted(status);
    return status;
  }

  /** Applies the policies of this server to a post. */
  private async filtered(authorId: string, draft: Draft, quoted: PolicyQuoted | undefined): Promise<Draft> {
    const { contentHtml, tags, mediaIds, poll, parent, addressees, ...rest } = draft;
    const status = {
      ...rest,
      type: poll === null ? 'Note' : 'Question',
      content: contentHtml,
      furtherTexts: poll?.options ?? [],
      hashtags: tags,
      hasMedia: mediaIds.length > 0,
      pictures: [],
      hasPoll: poll !== null,
      publishedAt: new Date(),
      parent: parent ?? null,
      emojis: [],
      quoteUri: quoted?.uri ?? null,
      quotedAuthorId: quoted?.authorId ?? null,
      mentions: addressees,
    };
    const passed = await this.policies.filter(authorId, status, addressees);
    const { content, hashtags, hasMedia, mentions, visibility, spoiler, sensitive, expiresAt } = passed;
    const text = content === contentHtml ? {} : await this.changedText(content);
    const lists = { tags: hashtags, mediaIds: hasMedia ? mediaIds : [], addressees: mentions };
    return { ...draft, ...text, ...lists, visibility, spoiler, sensitive, expiresAt };
  }

  /**
   * The text that a policy made, as its author would have typed it: the next edit finds its hashtags and mentions. Plain
   * where that says the same.
   */
  private async changedText(content: string) {
    const accounts = await this.accounts.byIds(mentionedIn(content));
    const names = new Map(accounts.map(({ id, nickname, domain }) => [id, acctOf(nickname, domain)]));
    const html = withTypedNames(content, (id) => names.get(id));
    const handles = handlesOf([...names.values()]);
    const resolve = this.resolverOf(await this.accounts.known(handles));
    const typed = async (source: string, contentType: PostFormat) => {
      const formatted = await this.texts.format(source, contentType, { handles, resolve });
      return { source, contentType, contentHtml: formatted.html, contentText: formatted.text };
    };
    const rich = await typed(html, 'text/html');
    const plain = await typed(textOfHtml(html), 'text/plain');
    return plain.contentHtml === rich.contentHtml ? plain : rich;
  }

  /** The handles in the text and in `to`. */
  private async handlesIn(options: ComposeOptions, formats = this.formats): Promise<Handle[]> {
    const { source, type } = typedText(options, formats);
    return [...(await this.texts.findMentions(source, type)), ...handlesOf(options.to ?? [])];
  }

  private formatted(
    options: ComposeOptions,
    handles: readonly Handle[],
    known: Pick<TextResolver, 'mention'>,
    formats = this.formats,
  ): Promise<FormattedText> {
    const { source, type } = typedText(options, formats);
    return this.texts.format(source, type, { handles, resolve: this.resolverOf(known) });
  }

  private resolverOf(known: Pick<TextResolver, 'mention'>): TextResolver {
    return { mention: (handle) => known.mention(handle), baseUrl: this.env.baseUrl };
  }

  private get formats(): readonly string[] {
    return this.settings.get('instance.allowed_post_formats');
  }

  private contextOf(known: Pick<TextResolver, 'mention'>) {
    return {
      mention: (handle: Handle) => known.mention(handle),
      formats: this.formats,
      pollLimits: this.settings.get('instance.poll_limits'),
      safeDirectMentions: this.settings.get('instance.safe_dm_mentions'),
      now: new Date(),
    };
  }
}

/** A reply to one's own list post goes to the same list. */
function listOf(parent: StatusRow | undefined, authorId: string): string | undefined {
  return parent?.authorId === authorId ? (parent.listId ?? undefined) : undefined;
}
