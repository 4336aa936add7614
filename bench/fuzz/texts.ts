import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Data } from '../data.ts';
import { creates, PUBLIC, signedRequests } from '../inbox.ts';
import { requestBytes, runLoad, summaryOf } from '../load.ts';
import { isAbove, memoryOf } from '../processes.ts';
import { BASE_URL, type Listener, type Scene } from '../stage.ts';
import { HOSTILE_ADDRESS, HostileServer } from './fetched.ts';
import { MAX_RSS_MB } from './floods.ts';

/**
 * The longest post that a server accepts by default, a little less than the longest that it takes from others, and more
 * than it keeps of a chat message.
 */
const [OWN_LENGTH, FOREIGN_LENGTH, CHAT_LENGTH] = [5_000, 99_000, 900_000];
const FIELDS = 10;
const FIELD_LENGTH = 2_048;
const POLITE_MS = 20;
const WARM_UP_MS = 2_000;
/** Measures within the server. */
const HELD = fileURLToPath(new URL('held.mjs', import.meta.url));

/** Beginnings of texts that take long to parse, format or escape when they are repeated. */
const SEEDS = ['[', '*a_', '@a ', '@a@b.', '#a ', '&', '<', '- a\n', '**a', '[b]', '<p><b>', '<svg>', 'https://a.b '];
const LINK = '<a href="https://x.example/">x</a> ';
const FORMATS = ['text/markdown', 'text/bbcode', 'text/html', 'text/plain'];

const long = (seed: string, length: number) => seed.repeat(Math.floor(length / seed.length));

export interface TextLimits {
  /** Times that each text is sent. */
  readonly times: number;
  /** The longest that the event loop may be held, in milliseconds of CPU on the machine of the goals. */
  readonly heldMs: number;
  /** The slowest answer to polite clients but one in a hundred, in milliseconds. */
  readonly politeMs: number;
}

/** Hostile texts of one kind, and what sends them. */
interface Case {
  readonly name: string;
  readonly send: (server: Listener) => Promise<void>;
}

/**
 * Sends texts that take long to work on, to the API, to the inbox and in documents that the server asks for (threat F22), while
 * a polite client uses the server. Returns whether nothing held the event loop, and the polite client, for too long, or took too much memory.
 */
export async function fuzzTexts(scene: Scene, limits: TextLimits): Promise<boolean> {
  const { stage, signal } = scene;
  let isFine = true;
  const heldFile = join(stage.folder, 'held');
  writeFileSync(heldFile, '');
  const measure = async (server: Listener, { name, send }: Case) => {
    heldMs(heldFile); // what was before does not count
    const over = new AbortController();
    const polite = bePolite(server, AbortSignal.any([signal, over.signal]));
    await send(server).finally(() => over.abort());
    const [held, { p99Ms, longestMs }] = [heldMs(heldFile), await polite];
    const isSlow = isAbove(held, limits.heldMs) || p99Ms > limits.politeMs;
    if (isSlow) isFine = false;
    const figures = `event loop held ${held} ms, polite client p99 ${p99Ms} ms, longest ${longestMs} ms`;
    console.log(`  ${isSlow ? 'SLOW ' : ''}${name}: ${figures}`);
  };
  await using hostile = new HostileServer({
    seeds: [...SEEDS, LINK],
    formats: FORMATS,
    contentLength: FOREIGN_LENGTH,
    long,
  });
  await hostile.open();
  const settings = {
    NODE_OPTIONS: `--import ${HELD}`,
    HELD_FILE: heldFile,
    ALLOWED_PRIVATE_ADDRESSES: HOSTILE_ADDRESS,
  };
  const fetched = (_scene: Scene, times: number) => fetchedCases(hostile, scene, times);
  for (const makeCases of [strangers, followed, fetched]) {
    const cases = await makeCases(scene, limits.times);
    const server = await stage.startServer(settings);
    await warmUp(server, scene);
    await measure(server, { name: 'nothing', send: () => delay(1_000) });
    for (const each of cases) await measure(server, each);
    const { peakMb } = memoryOf(server.pid);
    if (peakMb > MAX_RSS_MB) isFine = false;
    console.log(`  peak RSS ${peakMb} MB`);
    await stage.stopServer(server);
  }
  return isFine;
}

