import type { Data } from './data.ts';
import type { Followers } from './deliveries.ts';
import { type Goal, goals } from './goals.ts';
import { creates, departures, forged } from './inbox.ts';
import { type Answer, requestBytes, uploadBytes } from './load.ts';
import { HASHTAGS, PLACES } from './statuses.ts';
import type { Arrivals, Crowd } from './streams.ts';

/** Returns the bytes of the next request; undefined when there is none left. */
export type Requests = () => Buffer | undefined;

export interface Scenario {
  readonly name: string;
  readonly connections: number;
  readonly goal: Goal;
  /** `seconds`: for how long they are to last. */
  readonly requests: (data: Data, seconds: number) => Requests | Promise<Requests>;
  /** The status of a correct answer; 200 by default. */
  readonly status?: number;
  /** The problem of an answer with this status. */
  readonly complaint: (answer: Answer) => string | undefined;
  /** Whether correct answers differ much in length. */
  readonly varies?: boolean;
  /** The rate counts until the last job is done, not only until the last answer. */
  readonly untilDone?: boolean;
  /** The clients that listen while the writer posts; the figures are those of frames. */
  readonly crowd?: Crowd;
  /** The clients that open streams; the figures are those of sockets, KB is the memory of one. */
  readonly arrivals?: Arrivals;
  /** The other servers that follow the writer, who posts; the figures are those of deliveries. */
  readonly followers?: Followers;
}

const ROWS = 20;
const MANY = 16;
const LISTENERS = 1_000;
const PEOPLE = 500;
const IDLE = 10_000;
const STORM = 5_000;
/** So much of the frames must come in time: a load generator that posts less often proves nothing. */
const FRAMES_SHARE = 0.9;
/** Activities that are signed beforehand for each second. */
const PREPARED = 2_000;
const HOME = '/api/v1/timelines/home';
const PUBLIC = '/api/v1/timelines/public';
const ACCOUNTS = '/api/v1/accounts/';
const ACTIVITY = { accept: 'application/activity+json' };

