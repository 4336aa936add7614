import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env, FIRST_ID } from '../../platform/index.js';
import { ArchiveRepository, type ArchivedStatusRow } from './archive.repository.js';
import { DocumentsService } from './documents.service.js';
import { addressing, blindCopies } from '../render/note.js';
import { documentContext } from '../wire/uris.js';

const PAGE = 200;

/**
 * The ActivityPub archive of an account, for its owner and the staff only: it includes direct and followers-only posts.
 */
@Injectable()
export class AccountArchiveService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly repository: ArchiveRepository,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** The `@context` of the collections. */
  get context(): unknown[] {
    return documentContext(this.env.baseUrl);
  }

  /** The actor document of a local account, also of a hidden one. Throws NotFound. */
  actor(accountId: string): Promise<Record<string, unknown>> {
    return this.documents.actorById(accountId);
  }

  /** Yields one activity for each post and boost of a local account, the oldest first. Reads one page of posts at a time. */
  async *activities(accountId: string): AsyncGenerator<Record<string, unknown>> {
    for (let after = FIRST_ID; ;) {
      const rows = await this.repository.posted(accountId, this.env.handleDomain, after, PAGE);
      for (const row of rows) yield this.activity(row);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = last.id;
    }
  }

  private activity(row: ArchivedStatusRow): Record<string, unknown> {
    const { baseUrl } = this.env;
    const done = { actor: row.author, published: row.createdAt, ...addressing(row, baseUrl) };
    if (row.reblogged !== null) return { id: row.uri, type: 'Announce', ...done, object: row.reblogged };
    const object = { ...this.documents.noteBody(row), '@context': undefined }; // the collection has its own context
    const bcc = blindCopies(row);
    return { id: `${row.uri}#create`, type: 'Create', ...done, ...(bcc.length > 0 ? { bcc } : {}), object };
  }
}
