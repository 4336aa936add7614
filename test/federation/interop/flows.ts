import { randomBytes } from 'node:crypto';
import { Client, Missing, Refused, until, wait } from './client.ts';
import { picture } from '../../support/fixtures/media-files.ts';

/** One of the two servers of a meeting. */
export interface Side {
  readonly name: string;
  /** The domain in handles. */
  readonly host: string;
  readonly alice: Client;
  readonly bob: Client;
  /** The shortcode of a custom emoji of this server. */
  readonly emoji: string;
  /** Whether its picture loads from its address: snac2 always writes https. */
  readonly emojiLoads: boolean;
}

interface Account {
  readonly id: string;
  readonly acct: string;
  readonly username: string;
}

interface Attachment {
  readonly id: string;
  readonly url: string | null;
  readonly description: string | null;
}

interface Post {
  readonly id: string;
  readonly account: Account;
  readonly content: string;
  readonly visibility: string;
  readonly spoiler_text: string;
  readonly sensitive: boolean;
  readonly in_reply_to_id: string | null;
  readonly favourites_count: number;
  readonly media_attachments: readonly Attachment[];
  readonly emojis: readonly { readonly shortcode: string; readonly url: string }[];
}

interface Notification {
  readonly type: string;
  readonly account: Account;
  readonly status?: Post | null;
}

interface Relationship {
  readonly following: boolean;
  readonly requested: boolean;
  readonly followed_by: boolean;
}

/** What alice does on one server, and what alice and bob see on the other. */
export class Meeting {
  readonly from: Side;
  readonly to: Side;
  private shared: Promise<{ post: Post; copy: Post }> | undefined;

  constructor(from: Side, to: Side) {
    this.from = from;
    this.to = to;
  }

  /** A public post of `from` and its copy on the other server; created once. */
  get open(): Promise<{ post: Post; copy: Post }> {
    this.shared ??= this.published('an open post', { visibility: 'public' });
    return this.shared;
  }

  /** The id under which one server knows alice of the other. */
  async idOf(here: Side, there: Side): Promise<string> {
    const query = encodeURIComponent(`@alice@${there.host}`);
    return until(`alice of ${there.name} in the search of ${here.name}`, async () => {
      const { accounts } = await here.alice.get<{ accounts: Account[] }>(`/api/v2/search?resolve=true&q=${query}`);
      return accounts.find(({ username, acct }) => username === 'alice' && acct !== 'alice')?.id;
    });
  }

  async relation(here: Side, there: Side): Promise<Relationship> {
    const id = encodeURIComponent(await this.idOf(here, there));
    const [found] = await here.alice.get<Relationship[]>(`/api/v1/accounts/relationships?id[]=${id}`);
    return found!;
  }

  /** Alice of `from` posts for her followers; the post arrives in the home timeline of alice of `to`. */
  async published(text: string, options: object): Promise<{ post: Post; copy: Post }> {
    const mark = marked();
    const post = await this.from.alice.post<Post>('/api/v1/statuses', { status: `${text} ${mark}`, ...options });
    const copy = await until(`the post, in the home timeline of ${this.to.name}`, async () => {
      const home = await this.to.alice.get<Post[]>('/api/v1/timelines/home?limit=30');
      return home.find(({ content }) => content.includes(mark));
    });
    return { post, copy };
  }

  /** Alice of `from` mentions alice of `to`, who is notified. */
  async mentioned(text: string, options: object): Promise<Post> {
    const mark = marked();
    const status = `@alice@${this.to.host} ${text} ${mark}`;
    await this.from.alice.post<Post>('/api/v1/statuses', { status, ...options });
    const isIt = ({ status: post }: Notification) => post?.content.includes(mark) === true;
    return (await this.notified('mention', isIt)).status!;
  }

  /** A notification of alice of `to` that alice of `from` caused. */
  notified(type: string, isIt: (notification: Notification) => boolean = () => true): Promise<Notification> {
    return until(`the notification of a ${type} on ${this.to.name}`, async () => {
      const list = await this.to.alice.get<Notification[]>('/api/v1/notifications?limit=30');
      return list.find((one) => one.type === type && one.account.acct === `alice@${this.from.host}` && isIt(one));
    });
  }

  /** Bob of `to` must not see the post. */
  async hiddenFromBob({ id }: Post): Promise<void> {
    if (await this.to.bob.find(`/api/v1/statuses/${id}`)) throw new Missing(`privacy: bob of ${this.to.name} sees it`);
  }
}

export interface Flow {
  readonly name: string;
  readonly run: (meeting: Meeting) => Promise<void>;
}

function flow(name: string, run: Flow['run']): Flow {
  return { name, run };
}