/** Every scenario in order: writing comes last, since it changes what the others read. */
export const scenarios: readonly Scenario[] = [
  many('home', goals.home, isPage, ({ reader }) => cycle([requestBytes(HOME, bearer(reader))])),
  {
    ...many('home-c1', goals.homeAlone, isPage, ({ reader }) => cycle([requestBytes(HOME, bearer(reader))])),
    connections: 1,
  },
  many('home-cold', goals.homeCold, isPage, ({ archivist, archivePages }) =>
    once(requestsTo(`${HOME}?max_id=`, archivePages, bearer(archivist))),
  ),
  many('public', goals.public, isPage, ({ reader }) => cycle([requestBytes(PUBLIC, bearer(reader))])),
  many('public-anonymous', goals.publicAnonymous, isPage, () => cycle([requestBytes(PUBLIC)])),
  many('status', goals.status, has('id'), ({ reader, statusIds }) =>
    cycle(requestsTo('/api/v1/statuses/', statusIds, bearer(reader))),
  ),
  {
    ...many('context', goals.context, has('descendants'), ({ reader, threadIds }) =>
      cycle(threadIds.map((id) => requestBytes(`/api/v1/statuses/${id}/context`, bearer(reader)))),
    ),
    varies: true,
  },
  many('account-statuses', goals.accountStatuses, isPage, ({ reader, authorIds }) =>
    cycle(authorIds.map((id) => requestBytes(`${ACCOUNTS}${id}/statuses`, bearer(reader)))),
  ),
  many('notifications', goals.notifications, isPage, ({ reader }) =>
    cycle([requestBytes('/api/v1/notifications', bearer(reader))]),
  ),
  many('chats', goals.chats, isListOf('last_message'), ({ reader }) =>
    cycle([requestBytes('/api/v2/svc/chats', bearer(reader))]),
  ),
  many('chat-messages', goals.chats, isListOf('chat_id'), ({ reader, chatIds }) =>
    cycle(chatIds.map((id) => requestBytes(`/api/v1/svc/chats/${id}/messages`, bearer(reader)))),
  ),
  many('tag', goals.search, isPage, ({ reader }) =>
    cycle(requestsTo('/api/v1/timelines/tag/', numbered('tag', HASHTAGS), bearer(reader))),
  ),
  many('list', goals.search, isPage, ({ reader, listId }) =>
    cycle([requestBytes(`/api/v1/timelines/list/${listId}`, bearer(reader))]),
  ),
  many('search', goals.search, hasPageOf('statuses'), ({ reader }) =>
    cycle(requestsTo('/api/v2/search?type=statuses&q=', numbered('place', PLACES), bearer(reader))),
  ),
  {
    ...many('search-accounts', goals.search, hasPageOf('accounts'), ({ reader }) =>
      cycle(requestsTo(`/api/v2/search?type=accounts&q=`, numbered('person', 9), bearer(reader))),
    ),
    varies: true,
  },
  many('account', goals.account, has('id'), ({ reader, accountIds }) =>
    cycle(requestsTo(ACCOUNTS, accountIds, bearer(reader))),
  ),
  many('lookup', goals.account, has('id'), ({ reader, nicknames }) =>
    cycle(requestsTo(`${ACCOUNTS}lookup?acct=`, nicknames, bearer(reader))),
  ),
  many('verify-credentials', goals.account, has('source'), ({ reader }) =>
    cycle([requestBytes(`${ACCOUNTS}verify_credentials`, bearer(reader))]),
  ),
  many('webfinger', goals.webfinger, has('subject'), ({ nicknames }) =>
    cycle(
      requestsTo(
        '/.well-known/webfinger?resource=acct:',
        nicknames.map((name) => `${name}@bench.test`),
      ),
    ),
  ),
  many('actor', goals.actor, has('publicKey'), ({ nicknames }) => cycle(requestsTo('/users/', nicknames, ACTIVITY))),
  many('note', goals.note, has('content'), ({ objectPaths }) => cycle(requestsTo('', objectPaths, ACTIVITY))),
  many('instance', goals.instance, has('title'), () => cycle([requestBytes('/api/v2/instance')])),
  { ...many('post', goals.post, has('id'), ({ writer }) => newStatuses(writer)), connections: 4 },
  {
    ...many('post-followed', goals.postFollowed, has('id'), ({ celebrity }) => newStatuses(celebrity)),
    connections: 4,
  },
  {
    ...many('upload', goals.upload, has('blurhash'), ({ writer, photo }) =>
      cycle([uploadBytes('/api/v1/media', bearer(writer), photo)]),
    ),
    connections: 2,
  },
  live('streaming', { protocol: 'websocket', listeners: LISTENERS, perSecond: 10 }),
  {
    ...many('inbox', goals.inbox, isAnything, async ({ senders }, seconds) =>
      once(await creates(senders, seconds * PREPARED)),
    ),
    status: 202,
    untilDone: true,
  },
  {
    ...many('inbox-forged', goals.inboxForged, isAnything, async ({ senders }) => cycle(await forged(senders))),
    status: 401,
  },
  {
    ...many('inbox-departure', goals.inboxDeparture, isAnything, async () => cycle(await departures())),
    status: 202,
  },
  deliveries('deliveries', goals.deliveries, { live: 100, dead: 0 }),
  deliveries('deliveries-one-dead', goals.deliveriesPastDead, { live: 99, dead: 1 }),
  deliveries('deliveries-mostly-dead', goals.deliveriesPastDead, { live: 100, dead: 500 }),
  arriving('streaming-idle', { sockets: IDLE, atOnce: 50 }),
  arriving('streaming-storm', { sockets: STORM, atOnce: STORM }),
  live('streaming-busy', {
    protocol: 'websocket',
    listeners: LISTENERS,
    perSecond: 100,
    idle: IDLE,
  }),
  live('streaming-people', { protocol: 'websocket', listeners: PEOPLE, areSignedIn: true, perSecond: 50 }),
  live('streaming-events', { protocol: 'event_stream', listeners: LISTENERS, perSecond: 100 }),
  live('streaming-slow', { protocol: 'websocket', listeners: 20, perSecond: 100, hanging: 20, characters: 4_900 }),
];