/** Activities of accounts that nobody here follows. */
async function strangers(scene: Scene, times: number): Promise<Case[]> {
  await scene.stage.sql.query(
    `delete from follows where followee_id in (select id from accounts where domain is not null)`,
  );
  return inboxCases(scene, 'a stranger', times);
}

/** Activities of accounts that the reader follows, posts and profiles of accounts of this server, and pages of all of it. */
async function followed(scene: Scene, times: number): Promise<Case[]> {
  const { stage, data } = scene;
  await stage.sql.query(
    `insert into follows (follower_id, followee_id)
     select reader.id, sender.id from accounts reader, accounts sender
     where reader.nickname = 'reader' and reader.domain is null and sender.domain like 'sender%'`,
  );
  const bearer = { authorization: `Bearer ${data.writer}` };
  const posts = FORMATS.flatMap((type) =>
    [...SEEDS, LINK].map((seed) =>
      requestBytes('/api/v1/statuses', bearer, { status: long(seed, OWN_LENGTH), content_type: type }),
    ),
  );
  const messages = SEEDS.map((seed) =>
    requestBytes(
      `/api/v1/svc/chats/${data.chatIds[0]!}/messages`,
      { authorization: `Bearer ${data.reader}` },
      {
        content: long(seed, OWN_LENGTH),
      },
    ),
  );
  const cycle = (name: string, requests: readonly Buffer[]): Case => ({
    name,
    send: ({ port }) => sendAll(port, Array.from({ length: times }, () => requests).flat(), scene),
  });
  return [
    cycle('own posts', posts),
    cycle('own chat messages', messages),
    { name: 'own profiles', send: (server) => changeProfiles(server, data.writer) },
    ...(await inboxCases(scene, 'a followed account', times)),
    cycle('pages of such posts', pagesOf(data)),
  ];
}

/** Documents that the server asks another server for, and pages of what it stores of them. */
function fetchedCases(hostile: HostileServer, scene: Scene, times: number): Promise<Case[]> {
  const { data } = scene;
  const sending = (name: string, requests: Buffer[]): Case => ({
    name,
    send: ({ port }) => sendAll(port, requests, scene),
  });
  return Promise.resolve([
    sending('fetched posts', hostile.posts(data, times)),
    sending('fetched profiles', hostile.actors(data, times)),
    sending('fetched documents of hostile shapes', hostile.shapes(data, times)),
    sending('previews of long pages', hostile.pages(data, times)),
    sending('pages with what was fetched', pagesOf(data)),
  ]);
}

function pagesOf({ reader }: Data): Buffer[] {
  return ['home', 'public'].map((name) =>
    requestBytes(`/api/v1/timelines/${name}?limit=40`, { authorization: `Bearer ${reader}` }),
  );
}

