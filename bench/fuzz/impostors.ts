import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { generateActorKey } from '../built.ts';
import { Chance } from '../chance.ts';
import { PUBLIC, signedRequests } from '../inbox.ts';
import { Connection } from '../load.ts';
import { BASE_URL, type Scene, type Stage } from '../stage.ts';
import { DocumentServer, type Members } from './document-server.ts';

/** The honest server, one that holds nothing, and the hostile one. */
const ADDRESSES = ['127.6.0.2', '127.6.0.3', '127.6.0.4'] as const;
const PEOPLE = ['mo', 'ann', 'vic'];
/** Activities of the hostile server for one of the honest one. */
const LIES = 12;
/** Without QuoteRequests: one whose post is missing is tried again for a day, and the server would never be settled. */
const TYPES = [
  ...['Create', 'Update', 'Delete', 'Undo', 'Follow', 'Accept', 'Reject', 'Like', 'EmojiReact', 'Announce', 'Block'],
  ...['Move', 'Add', 'Remove', 'Flag'],
];

/** What of an honest person is stored, if nobody can speak for it. */
interface Person {
  readonly name: string;
  readonly uri: string;
  /** The text of each of its posts that is not deleted, by address. */
  readonly posts: Map<string, string>;
  /** Addresses of posts that its server serves, but never sends: they may be stored. */
  readonly unsent: Set<string>;
  /** The texts of its reports. */
  readonly reports: string[];
  readonly states: Map<State, boolean>;
  /** Whether it has sent anything. */
  hasSpoken: boolean;
}

type State = 'Follow' | 'Like' | 'Block';

/** All facts about a person that the others could change, as one text. */
const FACTS = `
  select string_agg(fact, E'\\n' order by fact collate "C") as facts from (
    select concat('handle ', nickname, case when deactivated_at is not null then ' gone' end,
                  case when moved_to_id is not null then ' moved' end) from accounts where ap_id = $1
    union all select concat('post ', s.uri, ' ', s.content_text) from statuses s join accounts a on a.id = s.author_id
      where a.ap_id = $1 and not s.uri = any($2)
    union all select 'Follow' from follows f join accounts a on a.id = f.follower_id where a.ap_id = $1
    union all select 'Like' from favourites f join accounts a on a.id = f.account_id where a.ap_id = $1
    union all select 'Block' from blocks b join accounts a on a.id = b.account_id where a.ap_id = $1
    union all select concat('report ', r.comment) from reports r join accounts a on a.id = r.actor_id where a.ap_id = $1
    union all select 'pin' from pins p join accounts a on a.id = p.account_id where a.ap_id = $1
  ) all_facts (fact)`;

/**
 * Two other servers, one honest, one hostile. The hostile one sends rightly signed activities with ids, actors, posts,
 * handles and documents of the honest one, known and to come, between the activities of the honest one. After each of
 * those the database must hold what the honest server said, and nothing else of its people.
 */
class Impostors {
  private readonly scene: Scene;
  private readonly chance: Chance;
  private readonly good = new DocumentServer(ADDRESSES[0]);
  private readonly bystander = new DocumentServer(ADDRESSES[1]);
  private readonly bad = new DocumentServer(ADDRESSES[2]);
  private readonly people: Person[] = [];
  private keys!: Readonly<Record<'good' | 'bad', { readonly pem: string; readonly key: KeyObject }>>;
  private local!: string;
  private post!: string;
  private connection!: Connection;
  private serial = 0;
  /** Answers with a 5xx, except 503. */
  readonly failures: string[] = [];
  readonly sent = { truths: 0, lies: 0 };

  constructor(scene: Scene, seed: number) {
    this.scene = scene;
    this.chance = new Chance(seed);
  }

  async open(port: number): Promise<void> {
    await Promise.all([this.good, this.bystander, this.bad].map((server) => server.open()));
    this.keys = { good: await newKey(), bad: await newKey() };
    const { rows } = await this.scene.stage.sql.query<{ uri: string; nickname: string }>(
      `select s.uri, a.nickname from statuses s join accounts a on a.id = s.author_id
       where a.domain is null and s.visibility = 0 and s.local limit 1`,
    );
    [this.post, this.local] = [rows[0]!.uri, `${BASE_URL}/users/${rows[0]!.nickname}`];
    for (const name of PEOPLE) {
      const uri = this.addActor(this.good, name, 'good');
      this.people.push({
        name,
        uri,
        posts: new Map(),
        unsent: new Set(),
        reports: [],
        states: new Map(),
        hasSpoken: false,
      });
    }
    for (const name of ['eve', 'mal', ...PEOPLE]) this.addActor(this.bad, name, 'bad');
    this.connection = await Connection.open(port);
  }

