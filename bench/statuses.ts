import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { FlakeIds } from './built.ts';
import type { Chance } from './chance.ts';
import { copyRows, type Row } from './fill/copy.ts';
import { type People, quietOf } from './fill/people.ts';
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
  /** The ids of those who boosted it. */
  readonly rebloggers: Set<string>;
}

export const DAYS = 90;
export const DAY_MS = 86_400_000;

const BATCH = 5_000;
/** The newest posts that are answered, boosted and favoured. */
const WINDOW = 200_000;
/** With a crowd the core writes half of all posts. */
const OF_CORE = 50;
/** The part of the time in which quiet people write, too. */
const EARLY = 0.1;
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
  private readonly favourites: Row[] = [];

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

  favour(statusId: string, accountIds: ReadonlySet<string>): void {
    for (const account_id of accountIds) this.favourites.push({ account_id, status_id: statusId });
  }

  async insert(sql: pg.Client): Promise<void> {
    await copyRows(sql, 'statuses', this.statuses);
    await copyRows(sql, 'mentions', this.mentions);
    await copyRows(sql, 'status_hashtags', this.tags);
    await copyRows(sql, 'favourites', this.favourites);
  }
}

/**
 * Fills the tables of statuses: 20 % are boosts, 20 % replies, 15 % have a tag, some mention their parent's author; there
 * are half as many favourites.
 */
export class StatusSeeder {
  private readonly ids = new FlakeIds();
  /** The newest posts, the oldest of them overwritten first. */
  private readonly posts: Post[] = [];
  /** How many posts there are that are no boosts. */
  private written = 0;
  private conversations = 0;
  private readonly sql: pg.Client;
  private readonly chance: Chance;
  private readonly core: readonly Person[];
  private readonly crowd: readonly Person[];
  private readonly quiet: ReadonlySet<Person>;

  constructor(sql: pg.Client, chance: Chance, { core, crowd }: People) {
    this.sql = sql;
    this.chance = chance;
    this.core = core;
    this.crowd = crowd;
    this.quiet = new Set(quietOf(crowd));
  }

  /** Spreads `count` statuses evenly over the last days. */
  async seed(count: number, signal: AbortSignal): Promise<void> {
    await this.sql.query(`insert into hashtags (name) select 'tag' || n from generate_series(1, ${HASHTAGS}) n`);
    const start = Date.now() - DAYS * DAY_MS;
    for (let done = 0; done < count; done += BATCH) {
      signal.throwIfAborted();
      const batch = new Batch();
      for (let at = done; at < Math.min(done + BATCH, count); at += 1) {
        const ms = start + Math.floor((at * DAYS * DAY_MS) / count);
        this.write(batch, ms, this.author(at / count));
      }
      await batch.insert(this.sql);
    }
    const contexts = `insert into conversations (uri) select '${BASE_URL}/contexts/' || n from generate_series(1, $1) n`;
    await this.sql.query(contexts, [this.conversations]);
  }

  /** The author of a post at a part of the time, from 0 to 1. */
  private author(part: number): Person {
    const { core, crowd, chance } = this;
    const author = chance.pick(crowd.length === 0 || chance.percent(OF_CORE) ? core : crowd);
    return part > EARLY && this.quiet.has(author) ? chance.pick(core) : author;
  }

  private write(batch: Batch, ms: number, author: Person): void {
    const dice = this.chance.number();
    const earlier = this.posts.length > 0 ? this.chance.pick(this.posts) : undefined;
    if (earlier && dice < 0.2 && !earlier.rebloggers.has(author.id)) this.reblog(batch, ms, author, earlier);
    else this.post(batch, ms, author, dice < 0.4 ? earlier : undefined);
  }

  private post(batch: Batch, ms: number, author: Person, parent: Post | undefined): void {
    const { chance } = this;
    const id = this.ids.at(ms);
    const conversation = parent?.conversation ?? (this.conversations += 1);
    const text = `${chance.text(10 + chance.below(60))} at place${1 + (this.written % PLACES)}`;
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
      source: author.domain === null ? '' : null, // as the server stores a text that is its own source
      spoiler: chance.percent(5) ? chance.text(3) : '',
      flags: batch.mention(id, mentioned) | batch.tag(id, tag),
    });
    this.posts[this.written % WINDOW] = { id, author, conversation, rebloggers: new Set() };
    this.written += 1;
    batch.favour(id, this.fans());
  }

  /** Five favourites for eight posts. */
  private fans(): Set<string> {
    const { chance } = this;
    const count = [0, 0, 0, 0, 1, 1, 1, 2][chance.below(8)]!;
    return new Set(Array.from({ length: count }, () => this.author(1).id));
  }

  private reblog(batch: Batch, ms: number, author: Person, of: Post): void {
    of.rebloggers.add(author.id);
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