async function changeProfiles({ port }: Listener, token: string): Promise<void> {
  for (const seed of SEEDS) {
    const field = { name: 'x', value: long(seed, FIELD_LENGTH) };
    const changes = { note: long(seed, OWN_LENGTH), fields_attributes: Array.from({ length: FIELDS }, () => field) };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/api/v1/accounts/update_credentials`;
    const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(changes) });
    const body = await answer.text();
    const isTooLong = body.includes('is too long'); // a short link counts as 23 characters
    if (!answer.ok && !isTooLong) throw new Error(`A profile was answered with ${answer.status}`);
  }
}

async function inboxCases(scene: Scene, who: string, times: number): Promise<Case[]> {
  const { data } = scene;
  const published = new Date().toISOString();
  const formats = ['text/html', 'text/markdown', 'text/plain'];
  const notes = formats.flatMap((mediaType) =>
    [...SEEDS, LINK].map((seed) => (actor: string, number: number) => {
      const id = `${actor}/notes/${mediaType}/${encodeURIComponent(seed)}/${who.length}/${number}`;
      const addressed = { to: [PUBLIC], cc: [`${actor}/followers`] };
      const texts = { content: long(seed, FOREIGN_LENGTH), summary: long(seed, OWN_LENGTH), mediaType };
      return {
        id: `${id}#create`,
        ...addressed,
        object: { id, type: 'Note', attributedTo: actor, published, ...texts, ...addressed },
      };
    }),
  );
  const messages = SEEDS.map((seed) => (actor: string, number: number) => {
    const id = `${actor}/chats/${encodeURIComponent(seed)}/${who.length}/${number}`;
    const to = [`${BASE_URL}/users/reader`];
    const content = long(seed, CHAT_LENGTH);
    return { id: `${id}#create`, to, object: { id, type: 'ChatMessage', attributedTo: actor, to, content } };
  });
  const sending = async (
    name: string,
    makers: readonly ((actor: string, number: number) => object)[],
  ): Promise<Case> => {
    const requests = await signedRequests(data.senders, makers.length * times, (actor, number) => ({
      type: 'Create',
      ...makers[number % makers.length]!(actor, number),
    }));
    return { name: `${name} of ${who}`, send: ({ port }) => sendAll(port, requests, scene, 202) };
  };
  return [await sending('posts', notes), await sending('chat messages', messages)];
}

/**
 * Sends requests, and waits for what follows from them.
 * @throws Error when one gets no answer, or another than its own or 4xx: a text may be refused
 */
async function sendAll(port: number, requests: Buffer[], { stage, signal }: Scene, status = 200): Promise<void> {
  const next = () => requests.shift();
  const load = { port, connections: 6, seconds: Infinity, status, next, complaint: () => undefined, varies: true };
  const { errors } = await runLoad({ ...load, signal });
  const wrong = Object.keys(errors).filter((reason) => !/^status 4/.test(reason));
  if (wrong.length > 0) throw new Error(`Texts were answered with ${wrong.join(', ')}`);
  await stage.settled(signal);
}

/** What loads with the first post, mention of another server or activity does not count. */
async function warmUp(server: Listener, { stage, data, signal }: Scene): Promise<void> {
  const status = { status: 'Tea with @zoe@far.test? #tea https://far.test', visibility: 'public' };
  const requests = [requestBytes('/api/v1/statuses', { authorization: `Bearer ${data.writer}` }, status)];
  requests.push(...(await creates(data.senders, 1)));
  const load = { port: server.port, connections: 1, seconds: Infinity, next: () => requests.shift() };
  await runLoad({ ...load, complaint: () => undefined, varies: true, signal });
  await stage.settled(signal);
  await bePolite(server, AbortSignal.any([signal, AbortSignal.timeout(WARM_UP_MS)]));
}

/** Asks for the same small page again and again until the end; the answer times. */
async function bePolite({ port }: Listener, signal: AbortSignal): Promise<{ p99Ms: number; longestMs: number }> {
  const times: number[] = [];
  while (!signal.aborted) {
    const sent = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/instance`);
    if (!answer.ok) throw new Error(`The polite client was answered with ${answer.status}`);
    await answer.arrayBuffer();
    times.push(performance.now() - sent);
    await delay(POLITE_MS);
  }
  return { p99Ms: Math.round(summaryOf(times, 1, 0).p99Ms), longestMs: Math.round(Math.max(0, ...times)) };
}

/** The longest time that the event loop was held since the last call, in milliseconds of CPU. */
function heldMs(file: string): number {
  const times = readFileSync(file, 'utf8').split('\n').map(Number);
  writeFileSync(file, '');
  return Math.max(...times);
}