  async close(): Promise<void> {
    this.connection.close();
    await Promise.all([this.good, this.bystander, this.bad].map((server) => server[Symbol.asyncDispose]()));
  }

  /** Sends lies and one truth; returns what differs afterwards, or undefined. */
  async round(): Promise<string | undefined> {
    const person = this.chance.pick(this.people);
    const truth = this.truth(person);
    for (let count = this.chance.below(LIES); count > 0; count -= 1) await this.lie(person, truth);
    await this.send(person.uri, 'good', truth);
    this.sent.truths += 1;
    person.hasSpoken = true;
    for (let count = this.chance.below(LIES); count > 0; count -= 1) await this.lie(person, truth);
    const { stage, signal } = this.scene;
    await stage.settled(signal);
    for (const one of this.people) {
      const [stored, expected] = [await factsOf(stage, one), expectedOf(one)];
      if ((stored !== '' || one.hasSpoken) && stored !== expected)
        return `after ${JSON.stringify(truth)}\n  stored:\n${stored}\n  expected:\n${expected}`;
    }
    return undefined;
  }

  private addActor(server: DocumentServer, name: string, owner: 'good' | 'bad', more: Members = {}): string {
    const id = `${server.origin}/actors/${name}`;
    const publicKey = { id: `${id}#main-key`, owner: id, publicKeyPem: this.keys[owner].pem };
    return server.addActor(name, { publicKey, featured: `${id}/featured`, ...more });
  }

  /** The next activity of a person; what is expected of it counts from now on. */
  private truth(person: Person): Members {
    const { chance } = this;
    if (chance.percent(40)) return this.truthOfState(person);
    if (chance.percent(85)) return this.truthOfPost(person);
    const content = `${chance.text(2)} ${(this.serial += 1)}`;
    person.reports.push(content);
    const object = [this.local, this.post];
    return { id: `${person.uri}#Flag/${this.serial}`, type: 'Flag', actor: person.uri, object, content };
  }

  private truthOfState({ uri, states }: Person): Members {
    const { chance } = this;
    const made = (type: string, object: unknown) => {
      const number = chance.percent(50) ? 'same' : (this.serial += 1);
      return { id: `${uri}#${type}/${number}`, type, actor: uri, object };
    };
    const isBlocking = states.get('Block') === true; // then it can neither follow nor favourite
    const type = isBlocking ? 'Block' : chance.pick<State>(['Follow', 'Like', 'Block']);
    const activity = made(type, type === 'Like' ? this.post : this.local);
    const isOn = states.get(type) === true;
    states.set(type, !isOn);
    if (type === 'Block') states.set('Follow', false);
    return isOn ? made('Undo', chance.percent(50) ? activity : { ...activity, id: null }) : activity;
  }

  private truthOfPost(person: Person): Members {
    const { chance } = this;
    const known = chance.percent(60) ? [...person.posts.keys()] : [];
    const uri = known.length > 0 ? chance.pick(known) : `${this.good.origin}/notes/${(this.serial += 1)}`;
    const made = (type: string, object: unknown) => {
      return { id: `${uri}#${type}/${this.serial}`, type, actor: person.uri, object };
    };
    if (known.length > 0 && chance.percent(40)) {
      person.posts.delete(uri);
      this.good.remove(uri);
      return made('Delete', chance.percent(50) ? uri : { id: uri, type: 'Tombstone' });
    }
    const text = `${chance.text(3)} ${(this.serial += 1)}`;
    person.posts.set(uri, text);
    const note = this.noteOf(person, uri, text);
    this.good.add(uri, note);
    return made(known.length > 0 ? 'Update' : 'Create', note);
  }

  private noteOf({ uri: author }: Person, id: string, content: string): Members & { readonly id: string } {
    const updated = new Date(Date.now() + this.serial).toISOString();
    const published = '2026-01-01T00:00:00Z';
    return { id, type: 'Note', attributedTo: author, content, published, updated, to: [PUBLIC], cc: [this.local] };
  }

