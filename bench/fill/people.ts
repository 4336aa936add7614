import type pg from 'pg';
import { type Ids, generateActorKey, hashPassword, newToken, sealSecret } from '../built.ts';
import type { Chance } from '../chance.ts';
import { BASE_URL, SECRET_KEY } from '../stage.ts';
import { DAY_MS, DAYS, type Person } from '../statuses.ts';
import { copyRows, type Row } from './copy.ts';

/** The accounts of the scenarios, and all others. */
export interface People {
  readonly reader: Person;
  readonly archivist: Person;
  readonly writer: Person;
  readonly celebrity: Person;
  /** The others that a small database has, too: they follow and are followed as the scenarios need it. */
  readonly core: readonly Person[];
  /** The others of a larger database. */
  readonly crowd: readonly Person[];
}

const ACTORS = ['reader', 'archivist', 'writer', 'celebrity'];
/** The accounts without a crowd. */
const CORE = 1_000;
const FOLLOWEES = 30;
/** Authors of the core whom all local accounts of the crowd follow, at most so many. */
const STARS = 3;
const MOST_FOLLOWERS = 50_000;
/** Local accounts of the crowd that follow so many. */
const AVID = 20;
const AVID_FOLLOWEES = 5_000;
/** Followees of an account of another server. */
const REMOTE_FOLLOWEES = 3;

/** Fills the tables of accounts, follows and lists. */
export class PeopleSeeder {
  private readonly sql: pg.Client;
  private readonly ids: Ids;
  private readonly chance: Chance;

  constructor(sql: pg.Client, ids: Ids, chance: Chance) {
    this.sql = sql;
    this.ids = ids;
    this.chance = chance;
  }

  /** Adds accounts, half of them local; the scenarios' reader follows `followees` of them. */
  async seed(count: number, followees: number): Promise<People> {
    const people = await this.accounts(count);
    await this.follows(people, followees);
    await this.lists(people);
    return people;
  }

  private async accounts(count: number): Promise<People> {
    const people = Array.from({ length: count }, (_, at): Person => {
      const domain = at < count / 2 ? null : `host${at % 50}.example`;
      return { id: this.ids.at(Date.now() - (DAYS + 1) * DAY_MS), nickname: ACTORS[at] ?? `person${at}`, domain };
    });
    const { publicPem, privatePem } = await generateActorKey();
    const password_hash = await hashPassword(newToken()); // no account signs in with a password
    const secret = Buffer.from(SECRET_KEY, 'hex');
    const local = people.filter(isLocal);
    const rowsOf: Readonly<Record<string, Row[]>> = {
      accounts: people.map((person) => this.account(person)),
      account_stats: people.map(({ id }) => ({ account_id: id })),
      users: local.map(({ id, nickname }) => ({ account_id: id, email: `${nickname}@bench.test`, password_hash })),
      keys: local.map(({ id }) => {
        const sealed = sealSecret(secret, privatePem, `actor-key:${id}`);
        return { account_id: id, public_pem: publicPem, private_sealed: `\\x${sealed.toString('hex')}` };
      }),
    };
    for (const [table, rows] of Object.entries(rowsOf)) await copyRows(this.sql, table, rows);
    const [reader, archivist, writer, celebrity, ...others] = people as [Person, Person, Person, Person, ...Person[]];
    const every = Math.max(1, Math.floor(count / CORE));
    const isCore = (at: number) => at % every === 0;
    return {
      ...{ reader, archivist, writer, celebrity },
      core: others.filter((_, at) => isCore(at)),
      crowd: others.filter((_, at) => !isCore(at)),
    };
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

  /**
   * In the core the archivist follows all; every local account follows some and the celebrity, few of them the writer.
   * The crowd follows anybody and the stars, and only of the crowd and of stars there are followers on other servers.
   */
  private async follows(people: People, followees: number): Promise<void> {
    const { reader, archivist, writer, celebrity, core, crowd } = people;
    const follows = new Follows(this.sql);
    await follows.add(reader, core.slice(0, followees));
    await follows.add(archivist, core);
    for (const follower of core.filter(isLocal)) {
      const fans = this.chance.percent(4) ? [celebrity, writer] : [celebrity];
      await follows.add(follower, [...fans, ...this.some(FOLLOWEES, core)]);
    }
    const all = [...core, ...crowd];
    const stars = core.slice(0, STARS);
    const starsFollowers = crowd.filter(isLocal).slice(0, MOST_FOLLOWERS);
    const avid = new Set(starsFollowers.slice(0, AVID));
    for (const follower of starsFollowers)
      await follows.add(follower, [...stars, ...this.some(avid.has(follower) ? AVID_FOLLOWEES : FOLLOWEES, all)]);
    const local = crowd.filter(isLocal);
    for (const follower of crowd.filter((person) => !isLocal(person)))
      await follows.add(follower, [this.chance.pick(stars), ...this.some(REMOTE_FOLLOWEES, local)]);
    await follows.flush();
  }

  private some(count: number, people: readonly Person[]): Person[] {
    return Array.from({ length: count }, () => this.chance.pick(people));
  }

  /** A list of half of the reader's followees, and with a crowd one of people who hardly ever write. */
  private async lists({ reader, crowd }: People): Promise<void> {
    await this.sql.query(
      `with list as (insert into lists (account_id, title) values ($1, 'half') returning id)
       insert into list_members (list_id, account_id, follow_id)
       select list.id, followee_id, f.id from list, follows f where follower_id = $1 and f.id % 2 = 0`,
      [reader.id],
    );
    const quiet = quietOf(crowd);
    const owner = crowd[0];
    if (owner === undefined) return;
    await this.sql.query(
      `with list as (insert into lists (account_id, title) values ($1, 'quiet') returning id)
       insert into list_members (list_id, account_id) select list.id, member from list, unnest($2::text[]) member`,
      [owner.id, quiet.slice(0, 200).map(({ id }) => id)],
    );
  }
}

/** Those of a crowd who wrote nothing for the last nine tenths of the time. */
export function quietOf(crowd: readonly Person[]): readonly Person[] {
  return crowd.filter((_, at) => at % 50 === 1);
}

export function isLocal({ domain }: Person): boolean {
  return domain === null;
}

/** Adds follows, many at once. */
class Follows {
  private readonly sql: pg.Client;
  private rows: Row[] = [];

  constructor(sql: pg.Client) {
    this.sql = sql;
  }

  /** To be called once for each follower. */
  async add(follower: Person, followees: readonly Person[]): Promise<void> {
    const remote_follower = !isLocal(follower);
    for (const { id } of new Set(followees))
      if (id !== follower.id) this.rows.push({ follower_id: follower.id, followee_id: id, remote_follower });
    if (this.rows.length > 50_000) await this.flush();
  }

  async flush(): Promise<void> {
    await copyRows(this.sql, 'follows', this.rows);
    this.rows = [];
  }
}
