import { BlocksService } from '../../src/accounts/index.js';
import {
  StatusCreated,
  StatusFlag,
  type StatusJson,
  Visibility,
  type VisibilityName,
} from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { fillFeed, makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { announce, connect, connectAs, isMarker, sendMarker, type TestSocket } from '../support/servers/sockets.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

const DOMAIN = 'other.example';
const FOLLOWERS = ['follower', 'chosen', 'loyal'];
const ADDRESSED = ['addressed', 'chosen'];
/** These viewers follow the author (except the fenced one) and are addressed, but hide the post or must not get it. */
const SPARED = ['blocked', 'blocker', 'muter', 'deaf', 'foe', 'fenced'];
/** These viewers have a list with the author, so they follow the author. */
const LISTERS = [...FOLLOWERS, ...SPARED.filter((name) => name !== 'fenced')];
/** These viewers follow the tag of the posts. */
const TAGGERS = ['tagger', ...SPARED];
const MEMBERS = ['stranger', 'requester', 'tagger', ...new Set([...FOLLOWERS, ...ADDRESSED]), ...SPARED];

interface Origin {
  readonly author: string;
  readonly local: boolean;
  readonly visibilities: readonly VisibilityName[];
  /** The names of the streams of its server. */
  readonly streams: readonly string[];
  /** The names of the streams of its server's posts with a tag. */
  readonly tagged: readonly string[];
}
const HERE: Origin = {
  author: 'author',
  local: true,
  visibilities: Object.keys(Visibility) as VisibilityName[],
  streams: ['public:local', 'public:local:media'],
  tagged: ['hashtag:local tea'],
};
const THERE: Origin = {
  author: `author@${DOMAIN}`,
  local: false,
  visibilities: ['public', 'unlisted', 'private', 'direct'],
  streams: [`public:remote ${DOMAIN}`, `public:remote:media ${DOMAIN}`],
  tagged: [],
};
const OPEN = ['public', 'public:media', 'hashtag tea', ...HERE.streams, ...HERE.tagged, ...THERE.streams];
const OWN = ['user', 'direct'];
/** The ids of lists by their owners. */
const lists = new Map<string, string>();

const app = useApp({ listening: true });
const counts = { delivered: 0, withheld: 0, leaked: 0 };

afterAll(() => {
  const { delivered, withheld, leaked } = counts;
  console.log(`streams: ${delivered + withheld} reads, ${leaked} leaks, ${delivered} allowed reads seen`);
});
beforeEach(() => {
  lists.clear();
});

const id = (name: string) => app.world.id(name);

/** Creates accounts with every relation to the author, before the first post. */
async function arrange({ author, local }: Origin): Promise<void> {
  await app.world.persons(...MEMBERS, 'pest', ...(local ? [author] : []));
  if (!local) await app.world.remote('author', DOMAIN);
  const blocks = app.get(BlocksService);
  await blocks.block(id(author), id('blocked'), {});
  await blocks.block(id('blocker'), id(author), {});
  await blocks.mute(id('muter'), id(author), { notifications: true });
  await blocks.block(id('foe'), id('pest'), {});
  await app.sql('insert into domain_blocks (account_id, domain) select unnest($1::text[]), $2', [
    [id('fenced'), id('loyal')],
    DOMAIN,
  ]);
  await makeFollows(app, LISTERS.map(id), id(author));
  const made = await app.sql<{ id: string; account_id: string }>(
    `insert into lists (account_id, title) select unnest($1::text[]), 'people' returning id, account_id`,
    [LISTERS.map(id)],
  );
  for (const name of LISTERS) lists.set(name, made.find((list) => list.account_id === id(name))!.id);
  await app.sql(
    `insert into list_members (list_id, account_id, follow_id)
     select l.id, f.followee_id, f.id from lists l join follows f on f.follower_id = l.account_id`,
  );
  await app.sql(
    `with tag as (insert into hashtags (name) values ('tea') returning id)
     insert into followed_tags (account_id, hashtag_id) select unnest($1::text[]), id from tag`,
    [TAGGERS.map(id)],
  );
  await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', [
    id('requester'),
    id(author),
  ]);
}

/** Makes a post with a file, a tag and mentions, and emits the event of a new post. */
async function plant({ author, local }: Origin, visibility: VisibilityName): Promise<string> {
  const [postId] = (await makeStatuses(app, author, 1)) as [string];
  const flags = StatusFlag.media | StatusFlag.tags | StatusFlag.mentions;
  await app.sql(
    `with thread as (insert into conversations (uri) values ('https://svc.test/contexts/' || $1::text) returning id),
       deaf as (insert into thread_mutes (account_id, conversation_id) select $2, id from thread)
     update statuses set visibility = $3, local = $4, flags = $5, conversation_id = (select id from thread) where id = $1`,
    [postId, id('deaf'), Visibility[visibility], local, flags],
  );
  const named = [...ADDRESSED, ...SPARED, 'pest'].map(id);
  await app.sql('insert into mentions (status_id, account_id) select $1, unnest($2::text[])', [postId, named]);
  await app.sql(`insert into hashtags (name) values ('tea') on conflict do nothing`);
  await app.sql(`insert into status_hashtags select $1, id from hashtags where name = 'tea'`, [postId]);
  const event = new StatusCreated({
    statusId: postId,
    authorId: id(author),
    local,
    visibility: Visibility[visibility],
    reblogOfId: null,
    inReplyToId: null,
    hasMentions: true,
    hasTags: true,
    isQuote: false,
    hasLinks: false,
    hasSubscribers: true,
    isNews: true,
  });
  if (local) await fillFeed(app, author, [postId]);
  await announce(app, event);
  return postId;
}