  /** Sends an activity of the hostile server that says something about a person, with what it may guess of the truth. */
  private async lie(person: Person, truth: Members): Promise<void> {
    const { chance } = this;
    const eve = `${this.bad.origin}/actors/${chance.pick(['eve', 'mal', person.name])}`;
    if (chance.percent(15)) this.serveFalse(person, eve);
    const post = chance.pick([...person.posts.keys(), `${this.good.origin}/notes/${this.serial + 1}`]);
    const note = { ...this.noteOf(person, post, 'a lie'), updated: '2027-01-01T00:00:00Z' };
    const mine = { ...note, id: `${this.bad.origin}/notes/${randomUUID()}` };
    const about = [post, note, mine, { ...mine, attributedTo: eve, inReplyTo: post }, person.uri, this.local];
    const objects = [...about, this.unsentBy(person), truth['object']];
    const embedded = { id: truth['id'], type: chance.pick(TYPES), actor: person.uri, object: chance.pick(objects) };
    const members = {
      id: chance.pick([`${person.uri}#Undo/same`, `${person.uri}#${this.serial + 1}`, `${eve}#${randomUUID()}`]),
      type: chance.pick(TYPES),
      object: chance.pick([...objects, embedded, truth, { ...truth, object: note }, truth['id']]),
      target: chance.pick([`${person.uri}/featured`, eve, person.uri, undefined]),
    };
    const guessed = {
      ...(chance.percent(50) && { id: truth['id'] }),
      ...(chance.percent(30) && { type: chance.pick([truth['type'], 'Create']) }),
      actor: chance.pick([person.uri, eve, eve, [eve, person.uri]]),
    };
    // What only passes on a post of the honest server takes effect, and must not stand for the truth that has its id.
    const passedOn = { ...truth, type: 'Create', object: this.unsentBy(person) };
    const activity = { ...members, ...(chance.percent(20) ? passedOn : guessed), to: [PUBLIC], cc: [this.local] };
    this.sent.lies += 1;
    await this.send(chance.percent(80) ? eve : person.uri, 'bad', activity);
  }

  /** A post that the honest server serves, and that only the hostile one ever sends. */
  private unsentBy(person: Person): Members {
    const note = this.noteOf(person, `${this.good.origin}/unsent/${(this.serial += 1)}`, 'never sent');
    person.unsent.add(this.good.add(note.id, note));
    return note;
  }

  /** Serves documents of the hostile server about a person: its name, its id, its aliases, its posts. */
  private serveFalse({ name, uri, posts }: Person, eve: string): void {
    const alias = this.chance.pick([uri, eve]);
    const id = this.chance.pick([eve, eve, uri]);
    const changes = { preferredUsername: name, alsoKnownAs: [uri], url: uri, movedTo: alias, id };
    this.addActor(this.bad, eve.slice(eve.lastIndexOf('/') + 1), 'bad', changes);
    this.bad.nameActor(name, this.chance.pick([eve, uri]));
    for (const post of posts.keys()) {
      const copy = `${this.bad.origin}${new URL(post).pathname}`;
      this.bad.add(copy, {
        id: post,
        type: 'Note',
        attributedTo: uri,
        content: 'a lie',
        to: [PUBLIC],
        cc: [this.local],
      });
    }
  }

  private async send(signer: string, key: 'good' | 'bad', activity: Members): Promise<void> {
    const [bytes] = await signedRequests({ uris: [signer], key: this.keys[key].key }, 1, () => activity);
    const { status } = await this.connection.exchange(bytes!);
    if (status >= 500 && status !== 503) this.failures.push(`${status} for ${JSON.stringify(activity)}`);
  }
}

async function newKey() {
  const { publicPem, privatePem } = await generateActorKey();
  return { pem: publicPem, key: createPrivateKey(privatePem) };
}

async function factsOf(stage: Stage, { uri, unsent }: Person): Promise<string> {
  const { rows } = await stage.sql.query<{ facts: string | null }>(FACTS, [uri, [...unsent]]);
  return rows[0]?.facts ?? '';
}

function expectedOf({ name, posts, reports, states }: Person): string {
  const facts = [`handle ${name}`, ...reports.map((text) => `report ${text}`)];
  for (const [uri, text] of posts) facts.push(`post ${uri} ${text}`);
  for (const [state, isOn] of states) if (isOn) facts.push(state);
  return facts.sort().join('\n');
}

/** Tries for some seconds to speak for people of another server; returns whether nothing took effect and prints the figures. */
export async function impersonate(scene: Scene, seconds: number, seed: number): Promise<boolean> {
  const server = await scene.stage.startServer({ ALLOWED_PRIVATE_ADDRESSES: ADDRESSES.join(',') });
  const impostors = new Impostors(scene, seed);
  await impostors.open(server.port);
  const end = performance.now() + seconds * 1_000;
  let wrong: string | undefined;
  while (wrong === undefined && performance.now() < end) wrong = await impostors.round();
  await impostors.close();
  await scene.stage.stopServer(server);
  const { sent, failures } = impostors;
  console.log(`  ${sent.lies} lies about ${sent.truths} activities of another server, seed ${seed}`);
  for (const failure of [...failures, ...(wrong === undefined ? [] : [`A lie took effect ${wrong}`])])
    console.log(`    ${failure}`);
  return wrong === undefined && failures.length === 0;
}
