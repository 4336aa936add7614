import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { type AccountRow } from '../../accounts/index.js';
import { AccountArchiveService } from '../../federation/index.js';
import { keyAt } from '../../media/index.js';
import { ENV, type Env, MediaStorage, type ZipEntry } from '../../platform/index.js';
import { ArchiveContentsRepository, type LikedRow } from './archive.repository.js';

const PAGE = 500;

/**
 * Writes an account's archive in the format common to servers of this field: `actor.json`,
 * `outbox.json`, `likes.json` and `bookmarks.json` as ActivityPub, lists of accounts as CSV, and the files under their paths.
 * Reads everything page by page while the archive is written.
 */
@Injectable()
export class ArchiveService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly contents: ArchiveContentsRepository,
    private readonly archive: AccountArchiveService,
    private readonly storage: MediaStorage,
  ) {}

  /** Yields the files of an archive. Throws NotFound when the account was deleted meanwhile. */
  async *entries(account: AccountRow): AsyncGenerator<ZipEntry> {
    yield* this.documents(account);
    yield* this.lists(account.id);
    yield* this.files(account);
  }

  private async *documents(account: AccountRow): AsyncGenerator<ZipEntry> {
    const actor = await this.archive.actor(account.id);
    const local = {
      outbox: 'outbox.json',
      likes: 'likes.json',
      bookmarks: 'bookmarks.json',
      following: 'following.csv',
      followers: 'followers.csv',
    };
    yield file('actor.json', [JSON.stringify({ ...actor, ...local })]);
    yield file('outbox.json', this.collection('outbox.json', this.archive.activities(account.id)));
    const likes = this.uris((after) => this.contents.likes(account.id, after, PAGE));
    yield file('likes.json', this.collection('likes.json', likes));
    const bookmarks = this.uris((after) => this.contents.bookmarks(account.id, after, PAGE));
    yield file('bookmarks.json', this.collection('bookmarks.json', bookmarks));
  }

  private async *lists(accountId: string): AsyncGenerator<ZipEntry> {
    const { contents } = this;
    yield file('following.csv', this.following(accountId));
    yield file(
      'followers.csv',
      this.addresses((after) => contents.followers(accountId, after, PAGE)),
    );
    yield file(
      'blocks.csv',
      this.addresses((after) => contents.blocks(accountId, after, PAGE)),
    );
    yield file('mutes.csv', this.mutes(accountId));
    const domains = await contents.domains(accountId);
    yield file('domain_blocks.csv', [domains.map((domain) => `${domain}\n`).join('')]);
  }

  private async *files(account: AccountRow): AsyncGenerator<ZipEntry> {
    for (const stored of [account.avatarUrl, account.headerUrl, account.backgroundUrl]) {
      const key = keyAt(stored);
      if (key !== undefined) yield* this.stored(key);
    }
    const rows = pages((after) => this.contents.files(account.id, after, PAGE));
    for await (const { fileKey: key } of rows) yield* this.stored(key);
  }

  /** A stored file; nothing when it is missing. */
  private async *stored(key: string): AsyncGenerator<ZipEntry> {
    const opened = await this.storage.open(key);
    if (opened) yield { path: `media/${key}`, content: opened.stream, isPacked: true };
  }

  private async *following(accountId: string): AsyncGenerator<string> {
    yield 'Account address,Show boosts,Notify on new posts,Languages\n';
    for await (const row of pages((after) => this.contents.following(accountId, after, PAGE))) {
      const languages = row.languages ? `"${row.languages.join(', ')}"` : '';
      yield `${this.address(row)},${row.reblogs},${row.notify},${languages}\n`;
    }
  }

  private async *mutes(accountId: string): AsyncGenerator<string> {
    yield 'Account address,Hide notifications\n';
    for await (const row of pages((after) => this.contents.mutes(accountId, after, PAGE))) {
      yield `${this.address(row)},${row.notifications}\n`;
    }
  }

  private async *addresses(page: (after: string) => Promise<AddressedRow[]>): AsyncGenerator<string> {
    yield 'Account address\n';
    for await (const row of pages(page)) yield `${this.address(row)}\n`;
  }

  /** The object ids of the posts on a list. */
  private async *uris(page: (after: string) => Promise<LikedRow[]>): AsyncGenerator<string> {
    for await (const { uri } of pages(page)) yield uri;
  }

  /** An ordered collection as JSON, item by item. Its total comes at the end. */
  private async *collection(id: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
    const head = { '@context': this.archive.context, id, type: 'OrderedCollection' };
    yield `${JSON.stringify(head).slice(0, -1)},"orderedItems":[`;
    let count = 0;
    for await (const item of items) {
      yield `${count === 0 ? '' : ','}${JSON.stringify(item)}`;
      count += 1;
    }
    yield `],"totalItems":${count}}`;
  }

  private address({ nickname, domain }: AddressedRow): string {
    return `${nickname}@${domain ?? this.env.handleDomain}`;
  }
}

interface AddressedRow {
  readonly id: string;
  readonly nickname: string;
  readonly domain: string | null;
}

function file(path: string, texts: Iterable<string> | AsyncIterable<string>): ZipEntry {
  return { path, content: Readable.from(texts, { objectMode: true }) };
}

async function* pages<Row extends { readonly id: string }>(
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = '0'; ;) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}