const ownStreams = (viewer: string) => [...OWN, ...(lists.has(viewer) ? [`list ${lists.get(viewer)}`] : [])];

/** Opens a socket for each viewer and subscribes it to every stream that the viewer may read. */
async function openSockets(viewers: readonly string[]): Promise<Map<string, TestSocket>> {
  const { token: narrow } = await app.world.as('stranger', 'read:notifications');
  const open = async (viewer: string): Promise<[string, TestSocket]> => {
    const isMember = viewer !== 'anonymous' && viewer !== 'narrow';
    const socket = await (isMember
      ? connectAs(app, viewer)
      : connect(app, viewer === 'narrow' ? { access_token: narrow } : {}));
    for (const stream of [...OPEN, ...(isMember ? ownStreams(viewer) : [])]) {
      const [name = '', argument] = stream.split(' ');
      await socket.subscribe(name, { tag: argument, instance: argument, list: argument });
    }
    return [viewer, socket];
  };
  return new Map(await Promise.all(viewers.map(open)));
}

/** Whether the viewer may read a post and does not hide it. A fence keeps out remote accounts only. */
function readers({ author, local }: Origin): Record<VisibilityName, readonly string[]> {
  const addressed = [author, ...ADDRESSED, ...(local ? ['fenced'] : [])];
  const members = [author, 'stranger', 'requester', 'tagger', ...FOLLOWERS, ...addressed];
  const all = ['anonymous', 'narrow', ...members];
  return {
    public: all,
    unlisted: all,
    local: members,
    private: [...addressed, ...FOLLOWERS],
    direct: addressed,
    list: addressed,
  };
}

/** The streams that have to show the viewer a post. */
function expected(viewer: string, origin: Origin, visibility: VisibilityName): string[] {
  if (!readers(origin)[visibility].includes(viewer)) return [];
  const streams: Partial<Record<VisibilityName, readonly string[]>> = {
    public: ['public', 'public:media', 'hashtag tea', ...origin.streams, ...origin.tagged],
    local: origin.streams,
    direct: ['direct'],
  };
  const byTag = visibility === 'public' && TAGGERS.includes(viewer);
  const home = byTag || [origin.author, ...FOLLOWERS].includes(viewer) ? ['user'] : [];
  const listed = lists.has(viewer) ? [`list ${lists.get(viewer)}`] : [];
  return [...home, ...listed, ...(streams[visibility] ?? [])].sort();
}

describe.each([HERE, THERE])('posts of $author', (origin) => {
  it('V7 reach the viewers who may see them and want them, on the streams they belong to', async () => {
    await arrange(origin);
    const viewers = ['anonymous', 'narrow', ...MEMBERS, ...(origin.local ? [origin.author] : [])];
    const sockets = await openSockets(viewers);
    const arrived = new Map<string, Set<string>>(); // ids of posts by viewer and stream
    for (const visibility of origin.visibilities) {
      const postId = await plant(origin, visibility);
      await sendMarker(
        app,
        [...MEMBERS, 'author'].filter((name) => name !== 'author' || origin.local),
      );
      for (const [viewer, socket] of sockets) {
        const frames = await socket.until(isMarker);
        const streams = frames.map(({ stream }) => stream.join(' '));
        const wanted = expected(viewer, origin, visibility);
        counts.leaked += streams.filter((stream) => !wanted.includes(stream)).length;
        expect({ viewer, visibility, streams: streams.sort() }).toEqual({ viewer, visibility, streams: wanted });
        for (const { payload = '' } of frames) expect((JSON.parse(payload) as StatusJson).id).toBe(postId);
        for (const stream of streams) {
          const key = `${viewer} ${stream}`;
          arrived.set(key, (arrived.get(key) ?? new Set()).add(postId));
        }
        counts.delivered += streams.length;
        counts.withheld += OPEN.length + (MEMBERS.includes(viewer) ? ownStreams(viewer).length : 0) - streams.length;
      }
    }
    await expectPagesToAgree(viewers, arrived);
    await Promise.all([...sockets.values()].map((socket) => socket.close()));
  });
});

/** Checks that a socket and a page show the same. */
async function expectPagesToAgree(viewers: readonly string[], arrived: Map<string, Set<string>>): Promise<void> {
  await app.drain();
  const page = async (client: Client, timeline: string, query: object = {}) => {
    const items = await ok<StatusJson[]>(client.get(`/api/v1/timelines/${timeline}`, { limit: 40, ...query }));
    return new Set(items.map((item) => item.id));
  };
  for (const viewer of viewers.filter((name) => name !== 'narrow')) {
    const client = viewer === 'anonymous' ? app.world.anonymous : await app.world.as(viewer);
    const shown = {
      public: await page(client, 'public'),
      'public:local': await page(client, 'public', { local: true }),
      'public:media': await page(client, 'public', { only_media: true }),
      'hashtag tea': await page(client, 'tag/tea'),
      'hashtag:local tea': await page(client, 'tag/tea', { local: true }),
      ...(viewer === 'anonymous' ? {} : { user: await page(client, 'home') }),
      ...(lists.has(viewer) ? { [`list ${lists.get(viewer)}`]: await page(client, `list/${lists.get(viewer)}`) } : {}),
    };
    for (const [stream, ids] of Object.entries(shown)) {
      const sent = arrived.get(`${viewer} ${stream}`) ?? new Set();
      expect({ viewer, stream, ids }).toEqual({ viewer, stream, ids: sent });
    }
  }
}
