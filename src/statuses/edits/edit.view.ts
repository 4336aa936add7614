import { Injectable } from '@nestjs/common';
import { AccountView, type ViewContext } from '../../accounts/index.js';
import { Json, unique, withoutFormatting, withoutVouching, withPictures } from '../../common/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { AttachmentView, MediaUrls } from '../../media/index.js';
import { inSlices } from '../../platform/index.js';
import type { RevisionRow } from './edit.repository.js';
import { emojiOfStatus } from '../rendering/status.emoji.js';
import { StatusPrefetch } from '../rendering/status.prefetch.js';

/** Renders versions of a post (reference StatusEdit). */
@Injectable()
export class EditView {
  constructor(
    private readonly accounts: AccountView,
    private readonly attachments: AttachmentView,
    private readonly emoji: EmojiCache,
    private readonly urls: MediaUrls,
    private readonly prefetch: StatusPrefetch,
  ) {}

  /** Renders versions of one post; keeps their order. */
  async many(rows: readonly RevisionRow[], context: ViewContext): Promise<Json[]> {
    const [accounts, plain] = await Promise.all([
      this.accounts.many(unique(rows.map((row) => row.authorId)), context),
      this.prefetch.wantsPlain(context),
    ]);
    const revisions = await inSlices(rows, (row) => {
      const account = accounts.get(row.authorId);
      return account ? [this.revision(row, account, plain)] : [];
    });
    return revisions.flat();
  }

  private revision(row: RevisionRow, account: Json, plain: boolean): Json {
    const { pollOptions: options } = row;
    const html = plain ? withoutFormatting(row.contentHtml) : row.contentHtml;
    return Json.object({
      content: withPictures(withoutVouching(html), (url) => this.urls.remote(url)),
      spoiler_text: row.spoiler,
      sensitive: row.sensitive,
      created_at: row.createdAt,
      account,
      media_attachments: this.attachments.many(row.attachments ?? []),
      emojis: emojiOfStatus(row, this.emoji, this.urls),
      ...(options ? { poll: { options: options.map((title) => ({ title })) } } : {}),
    });
  }
}
