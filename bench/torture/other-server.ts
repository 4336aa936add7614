import type pg from 'pg';
import { type InboxHost, startInboxHost } from '../../test/support/federation/inbox-host.ts';
import { FlakeIds } from '../built.ts';
import { copyRows } from '../fill/copy.ts';

/** So many accounts and so many posts for each round, and at most. */
const EACH_ROUND = 750;
const MOST = 6_000;

/** Another server: its accounts and posts are known here, and its inbox notes what arrives. */
export class OtherServer implements AsyncDisposable {
  /** The ids of its accounts and posts here, with their addresses; each is used once. */
  readonly accounts: { readonly id: string; readonly uri: string }[] = [];
  readonly posts: { readonly id: string; readonly uri: string }[] = [];
  /** The account that chats. */
  chatPartner = '';
  /** For each object the ids of the activities that brought it, as a server stores them; and how many arrived at all. */
  private readonly stored = new Map<string, Set<string>>();
  private arrived = 0;

  private constructor(private readonly inbox: InboxHost) {}

  static async open(): Promise<OtherServer> {
    return new OtherServer(await startInboxHost());
  }

  get host(): string {
    return this.inbox.host;
  }

  /** Adds its accounts and posts; the first account follows the writer and chats. */
  async seed(sql: pg.Client, rounds: number): Promise<void> {
    const ids = new FlakeIds();
    const count = Math.min(EACH_ROUND * rounds, MOST);
    for (let at = 0; at < count; at += 1) this.accounts.push({ id: ids.next(), uri: this.inbox.uri(`far${at}`) });
    await copyRows(
      sql,
      'accounts',
      this.accounts.map(({ id, uri }, at) => {
        const urls = { ap_id: uri, url: uri, inbox_url: `${uri}/inbox`, shared_inbox_url: `http://${this.host}/inbox` };
        return { id, nickname: `far${at}`, domain: this.host, ...urls };
      }),
    );
    await copyRows(
      sql,
      'account_stats',
      this.accounts.map(({ id }) => ({ account_id: id })),
    );
    const author = this.accounts.shift()!;
    await sql.query(
      `insert into follows (follower_id, followee_id)
       select follower, w.id from accounts w, unnest(array[$1, (select id from accounts where nickname = 'reader' and domain is null)]) follower
       where w.nickname = 'writer' and w.domain is null on conflict do nothing`,
      [author.id],
    );
    for (let at = 0; at < count; at += 1) this.posts.push({ id: ids.next(), uri: `${author.uri}/notes/${at}` });
    await copyRows(
      sql,
      'statuses',
      this.posts.map(({ id, uri }) => {
        const text = { content_html: '<p>Far away</p>', content_text: 'Far away' };
        return {
          id,
          author_id: author.id,
          uri,
          visibility: 0,
          local: false,
          created_at: new Date().toISOString(),
          ...text,
        };
      }),
    );
    await copyRows(
      sql,
      'status_stats',
      this.posts.map(({ id }) => ({ status_id: id })),
    );
    this.chatPartner = author.id;
  }

  /** The objects of these that no activity has brought. */
  missing(uris: readonly string[]): string[] {
    this.take();
    return uris.filter((uri) => !this.stored.has(uri));
  }

  /** The objects that came by several activities: a server that knows activities by their ids stores these twice. */
  twice(): string[] {
    this.take();
    return [...this.stored].filter(([, ids]) => ids.size > 1).map(([uri]) => uri);
  }

  /** How many activities arrived again, with the same id. */
  repeated(): number {
    this.take();
    return this.arrived - [...this.stored.values()].reduce((sum, ids) => sum + ids.size, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.inbox.close();
  }

  private take(): void {
    for (const { activity } of this.inbox.received()) {
      const { object, id, type } = activity as { object?: string | { id?: string }; id: string; type: string };
      const uri = typeof object === 'string' ? object : object?.id;
      if (uri === undefined || !['Create', 'Like', 'Follow'].includes(type)) continue;
      const ids = this.stored.get(uri) ?? new Set();
      this.stored.set(uri, ids.add(id));
      this.arrived += 1;
    }
  }
}
