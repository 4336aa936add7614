import type pg from 'pg';
import sharp from 'sharp';
import { FlakeIds, generateActorKey, hashPassword, hashToken, newToken, sealSecret } from './built.ts';
import { Chance } from './chance.ts';
import { type Senders, seedSenders } from './inbox.ts';
import { DAY_MS, DAYS, type Person, type Post, StatusSeeder } from './statuses.ts';
import { insertRows, type Row } from './rows.ts';
import { BASE_URL, SECRET_KEY } from './stage.ts';

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

/** The accounts of the scenarios, and all others. */
interface People {
  readonly reader: Person;
  readonly archivist: Person;
  readonly writer: Person;
  readonly celebrity: Person;
  readonly others: readonly Person[];
}

const ACTORS = ['reader', 'archivist', 'writer', 'celebrity'];
const FOLLOWEES = 30;
const FEED_ROWS = 800;
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
    const people = await this.people();
    await this.follows(people);
    await this.list(people.reader);
    const posts = await new StatusSeeder(this.sql, this.chance).seed(people.others, this.size.statuses, signal);
    await this.favourites(people.others, posts);
    const senders = await seedSenders(this.sql, this.ids, people.reader.id);
    await this.sql.query('analyze'); // for good plans of the next statements
    await this.counters();
    await this.notifications(people.reader);
    await this.chats(people);
    signal.throwIfAborted();
    await this.feeds(people.archivist);
    signal.throwIfAborted();
    await this.sql.query('vacuum (analyze)');
    await this.sql.query('checkpoint');
    return { ...(await this.tokens(people)), ...(await this.samples(people.archivist)), photo: await photo(), senders };
  }

  /** Half of the accounts are local. */
  private async people(): Promise<People> {
    const people = Array.from({ length: this.size.accounts }, (_, at): Person => {
      const domain = at < this.size.accounts / 2 ? null : `host${at % 50}.example`;
      return { id: this.ids.at(Date.now() - (DAYS + 1) * DAY_MS), nickname: ACTORS[at] ?? `person${at}`, domain };
    });
    const local = people.filter(({ domain }) => domain === null);
    const { publicPem, privatePem } = await generateActorKey();
    const passwordHash = await hashPassword(newToken()); // no account signs in with a password
    const users = local.map(({ id, nickname }) => {
      return { account_id: id, email: `${nickname}@bench.test`, password_hash: passwordHash };
    });
    await this.insert(
      'accounts',
      people.map((person) => this.account(person)),
    );
    await this.insert(
      'account_stats',
      people.map(({ id }) => ({ account_id: id })),
    );
    await this.insert('users', users);
    await this.insert(
      'keys',
      local.map(({ id }) => {
        const sealed = sealSecret(Buffer.from(SECRET_KEY, 'hex'), privatePem, `actor-key:${id}`);
        return { account_id: id, public_pem: publicPem, private_sealed: `\\x${sealed.toString('hex')}` };
      }),
    );
    const [reader, archivist, writer, celebrity, ...others] = people as [Person, Person, Person, Person, ...Person[]];
    return { reader, archivist, writer, celebrity, others };
  }

  private account({ id, nickname, domain }: Person): Row {
    const home = domain === null ? BASE_URL : `https://${domain}`;
    const apId = `${home}/users/${nickname}`;
    return {
      id,
      nickname,
      domain,
      ap_id: apId,
      url: apId,
      inbox_url: `${apId}/inbox`,
      shared_inbox_url: `${home}/inbox`,
      outbox_url: `${apId}/outbox`,
      followers_url: `${apId}/followers`,
      following_url: `${apId}/following`,
      display_name: `${nickname} of the ${this.chance.text(2)}`,
      note_html: `<p>${this.chance.text(24)}</p>`,
      fields: [
        { name: 'Home', value: `<a href="${home}">${home}</a>` },
        { name: 'Likes', value: this.chance.text(4) },
      ],
      avatar_url: `${home}/media/${nickname}/avatar.png`,
      header_url: `${home}/media/${nickname}/header.png`,
    };
  }

  /** The archivist follows all accounts; every local account follows some and the celebrity, few of them the writer. */
  private async follows({ reader, archivist, writer, celebrity, others }: People): Promise<void> {
    const pairs = new Map<string, Row>();
    const follow = (follower: Person, followee: Person) => {
      if (follower === followee) return;
      pairs.set(`${follower.id} ${followee.id}`, { follower_id: follower.id, followee_id: followee.id });
    };
    for (const followee of others.slice(0, this.size.followees)) follow(reader, followee);
    for (const followee of others) follow(archivist, followee);
    for (const follower of others.filter(({ domain }) => domain === null)) {
      follow(follower, celebrity);
      if (this.chance.percent(4)) follow(follower, writer);
      for (let count = 0; count < FOLLOWEES; count += 1) follow(follower, this.chance.pick(others));
    }
    await this.insert('follows', [...pairs.values()]);
  }

  private async list({ id }: Person): Promise<void> {
    await this.sql.query(
      `with list as (insert into lists (account_id, title) values ($1, 'half') returning id)
       insert into list_members (list_id, account_id, follow_id)
       select list.id, followee_id, f.id from list, follows f where follower_id = $1 and f.id % 2 = 0`,
      [id],
    );
  }

  private async favourites(people: readonly Person[], posts: readonly Post[]): Promise<void> {
    const pairs = new Map<string, Row>();
    for (let count = 0; count < this.size.statuses / 2; count += 1) {
      const [account_id, status_id] = [this.chance.pick(people).id, this.chance.pick(posts).id];
      pairs.set(`${account_id} ${status_id}`, { account_id, status_id });
    }
    await this.insert('favourites', [...pairs.values()]);
  }

  /** The counters that the server would have. */
  private async counters(): Promise<void> {
    await this.sql.query(`
      insert into status_stats (status_id, replies, reblogs, favourites)
      select s.id, (select count(*) from statuses r where r.in_reply_to_id = s.id),
        (select count(*) from statuses r where r.reblog_of_id = s.id), (select count(*) from favourites f where f.status_id = s.id)
      from statuses s where s.reblog_of_id is null;
      update account_stats a set
        statuses_count = (select count(*) from statuses s where s.author_id = a.account_id),
        followers_count = (select count(*) from follows f where f.followee_id = a.account_id),
        following_count = (select count(*) from follows f where f.follower_id = a.account_id),
        last_status_at = (select max(created_at) from statuses s where s.author_id = a.account_id)`);
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
  private async chats({ reader, others }: People): Promise<void> {
    const partners = others.filter(({ domain }) => domain === null).slice(0, CHATS);
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

  /** Every local account has its followees' newest posts in its home feed, the archivist all of them without boosts. */
  private async feeds({ id: archivistId }: Person): Promise<void> {
    await this.sql.query(
      `insert into home_feed (account_id, status_id, author_id, reblog_of_id)
       select u.account_id, n.id, n.author_id, n.reblog_of_id from users u cross join lateral (
         select s.id, s.author_id, s.reblog_of_id from follows f join statuses s on s.author_id = f.followee_id
         where f.follower_id = u.account_id order by s.id desc limit ${FEED_ROWS}) n
       where u.account_id <> $1`,
      [archivistId],
    );
    await this.sql.query(
      `insert into home_feed (account_id, status_id, author_id, reblog_of_id)
       select $1, id, author_id, null from statuses where reblog_of_id is null`,
      [archivistId],
    );
    await this.sql.query(
      `update users set feed_floor = oldest from (
         select account_id as reader, min(status_id) as oldest from home_feed where account_id <> $1 group by account_id) feed
       where account_id = reader`,
      [archivistId],
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
         values ($1, $2, $3, $4, now() + interval '1 day')`,
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
      listId: (await this.column(`select id as value from lists`))[0]!,
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
    return insertRows(this.sql, table, rows);
  }
}

function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  return sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: '#456', noise } })
    .jpeg({ quality: 60 })
    .toBuffer();
}
