import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { FlakeIds } from './built.ts';
import type { Chance } from './chance.ts';
import { insertRows, type Row } from './rows.ts';
import { BASE_URL } from './stage.ts';

export interface Person {
  readonly id: string;
  readonly nickname: string;
  /** Null for local accounts. */
  readonly domain: string | null;
}

/** A post that other accounts may answer, reblog and favour. */
export interface Post {
  readonly id: string;
  readonly author: Person;
  readonly conversation: number;
}

export const DAYS = 90;
export const DAY_MS = 86_400_000;

const BATCH = 5_000;
export const HASHTAGS = 100;
/** Each place name is in so many posts that it is rare among the newest and fills more than a page of all. */
export const PLACES = 1_000;
const HAS_MENTIONS = 8; // status flags, as the server stores them
const HAS_TAGS = 16;

/** Statuses and their related rows, before insertion. */
class Batch {
  private readonly statuses: Row[] = [];
  private readonly mentions: Row[] = [];
  private readonly tags: Row[] = [];

  add(status: Row): void {
    this.statuses.push(status);
  }

  /** Returns the status' flag. */
  mention(statusId: string, whom: Person | undefined): number {
    if (!whom) return 0;
    this.mentions.push({ status_id: statusId, account_id: whom.id, position: 0, silent: false });
    return HAS_MENTIONS;
  }

  /** Returns the status' flag. */
  tag(statusId: string, hashtagId: number | undefined): number {
    if (hashtagId === undefined) return 0;
    this.tags.push({ status_id: statusId, hashtag_id: hashtagId });
    return HAS_TAGS;
  }

  async insert(sql: pg.Client): Promise<void> {
    await insertRows(sql, 'statuses', this.statuses);
    await insertRows(sql, 'mentions', this.mentions);
    await insertRows(sql, 'status_hashtags', this.tags);
  }
}

/** Fills the tables of statuses: 20 % are boosts, 20 % replies, 15 % have a tag, some mention their parent's author. */
export class StatusSeeder {
  private readonly ids = new FlakeIds();
  private readonly posts: Post[] = [];
  private readonly reblogged = new Set<string>();
  private readonly sql: pg.Client;
  private readonly chance: Chance;

  constructor(sql: pg.Client, chance: Chance) {
    this.sql = sql;
    this.chance = chance;
  }

  /** Spreads `count` statuses evenly over the last days; returns those that are no boosts. */
  async seed(authors: readonly Person[], count: number, signal: AbortSignal): Promise<Post[]> {
    const contexts = `insert into conversations (uri) select '${BASE_URL}/contexts/' || n from generate_series(1, $1) n`;
    await this.sql.query(contexts, [count]);
    await this.sql.query(`insert into hashtags (name) select 'tag' || n from generate_series(1, ${HASHTAGS}) n`);
    const start = Date.now() - DAYS * DAY_MS;
    for (let done = 0; done < count; done += BATCH) {
      signal.throwIfAborted();
      const batch = new Batch();
      for (let at = done; at < Math.min(done + BATCH, count); at += 1) {
        const ms = start + Math.floor((at * DAYS * DAY_MS) / count);
        this.write(batch, ms, this.chance.pick(authors), at + 1);
      }
      await batch.insert(this.sql);
    }
    return this.posts;
  }

  private write(batch: Batch, ms: number, author: Person, conversation: number): void {
    const dice = this.chance.number();
    const earlier = this.posts.length > 0 ? this.chance.pick(this.posts) : undefined;
    if (earlier && dice < 0.2 && this.reblogsFirst(author, earlier)) this.reblog(batch, ms, author, earlier);
    else this.post(batch, ms, author, dice < 0.4 ? earlier : undefined, conversation);
  }

  private reblogsFirst(author: Person, post: Post): boolean {
    const reblog = `${author.id} ${post.id}`;
    if (this.reblogged.has(reblog)) return false;
    this.reblogged.add(reblog);
    return true;
  }

  private post(batch: Batch, ms: number, author: Person, parent: Post | undefined, own: number): void {
    const { chance } = this;
    const id = this.ids.at(ms);
    const conversation = parent?.conversation ?? own;
    const text = `${chance.text(10 + chance.below(60))} at place${1 + (own % PLACES)}`;
    const mentioned = chance.percent(75) ? parent?.author : undefined;
    const tag = chance.percent(15) ? 1 + chance.below(HASHTAGS) : undefined;
    batch.add({
      ...this.status(id, ms, author),
      visibility: this.visibility(),
      in_reply_to_id: parent?.id ?? null,
      in_reply_to_account_id: parent?.author.id ?? null,
      reblog_of_id: null,
      conversation_id: conversation,
      content_html: `<p>${text}</p>`,
      content_text: text,
      source: text,
      spoiler: chance.percent(5) ? chance.text(3) : '',
      flags: batch.mention(id, mentioned) | batch.tag(id, tag),
    });
    this.posts.push({ id, author, conversation });
  }

  private reblog(batch: Batch, ms: number, author: Person, of: Post): void {
    batch.add({
      ...this.status(this.ids.at(ms), ms, author),
      visibility: 0,
      in_reply_to_id: null,
      in_reply_to_account_id: null,
      reblog_of_id: of.id,
      conversation_id: null,
      content_html: '',
      content_text: '',
      source: null,
      spoiler: '',
      flags: 0,
    });
  }

  private status(id: string, ms: number, author: Person): Row {
    const uri = `${author.domain === null ? BASE_URL : `https://${author.domain}`}/objects/${randomUUID()}`;
    return {
      id,
      author_id: author.id,
      uri,
      url: uri,
      content_type: 'text/plain',
      sensitive: false,
      language: 'en',
      local: author.domain === null,
      emojis: [],
      created_at: new Date(ms).toISOString(),
      version: 1,
    };
  }

  /** 85 % public, 9 % unlisted, 6 % followers-only. */
  private visibility(): number {
    const dice = this.chance.number();
    return dice < 0.85 ? 0 : dice < 0.94 ? 1 : 2;
  }
}
