import { picture } from '../../test/support/fixtures/media-files.ts';
import type { System } from './system.ts';

/** The answer to a request. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request of the writer, or of another account. */
export type Send = (
  method: string,
  path: string,
  body?: object,
  options?: { readonly token?: string; readonly headers?: Readonly<Record<string, string>> },
) => Promise<Reply>;

/** A post that was sent: it is sent again, with the same key, until it is answered. */
interface Draft {
  readonly key: string;
  readonly text: string;
}

/** What was acknowledged. */
export class Acknowledged {
  readonly posts: { readonly id: string; readonly uri: string; readonly text: string }[] = [];
  readonly favourites: { readonly id: string; readonly uri: string }[] = [];
  readonly follows: { readonly id: string; readonly uri: string }[] = [];
  readonly messages: string[] = [];
  readonly uploads: { readonly id: string; readonly url: string }[] = [];
  /** The names of imported accounts. */
  readonly imports: string[] = [];
  /** The tokens of accounts that have ordered an archive. */
  readonly archives: string[] = [];

  /** The id of the newest post; ids sort by the time of their making. */
  get newestPost(): string {
    return this.posts.reduce((newest, { id }) => (id > newest ? id : newest), '');
  }

  get count(): number {
    return Object.values(this.byKind).reduce((sum, count) => sum + count, 0);
  }

  get byKind(): Readonly<Record<string, number>> {
    const { posts, favourites, follows, messages, uploads, imports, archives } = this;
    const lists = { posts, favourites, follows, messages, uploads, imports, archives };
    return Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, list.length]));
  }
}

/**
 * What an app does; each notes in {@link Acknowledged} what the server has answered with 200. An act whose posts or accounts
 * are used up writes a post.
 */
export class Acts {
  readonly done = new Acknowledged();
  /** Posts without an answer. */
  private readonly drafts: Draft[] = [];
  private count = 0;
  private chat: string | undefined;

  private constructor(
    private readonly system: System,
    private readonly png: Buffer,
  ) {}

  /** Whether a post was sent that has no answer yet. */
  get hasDrafts(): boolean {
    return this.drafts.length > 0;
  }

  static async prepare(system: System): Promise<Acts> {
    return new Acts(system, await picture());
  }

  async post(send: Send): Promise<Reply> {
    this.count += 1;
    const draft = this.drafts.shift() ?? { key: `post ${this.count}`, text: `Number ${this.count}` };
    let isKnown = false;
    try {
      const reply = await send(
        'POST',
        '/api/v1/statuses',
        { status: draft.text },
        { headers: { 'idempotency-key': draft.key } },
      );
      isKnown = reply.status === 200;
      const { id, uri } = reply.body as { id: string; uri: string };
      if (isKnown) this.done.posts.push({ id, uri, text: draft.text });
      return reply;
    } finally {
      if (!isKnown) this.drafts.push(draft);
    }
  }

  async favourite(send: Send): Promise<Reply> {
    const status = this.system.other.posts.shift();
    if (!status) return this.post(send);
    const reply = await send('POST', `/api/v1/statuses/${status.id}/favourite`);
    if (reply.status === 200) this.done.favourites.push(status);
    return reply;
  }

  async follow(send: Send): Promise<Reply> {
    const account = this.system.other.accounts.shift();
    if (!account) return this.post(send);
    const reply = await send('POST', `/api/v1/accounts/${account.id}/follow`);
    if (reply.status === 200) this.done.follows.push(account);
    return reply;
  }

  async chatMessage(send: Send): Promise<Reply> {
    if (this.chat === undefined) {
      const opened = await send('POST', `/api/v1/svc/chats/by-account-id/${this.system.other.chatPartner}`);
      if (opened.status !== 200) return opened;
      this.chat = (opened.body as { id: string }).id;
    }
    const reply = await send('POST', `/api/v1/svc/chats/${this.chat}/messages`, { content: 'Still there?' });
    if (reply.status === 200) this.done.messages.push((reply.body as { id: string }).id);
    return reply;
  }

  async upload(send: Send): Promise<Reply> {
    const boundary = 'torture-boundary';
    const part = 'content-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png';
    const head = Buffer.from(`--${boundary}\r\n${part}\r\n\r\n`);
    const body = Buffer.concat([head, this.png, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const reply = await send('POST', '/api/v1/media', body, { headers });
    if (reply.status === 200) this.done.uploads.push(reply.body as { id: string; url: string });
    return reply;
  }

  /** Imports ten accounts of this server or the other one. */
  async importFollows(send: Send): Promise<Reply> {
    const names = this.system.other.accounts
      .splice(0, 10)
      .map(({ uri }) => `${nicknameIn(uri)}@${this.system.other.host}`);
    if (names.length === 0) return this.post(send);
    const reply = await send('POST', '/api/svc/follow_import', { list: names.join('\n') });
    if (reply.status === 200) this.done.imports.push(...names);
    return reply;
  }

  /** Orders an archive of an account that has none yet. */
  async orderArchive(send: Send): Promise<Reply> {
    const token = this.system.crowd.shift();
    if (token === undefined) return this.post(send);
    const reply = await send('POST', '/api/v1/svc/backups', {}, { token });
    if (reply.status === 200) this.done.archives.push(token);
    return reply;
  }

  async read(send: Send): Promise<Reply> {
    return send('GET', '/api/v1/timelines/home');
  }
}

function nicknameIn(uri: string): string {
  return uri.split('/').at(-1)!;
}