/** In order: later flows need the follow. */
export const flows: readonly Flow[] = [
  flow('follow', async (meeting) => {
    const { from, to } = meeting;
    await from.alice.post(`/api/v1/accounts/${await meeting.idOf(from, to)}/follow`);
    await meeting.notified('follow');
    await wait(`"following" on ${from.name}`, async () => {
      const { following, requested } = await meeting.relation(from, to);
      return following && !requested;
    });
    await wait(`"followed_by" on ${to.name}`, async () => (await meeting.relation(to, from)).followed_by);
  }),
  flow('open post', async (meeting) => {
    isCalled('public', (await meeting.open).copy, meeting);
  }),
  flow('followers-only post', async (meeting) => {
    const { copy } = await meeting.published('for followers', { visibility: 'private' });
    isCalled('private', copy, meeting);
    await meeting.hiddenFromBob(copy);
  }),
  flow('direct post', async (meeting) => {
    const post = await meeting.mentioned('psst', { visibility: 'direct' });
    isCalled('direct', post, meeting);
    await meeting.hiddenFromBob(post);
  }),
  flow('reply', async (meeting) => {
    const { post, copy } = await reversed(meeting).open;
    const reply = await meeting.mentioned('an answer', { visibility: 'public', in_reply_to_id: copy.id });
    expect('in_reply_to_id', reply.in_reply_to_id, post.id);
  }),
  flow('boost', async (meeting) => {
    const { post, copy } = await reversed(meeting).open;
    await meeting.from.alice.post(`/api/v1/statuses/${copy.id}/reblog`);
    await meeting.notified('reblog', ({ status }) => status?.id === post.id);
  }),
  flow('like', async (meeting) => {
    const { post, copy } = await reversed(meeting).open;
    await meeting.from.alice.post(`/api/v1/statuses/${copy.id}/favourite`);
    await meeting.notified('favourite', ({ status }) => status?.id === post.id);
  }),
  flow('like, undone and again', async (meeting) => {
    const { post, copy } = await reversed(meeting).open;
    for (const [action, count] of [
      ['unfavourite', 0],
      ['favourite', 1],
      ['unfavourite', 0],
    ] as const) {
      await meeting.from.alice.post(`/api/v1/statuses/${copy.id}/${action}`);
      await wait(`${count} favourites on ${meeting.to.name} after ${action}`, async () => {
        const { favourites_count: found } = await meeting.to.alice.get<Post>(`/api/v1/statuses/${post.id}`);
        return found === count;
      });
    }
  }),
  flow('picture with description', async (meeting) => {
    const { id } = await uploaded(meeting.from.alice, 'a grey square');
    const { copy } = await meeting.published('a picture', { media_ids: [id] });
    const [attachment] = copy.media_attachments;
    expect('description', attachment?.description, 'a grey square');
    await loads(attachment?.url);
  }),
  flow('content warning', async (meeting) => {
    const { copy } = await meeting.published('behind a warning', { spoiler_text: 'spiders', sensitive: true });
    expect('spoiler_text', copy.spoiler_text, 'spiders');
    expect('sensitive', copy.sensitive, true);
  }),
  flow('custom emoji', async (meeting) => {
    const { emoji, emojiLoads } = meeting.from;
    const { copy } = await meeting.published(`look :${emoji}: here`, {});
    const found = copy.emojis.find(({ shortcode }) => shortcode === emoji);
    expect('emojis', found?.shortcode, emoji);
    if (emojiLoads) await loads(found?.url);
  }),
  flow('edit', async (meeting) => {
    const { post, copy } = await meeting.open;
    const mark = marked();
    await meeting.from.alice.put(`/api/v1/statuses/${post.id}`, { status: `another text ${mark}` });
    await wait(`the new text on ${meeting.to.name}`, async () => {
      const { content } = await meeting.to.alice.get<Post>(`/api/v1/statuses/${copy.id}`);
      return content.includes(mark);
    });
  }),
  flow('delete', async (meeting) => {
    const { post, copy } = await meeting.open;
    await meeting.from.alice.delete(`/api/v1/statuses/${post.id}`);
    await wait(`the end of the post on ${meeting.to.name}`, async () => {
      return (await meeting.to.alice.find(`/api/v1/statuses/${copy.id}`)) === undefined;
    });
  }),
  flow('unfollow', async (meeting) => {
    const { from, to } = meeting;
    await from.alice.post(`/api/v1/accounts/${await meeting.idOf(from, to)}/unfollow`);
    await wait(`the end of "followed_by" on ${to.name}`, async () => !(await meeting.relation(to, from)).followed_by);
  }),
  flow('follow, unfollow again', async (meeting) => {
    const { from, to } = meeting;
    const id = await meeting.idOf(from, to);
    for (const action of ['follow', 'unfollow'] as const) {
      await from.alice.post(`/api/v1/accounts/${id}/${action}`);
      await wait(`${action} seen on both`, async () => {
        const [there, here] = [await meeting.relation(from, to), await meeting.relation(to, from)];
        return !there.requested && there.following === here.followed_by && here.followed_by === (action === 'follow');
      });
    }
  }),
];

const reverses = new WeakMap<Meeting, Meeting>();

/** The two directions between two servers, which know each other. */
export function bothWays(one: Side, other: Side): [Meeting, Meeting] {
  const [there, back] = [new Meeting(one, other), new Meeting(other, one)];
  reverses.set(there, back);
  reverses.set(back, there);
  return [there, back];
}

function reversed(meeting: Meeting): Meeting {
  return reverses.get(meeting)!;
}

/** A random word that no other text contains. */
function marked(): string {
  return `x${randomBytes(6).toString('hex')}`;
}

function expect(name: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Missing(`${name} ${JSON.stringify(wanted)}, but ${JSON.stringify(found)}`);
}

/** Checks the visibility on our server only: other servers may name it differently. */
function isCalled(visibility: string, post: Post, { to }: Meeting): void {
  if (to.name === 'svc') expect('visibility', post.visibility, visibility);
}

async function uploaded(client: Client, description: string): Promise<Attachment> {
  const file = { name: 'file', content: await picture() };
  try {
    return await client.form<Attachment>('/api/v2/media', { description }, file);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return client.form<Attachment>('/api/v1/media', { description }, file);
  }
}

async function loads(url: string | null | undefined): Promise<void> {
  const answer = url ? await fetch(url, { headers: { 'user-agent': 'interop' } }) : undefined;
  if (!answer?.ok) throw new Missing(`the picture ${url} (${answer?.status ?? 'no address'})`);
}