/** Posts that clients of live streams get. */
function live(name: string, crowd: Crowd): Scenario {
  const connections = crowd.listeners + (crowd.idle ?? 0) + (crowd.hanging ?? 0);
  const { floor, ...goal } = crowd.perSecond > 10 ? goals.streamingBusy : goals.streaming;
  const rate = crowd.listeners * crowd.perSecond * FRAMES_SHARE;
  return { ...many(name, { ...goal, floor: { ...floor, rate } }, isAnything, () => once([])), connections, crowd };
}

/** Clients that open live streams. */
function arriving(name: string, arrivals: Arrivals): Scenario {
  const goal = name === 'streaming-idle' ? goals.streamingIdle : goals.streamingStorm;
  return { ...many(name, goal, isAnything, () => once([])), connections: arrivals.sockets, arrivals };
}

/** Posts whose author is followed from other servers. */
function deliveries(name: string, goal: Goal, followers: Followers): Scenario {
  const connections = followers.live + followers.dead;
  return { ...many(name, goal, isAnything, () => once([])), connections, followers };
}

function many(name: string, goal: Goal, complaint: Scenario['complaint'], requests: Scenario['requests']): Scenario {
  return { name, connections: MANY, goal, complaint, requests };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function requestsTo(start: string, ends: readonly string[], headers: Record<string, string> = {}): Buffer[] {
  return ends.map((end) => requestBytes(`${start}${end}`, headers));
}

function cycle(requests: readonly Buffer[]): Requests {
  let at = -1;
  return () => requests[(at = (at + 1) % requests.length)];
}

/** Sends each request once, so that no cache has its answer. */
function once(requests: readonly Buffer[]): Requests {
  let at = -1;
  return () => requests[(at += 1)];
}

/** The first `count` names that end with a number. */
function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}${at + 1}`);
}

/** Different posts of a common length. */
function newStatuses(token: string): Requests {
  let count = 0;
  return () => {
    count += 1;
    const status = `Post number ${count}: something that fits on a line or two, with a #hashtag and a link to https://example.com/${count}`;
    return requestBytes('/api/v1/statuses', bearer(token), { status, visibility: 'public' });
  };
}

function isAnything(): undefined {
  return undefined;
}

/** Checks for a full page of statuses. */
function isPage({ body }: Answer): string | undefined {
  const rows = JSON.parse(body.toString()) as { id?: string; account?: object }[];
  if (rows.length !== ROWS) return `${rows.length} rows instead of ${ROWS}`;
  return rows.every(({ id, account }) => id && account) ? undefined : 'rows that are no statuses';
}

/** Checks for a full page of rows with a field. */
function isListOf(field: string): (answer: Answer) => string | undefined {
  return ({ body }) => {
    const rows = JSON.parse(body.toString()) as object[];
    if (rows.length !== ROWS) return `${rows.length} rows instead of ${ROWS}`;
    return rows.every((row) => field in row) ? undefined : `rows without "${field}"`;
  };
}

/** Checks for search results with a full page of one kind. */
function hasPageOf(kind: 'accounts' | 'statuses'): (answer: Answer) => string | undefined {
  return ({ body }) => {
    const found = JSON.parse(body.toString()) as Record<string, unknown[]>;
    return found[kind]?.length === ROWS ? undefined : `${found[kind]?.length} ${kind} instead of ${ROWS}`;
  };
}

function has(field: string): (answer: Answer) => string | undefined {
  return ({ body }) => (field in (JSON.parse(body.toString()) as object) ? undefined : `no "${field}" in the answer`);
}
