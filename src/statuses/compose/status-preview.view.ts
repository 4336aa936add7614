import { Injectable } from '@nestjs/common';
import { AccountView, type ViewContext } from '../../accounts/index.js';
import { type Json, keyBy, NotFound, unique, withoutFormatting } from '../../common/index.js';
import type { AttachmentRow } from '../../media/index.js';
import { pageRowOf } from './compose.repository.js';
import type { StatusToWrite } from './status.writer.js';
import { StatusPrefetch } from '../rendering/status.prefetch.js';
import { StatusView } from '../rendering/status.view.js';
import { StatusViewRepository } from '../rendering/status-view.repository.js';
import { UNFILTERED } from '../rendering/viewer-filters.port.js';
import {
  type BodyRow,
  type MentionedAccount,
  NO_FACTS,
  StatusRenderer,
  type ViewerFacts,
} from '../rendering/status.render.js';

/** An unsaved post with its attachments. */
export interface Preview extends StatusToWrite {
  readonly attachments: readonly AttachmentRow[];
}

/** Renders a status before it is stored. */
@Injectable()
export class StatusPreviewView {
  constructor(
    private readonly accounts: AccountView,
    private readonly repository: StatusViewRepository,
    private readonly prefetch: StatusPrefetch,
    private readonly renderer: StatusRenderer,
    private readonly statuses: StatusView,
  ) {}

  /** Renders a post as its author will see it. Stores nothing. */
  async render(post: Preview, context: ViewContext): Promise<Json> {
    const { authorId, inReplyToAccountId, quoteOfId } = post.status;
    const [authors, named, plain, quotes] = await Promise.all([
      this.accounts.many([authorId], context),
      this.repository.mentioned(unique([...post.addressees, inReplyToAccountId])),
      this.prefetch.wantsPlain(context),
      quoteOfId === null ? [] : this.statuses.byIds([quoteOfId], context),
    ]);
    const author = authors.get(authorId);
    if (!author) throw new NotFound();
    const body = this.renderer.body(
      previewBody(
        post,
        keyBy(named, ({ id }) => id),
        plain,
      ),
    );
    return this.renderer.entry({
      row: pageRowOf(post.status),
      body,
      author,
      reblogger: undefined,
      viewer: previewFacts(post),
      verdict: UNFILTERED,
      quote: quotes[0] ?? null,
      source: null,
    });
  }
}

/** The body of an unsaved post. `accounts` are the mentioned accounts; `plain` leaves out formatting. */
function previewBody(
  { status, addressees, tags, attachments, poll }: Preview,
  accounts: ReadonlyMap<string, MentionedAccount>,
  plain: boolean,
): BodyRow {
  const replied = accounts.get(status.inReplyToAccountId ?? '');
  return {
    id: status.id,
    uri: status.uri,
    url: null,
    version: 1,
    visibility: status.visibility,
    inReplyToAccountId: status.inReplyToAccountId,
    replyNickname: replied?.nickname ?? null,
    replyDomain: replied?.domain ?? null,
    conversationId: status.conversationId,
    context: null,
    quoteUri: status.quoteUri,
    quoteRefused: false,
    contentHtml: plain ? withoutFormatting(status.contentHtml) : status.contentHtml,
    contentText: status.contentText,
    spoiler: status.spoiler,
    sensitive: status.sensitive,
    language: status.language,
    local: status.local,
    emojis: [],
    application: status.application,
    createdAt: status.createdAt.toISOString(),
    editedAt: null,
    pinnedAt: null,
    mentions: addressees.flatMap((id) => accounts.get(id) ?? []),
    tags: [...tags].sort(),
    attachments,
    card: null,
    pollOptions: poll?.options ?? null,
  };
}

/** The viewer state of its author. */
function previewFacts({ status, poll }: StatusToWrite): ViewerFacts {
  const viewerId = status.authorId;
  const lists = new Map(status.listId === null ? [] : [[status.id, status.listId]]);
  const expiries = new Map(status.expiresAt === null ? [] : [[status.id, status.expiresAt.toISOString()]]);
  const viewerFacts = { ...NO_FACTS, viewerId, lists, expiries };
  if (!poll) return viewerFacts;
  const facts = {
    id: '0',
    expiresAt: poll.expiresAt?.toISOString() ?? null,
    multiple: poll.multiple,
    hideTotals: poll.hideTotals,
    nonAnonymous: false,
    outdatedAt: null,
    votersCount: 0,
    options: poll.options.map((title) => ({ title, votesCount: 0 })),
    emojis: null,
    choices: null,
  };
  return { ...viewerFacts, polls: new Map([[status.id, facts]]) };
}
