import type pg from 'pg';
import sharp from 'sharp';
import { FlakeIds, hashToken, newToken } from './built.ts';
import { Chance } from './chance.ts';
import { copyRows, filling, type Row } from './fill/copy.ts';
import { isLocal, type People, PeopleSeeder } from './fill/people.ts';
import { type Senders, seedSenders } from './inbox.ts';
import { type Person, StatusSeeder } from './statuses.ts';
import { BASE_URL } from './stage.ts';

export interface DataSize {
  readonly statuses: number;
  readonly accounts: number;
  /** The number of the reader's followees. */
  readonly followees: number;
}

export const FULL: DataSize = { statuses: 200_000, accounts: 1_000, followees: 200 };
export const QUICK: DataSize = { statuses: 20_000, accounts: 1_000, followees: 200 };

/** The data of the scenarios' requests. */
export interface Data extends Tokens, Samples {
  /** JPEG of 1,600 by 1,200, as apps shrink a phone's photo. */
  readonly photo: Buffer;
  readonly senders: Senders;
}

/** The tokens of the scenarios' accounts. */
interface Tokens {
  readonly reader: string;
  readonly archivist: string;
  readonly writer: string;
  readonly celebrity: string;
}

interface Samples {
  /** Public posts. */
  readonly statusIds: readonly string[];
  /** The most answered posts. */
  readonly threadIds: readonly string[];
  readonly accountIds: readonly string[];
  /** Accounts with a page of posts or more. */
  readonly authorIds: readonly string[];
  /** Local accounts. */
  readonly nicknames: readonly string[];
  /** `/objects/…` of local public posts. */
  readonly objectPaths: readonly string[];
  /** `max_id` of disjoint pages in the archivist's feed. */
  readonly archivePages: readonly string[];
  /** The reader's list with half of the reader's followees. */
  readonly listId: string;
  /** The reader's chats. */
  readonly chatIds: readonly string[];
}

const FEED_ROWS = 800;
/** The newest statuses, of which the feeds of the crowd are made. */
const CROWD_WINDOW = 20_000;
/** The most rows of the archivist's feed. */
const ARCHIVE_ROWS = 200_000;
/** Filled without their indexes. */
const TABLES = [
  ...['statuses', 'mentions', 'status_hashtags', 'favourites', 'conversations', 'follows'],
  ...['accounts', 'account_stats', 'users', 'keys', 'status_stats'],
];
const PAGE = 20;
const SAMPLE = 200;
const NOTIFICATIONS = 2_000;
const THREADS = 40;
const CHATS = 60;
const MESSAGES = 40;
const ALL_SCOPES = ['read', 'write', 'follow', 'push'];

/** Fills a database with accounts that follow, post, boost, reply, mention, tag and favour each other; the same every time. */
export class Seeder {
  private readonly ids = new FlakeIds();
  private readonly chance = new Chance();
  private readonly sql: pg.Client;
  private readonly size: DataSize;

  constructor(sql: pg.Client, size: DataSize) {
    this.sql = sql;
    this.size = size;
  }

  async seed(signal: AbortSignal): Promise<Data> {
    const people = await filling(this.sql, TABLES, () => this.fill(signal));
    await this.sql.query('analyze'); // for good plans of the next statements
    await filling(this.sql, ['home_feed'], () => this.feeds(people));
    const senders = await seedSenders(this.sql, this.ids, people.reader.id);
    await this.notifications(people.reader);
    await this.chats(people);
    signal.throwIfAborted();
    // As if they had run last night: on a million posts the server would compare counters for minutes, and it would trim the
    // archivist's feed, so that `home-cold` read below its floor.
    await this.sql.query(
      `insert into jobs (name, queue, key, run_at)
       select name, 'upkeep', 'recurring:' || name, now() + interval '1 day'
       from unnest(array['statuses.repair-counters', 'accounts.repair-counters', 'feeds.trim', 'conversations.sweep',
         'notifications.trim', 'tags.sweep', 'cards.purge']) name`,
    );
    await this.sql.query('vacuum (analyze)');
    // As in a server whose empty tables nobody has analysed: PostgreSQL would take them for tables that stay small.
    await this.sql.query(
      `update pg_class set reltuples = -1 where relkind = 'r' and relpages = 0 and relnamespace = 'public'::regnamespace`,
    );
    await this.sql.query('checkpoint');
    return { ...(await this.tokens(people)), ...(await this.samples(people.archivist)), photo: await photo(), senders };
  }

