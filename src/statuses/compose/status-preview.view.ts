import { Injectable } from '@nestjs/common';
import { AccountView, type ViewContext } from '../../accounts/index.js';
import { type Json, keyBy, NotFound, unique } from '../../common/index.js';
import type { AttachmentRow } from '../../media/index.js';
import { pageRowOf } from './compose.repository.js';
import type { StatusToWrite } from './status.writer.js';
import { type BodyRow, bodyRowOf, type MentionedAccount } from '../rendering/body-row.js';
import { variantOf } from '../rendering/status-body.cache.js';
import { StatusPrefetch } from '../rendering/status.prefetch.js';
import { StatusView } from '../rendering/status.view.js';
import { StatusViewRepository } from '../rendering/status-view.repository.js';
import { UNFILTERED } from '../rendering/viewer-filters.port.js';
import { NO_FACTS, StatusRenderer, type ViewerFacts } from '../rendering/status.render.js';

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
    const [authors, named, plain, quote] = await Promise.all([
      this.accounts.many([authorId], context),
      this.repository.mentioned(unique([...post.addressees, inReplyToAccountId])),
      this.prefetch.wantsPlain(context),
      quoteOfId === null ? null : this.statuses.quoted(quoteOfId, context),
    ]);
    const author = authors.get(authorId);
    if (!author) throw new NotFound();
    const body = this.renderer.body(
      previewBody(
        post,
        keyBy(named, ({ id }) => id),
      ),
    );
    return this.renderer.entry({
      row: pageRowOf(post.status),
      body: variantOf(body, { plain, withoutQuoteLink: quote !== null }),
      author,
      reblogger: undefined,
      viewer: previewFacts(post),
      verdict: UNFILTERED,
      quote,
      source: null,
    });
  }
}

/** The body of an unsaved post. `accounts` are those that it mentions and answers. */
function previewBody(
  { status, addressees, tags, attachments, poll }: Preview,
  accounts: ReadonlyMap<string, MentionedAccount>,
): BodyRow {
  return bodyRowOf(status, {
    replied: accounts.get(status.inReplyToAccountId ?? ''),
    mentions: addressees.flatMap((id) => accounts.get(id) ?? []),
    tags: [...tags].sort(),
    attachments,
    pollOptions: poll?.options ?? null,
  });
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
