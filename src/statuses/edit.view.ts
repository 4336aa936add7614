import { Injectable } from '@nestjs/common';
import { AccountView, type ViewContext } from '../accounts/index.js';
import { Json, unique, withPictures } from '../common/index.js';
import { KnownEmoji } from '../emoji/index.js';
import { AttachmentView, MediaUrls } from '../media/index.js';
import type { RevisionRow } from './edit.repository.js';
import { emojiOfPost } from './status.emoji.js';

/** What a post said as JSON (reference StatusEdit). */
@Injectable()
export class EditView {
  constructor(
    private readonly accounts: AccountView,
    private readonly attachments: AttachmentView,
    private readonly emoji: KnownEmoji,
    private readonly urls: MediaUrls,
  ) {}

  /** Revisions of one post, in the order given. */
  async many(rows: readonly RevisionRow[], context: ViewContext): Promise<Json[]> {
    const accounts = await this.accounts.many(unique(rows.map((row) => row.author_id)), context);
    return rows.flatMap((row) => {
      const account = accounts.get(row.author_id);
      return account ? [this.revision(row, account)] : [];
    });
  }

  private revision(row: RevisionRow, account: Json): Json {
    const { poll_options: options } = row;
    return Json.object({
      content: withPictures(row.content_html, (url) => this.urls.remote(url)),
      spoiler_text: row.spoiler,
      sensitive: row.sensitive,
      created_at: row.created_at,
      account,
      media_attachments: this.attachments.many(row.attachments ?? []),
      emojis: emojiOfPost(row, this.emoji, this.urls),
      ...(options ? { poll: { options: options.map((title) => ({ title })) } } : {}),
    });
  }
}