  /** The tables that grow with the number of statuses. */
  private async fill(signal: AbortSignal): Promise<People> {
    const { accounts, followees, statuses } = this.size;
    const people = await new PeopleSeeder(this.sql, this.ids, this.chance).seed(accounts, followees);
    await new StatusSeeder(this.sql, this.chance, people).seed(statuses, signal);
    await this.sql.query('analyze');
    await this.counters();
    signal.throwIfAborted();
    return people;
  }

  /** The counters that the server would have: each table is read once. */
  private async counters(): Promise<void> {
    await this.sql.query(`
      insert into status_stats (status_id, replies, reblogs, favourites)
      select s.id, coalesce(a.n, 0), coalesce(b.n, 0), coalesce(f.n, 0) from statuses s
      left join (select in_reply_to_id as id, count(*) as n from statuses where visibility < 2 group by 1) a on a.id = s.id
      left join (select reblog_of_id as id, count(*) as n from statuses where reblog_of_id is not null group by 1) b on b.id = s.id
      left join (select status_id as id, count(*) as n from favourites group by 1) f on f.id = s.id
      where s.reblog_of_id is null;
      insert into status_totals (domain, visibility, slot, count)
      select coalesce(a.domain, ''), s.visibility, 0, count(*)
      from statuses s join accounts a on a.id = s.author_id where s.reblog_of_id is null group by 1, 2;
      update account_stats a set statuses_count = coalesce(s.n, 0), last_status_at = s.newest,
        followers_count = coalesce(f.followers, 0), following_count = coalesce(f.following, 0)
      from accounts left join (select author_id as id, count(*) as n, max(created_at) as newest from statuses group by 1) s using (id)
      left join (select id, sum(follower)::int as followers, sum(followee)::int as following from (
        select followee_id as id, 1 as follower, 0 as followee from follows
        union all select follower_id, 0, 1 from follows) pairs group by 1) f using (id)
      where a.account_id = accounts.id`);
  }

  /** The reader's notifications of posts, favourites, boosts and followers. */
  private async notifications({ id }: Person): Promise<void> {
    await this.sql.query(
      `insert into notifications (receiver_id, type, from_id, status_id, seen, created_at)
       select $1, (array['mention', 'favourite', 'reblog'])[1 + n % 3], author_id, id, n < ${NOTIFICATIONS - 30}, created_at
       from (select s.*, row_number() over (order by id) as n from (
         select * from statuses where visibility = 0 and reblog_of_id is null order by id desc limit ${NOTIFICATIONS}) s) newest
       order by id`,
      [id],
    );
    await this.sql.query(
      `insert into notifications (receiver_id, type, from_id)
       select $1, 'follow', follower_id from follows where followee_id = $1 limit 5`,
      [id],
    );
  }

  /** The reader chats with some local accounts. */
  private async chats({ reader, core }: People): Promise<void> {
    const partners = core.filter(isLocal).slice(0, CHATS);
    const chats: Row[] = [];
    const messages: Row[] = [];
    const entries: Row[] = [];
    for (const partner of partners) {
      const sides = [[reader, partner] as const, [partner, reader] as const].map(([owner, other]) => {
        return { id: this.ids.next(), owner_id: owner.id, partner_id: other.id };
      });
      let position = '';
      for (let at = 0; at < MESSAGES; at += 1) {
        const [sender, recipient] = at % 2 === 0 ? [reader, partner] : [partner, reader];
        position = this.ids.next();
        const uri = `${BASE_URL}/objects/${position}`;
        messages.push({
          id: position,
          uri,
          sender_id: sender.id,
          recipient_id: recipient.id,
          content: this.chance.text(9),
        });
        for (const { id } of sides) entries.push({ chat_id: id, message_id: position, unread: at > MESSAGES - 4 });
      }
      chats.push(...sides.map((side) => ({ ...side, position })));
    }
    const now = new Date().toISOString();
    await this.insert(
      'chats',
      chats.map((row) => ({ ...row, updated_at: now })),
    );
    await this.insert(
      'chat_messages',
      messages.map((row) => ({ ...row, created_at: now })),
    );
    await this.insert('chat_entries', entries);
  }

  /** Every local account has its followees' newest posts in its home feed, the archivist the newest 200,000 without boosts. */
  private async feeds({ archivist, crowd }: People): Promise<void> {
    const followers = crowd.filter(isLocal).map(({ id }) => id);
    const columns = 'account_id, status_id, author_id, reblog_of_id';
    await this.sql.query(
      `insert into home_feed (${columns})
       select u.account_id, n.id, n.author_id, n.reblog_of_id from users u cross join lateral (
         select s.id, s.author_id, s.reblog_of_id from follows f cross join lateral (
           select id, author_id, reblog_of_id from statuses where author_id = f.followee_id order by id desc limit ${FEED_ROWS}) s
         where f.follower_id = u.account_id order by s.id desc limit ${FEED_ROWS}) n
       where u.account_id <> $1 and u.account_id <> all($2::text[])`,
      [archivist.id, followers],
    );
    // For so many readers one join is faster than a look at the followees of each: complete down to the same floor.
    const newest = `select id, author_id, reblog_of_id from statuses order by id desc limit ${CROWD_WINDOW}`;
    await this.sql.query(
      `insert into home_feed (${columns}) select f.follower_id, n.id, n.author_id, n.reblog_of_id
       from follows f join (${newest}) n on n.author_id = f.followee_id where f.follower_id = any($1::text[]) order by 1, 2`,
      [followers],
    );
    await this.sql.query(
      `insert into home_feed (${columns})
       select $1, s.id, s.author_id, null from statuses s where s.reblog_of_id is null
       and s.author_id in (select followee_id from follows where follower_id = $1) order by s.id desc limit ${ARCHIVE_ROWS}`,
      [archivist.id],
    );
    await this.sql.query(
      `update users set feed_floor = oldest from (
         select account_id as reader, min(status_id) as oldest, count(*) as rows from home_feed group by account_id) feed
       where account_id = reader and (account_id <> $1 or rows = ${ARCHIVE_ROWS})`,
      [archivist.id],
    );
    await this.sql.query(
      `update users set feed_floor = (select min(id) from (${newest}) n) where account_id = any($1::text[])`,
      [followers],
    );
  }

  private async tokens({ reader, archivist, writer, celebrity }: People): Promise<Tokens> {
    const { rows } = await this.sql.query<{ id: string }>(
      `insert into oauth_apps (name, redirect_uris, scopes, client_id, client_secret)
       values ('Benchmark', '{urn:ietf:wg:oauth:2.0:oob}', $1, $2, $3) returning id`,
      [ALL_SCOPES, newToken(), newToken()],
    );
    const issue = async ({ id }: Person): Promise<string> => {
      const token = newToken();
      await this.sql.query(
        `insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
         values ($1, $2, $3, $4, now() + interval '1 year')`,
        [rows[0]!.id, id, hashToken(token), ALL_SCOPES],
      );
      return token;
    };
    return {
      reader: await issue(reader),
      archivist: await issue(archivist),
      writer: await issue(writer),
      celebrity: await issue(celebrity),
    };
  }

  private async samples({ id: archivistId }: Person): Promise<Samples> {
    const isPublic = `visibility = 0 and reblog_of_id is null`;
    return {
      statusIds: await this.column(
        `select id as value from statuses where ${isPublic} order by id desc limit ${SAMPLE}`,
      ),
      threadIds: await this.column(
        `select r.in_reply_to_id as value from statuses r join statuses s on s.id = r.in_reply_to_id
         where s.visibility = 0 and r.visibility = 0 group by 1 order by count(*) desc, 1 limit ${THREADS}`,
      ),
      authorIds: await this.column(
        `select author_id as value from statuses where visibility = 0 group by author_id having count(*) > ${PAGE}
         order by author_id limit ${SAMPLE}`,
      ),
      accountIds: await this.column(`select id as value from accounts order by id limit ${SAMPLE}`),
      nicknames: await this.column(
        `select nickname as value from accounts where domain is null order by id limit ${SAMPLE}`,
      ),
      objectPaths: await this.column(
        `select substr(uri, length($1) + 1) as value from statuses where ${isPublic} and local order by id desc limit ${SAMPLE}`,
        BASE_URL,
      ),
      archivePages: await this.column(
        `select status_id as value from (
           select status_id, row_number() over (order by status_id desc) as place from home_feed where account_id = $1) feed
         where place % ${PAGE} = 0 order by place`,
        archivistId,
      ),
      listId: (await this.column(`select id as value from lists where title = 'half'`))[0]!,
      chatIds: await this.column(
        `select c.id as value from chats c join accounts a on a.id = c.owner_id where a.nickname = 'reader' order by 1`,
      ),
    };
  }

  private async column(text: string, ...values: unknown[]): Promise<string[]> {
    const { rows } = await this.sql.query<{ value: string }>(text, values);
    return rows.map(({ value }) => value);
  }

  private insert(table: string, rows: readonly Row[]): Promise<void> {
    return copyRows(this.sql, table, rows);
  }
}

/** The picture that scenarios upload. */
export function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  return sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: '#456', noise } })
    .jpeg({ quality: 60 })
    .toBuffer();
}
