import { setTimeout as delay } from 'node:timers/promises';
import type { Data } from '../data.ts';
import { PUBLIC, signedRequests } from '../inbox.ts';
import { Connection, postBytes, requestBytes, summaryOf } from '../load.ts';
import { isAbove, memoryOf, runMsOf } from '../processes.ts';
import { copyRows } from '../fill/copy.ts';
import type { Listener, Scene, Stage } from '../stage.ts';
import { MAX_RSS_MB } from './floods.ts';

/** How often the polite clients ask, and how long one request of somebody else may keep them waiting. */
const ASK_MS = 20;
const MAX_HELD_MS = 100;
const MAX_P99_MS = 250;
/** A document is sent again when it held the server for long: a start or a collection of garbage may have come between. */
const ROUNDS = 3;
const MAX_BODY = 1_048_576;
const POSTS = 400;
const VERSIONS = 150;
/** The content of each post of the threads, in characters. */
const LONG_CONTENT = 40_000;

interface Document {
  readonly name: string;
  /** The request; another one for each round where the server would remember its answer. */
  readonly bytes: Buffer | ((round: number) => Buffer);
}

/**
 * Starts a server and sends it documents of hostile sizes and shapes, one after the other, while polite clients ask again
 * and again. Returns whether none held the server for long or got a wrong answer, and prints the figures of each.
 */
export async function sendDocuments(scene: Scene): Promise<boolean> {
  const { stage, data } = scene;
  const server = await stage.startServer();
  const post = requestBytes('/api/v1/statuses', { authorization: `Bearer ${data.writer}` }, { status: 'Good morning' });
  await watch(server, scene, post); // loads what only posts need
  const isGood = await sendAll(server, await documentsFor(data, await seedLongStatuses(stage)), scene);
  const { peakMb } = memoryOf(server.pid);
  await stage.stopServer(server);
  console.log(`    peak RSS ${peakMb} MB`);
  return isGood && peakMb <= MAX_RSS_MB;
}

async function sendAll(server: Listener, documents: readonly Document[], scene: Scene): Promise<boolean> {
  const waits: number[] = [];
  let isGood = true;
  for (const { name, bytes } of documents) {
    const rounds: Round[] = [];
    while (rounds.length < ROUNDS && rounds.every((round) => isRight(round) && !isShort(round))) {
      scene.signal.throwIfAborted();
      rounds.push(await watch(server, scene, typeof bytes === 'function' ? bytes(rounds.length) : bytes));
    }
    const last = rounds.at(-1)!;
    const figures = `${last.status} after ${Math.round(last.tookMs)} ms, held the server for ${Math.round(last.heldMs)} ms`;
    const isFine = isRight(last) && isShort(last);
    console.log(`    ${isFine ? '' : 'TOO LONG OR WRONG: '}${name}: ${figures}`);
    isGood &&= isFine;
    waits.push(...rounds.flatMap((round) => round.waits));
  }
  const { p99Ms } = summaryOf(waits, 1, 0);
  console.log(`    p99 of ${waits.length} polite requests ${Math.round(p99Ms)} ms`);
  return isGood && p99Ms <= MAX_P99_MS;
}

/** One document and the waits of polite clients meanwhile. */
interface Round {
  readonly status: string;
  readonly tookMs: number;
  /** The longest wait for an answer that costs nothing, without the time that other programs had the processor. */
  readonly heldMs: number;
  readonly waits: readonly number[];
}

const isShort = ({ heldMs }: Round): boolean => !isAbove(heldMs, MAX_HELD_MS);
const isRight = ({ status }: Round): boolean => /^(2|4|503)/.test(status);

async function watch(server: Listener, { stage, data }: Scene, bytes: Buffer): Promise<Round> {
  const over = new AbortController();
  const polite = ['/health/live', '/api/v1/timelines/home'].map((path) => askPolitely(server, path, data, over.signal));
  await delay(2 * ASK_MS);
  const start = performance.now();
  const status = await send(server.port, bytes);
  const tookMs = performance.now() - start;
  while ((await stage.sql.query('select from inbox_queue limit 1')).rowCount) await delay(ASK_MS);
  await delay(2 * ASK_MS);
  over.abort();
  const [live = [], home = []] = await Promise.all(polite);
  const waits = [...live, ...home].map(({ waitedMs }) => waitedMs);
  return { status, tookMs, heldMs: Math.max(...live.map(({ waitedMs, ranMs }) => Math.min(waitedMs, ranMs))), waits };
}

/** How long an answer took, and how long the server worked meanwhile. */
interface Wait {
  readonly waitedMs: number;
  readonly ranMs: number;
}

/** The waits of a client that asks at fixed times, as far as it is served. */
async function askPolitely(
  { port, pid }: Listener,
  path: string,
  { reader }: Data,
  signal: AbortSignal,
): Promise<Wait[]> {
  const request = requestBytes(path, { authorization: `Bearer ${reader}` });
  const connection = await Connection.open(port);
  const waits: Wait[] = [];
  while (!signal.aborted) {
    const [start, ran] = [performance.now(), runMsOf(pid)];
    await connection.exchange(request);
    const waitedMs = performance.now() - start;
    waits.push({ waitedMs, ranMs: ran === Infinity ? Infinity : runMsOf(pid) - ran });
    await delay(Math.max(0, ASK_MS - waitedMs));
  }
  connection.close();
  return waits;
}

async function send(port: number, bytes: Buffer): Promise<string> {
  const connection = await Connection.open(port);
  try {
    return String((await connection.exchange(bytes)).status);
  } catch (error) {
    return `no answer (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    connection.close();
  }
}

/** Threads of long posts, whose first has many long versions: the first post of each. */
async function seedLongStatuses({ sql }: Stage): Promise<string[]> {
  const { rows } = await sql.query<{ id: string; newest: string }>(
    `select id, (select max(id) from statuses) as newest from accounts where nickname = 'person7' and domain is null`,
  );
  const { id: author, newest } = rows[0]!;
  const long = '<a href="https://long.example/" rel="nofollow">a link</a> and words &amp; '.repeat(LONG_CONTENT / 70);
  const idOf = (at: number) => newest.slice(0, -4) + at.toString(36).padStart(4, '0');
  const threads = Array.from({ length: ROUNDS }, (_, round) => idOf(round * POSTS));
  for (const [round, threadId] of threads.entries()) {
    const posts = Array.from({ length: POSTS }, (_, at) => ({
      id: idOf(round * POSTS + at),
      author_id: author,
      uri: `https://long.example/${round}/${at}`,
      visibility: 0,
      in_reply_to_id: at === 0 ? null : at % 3 === 0 ? idOf(round * POSTS + at - 1) : threadId,
      content_html: `<p>${at} ${long}</p>`,
      content_text: `${at} some words`,
      content_type: 'text/html',
      spoiler: '',
      sensitive: false,
      local: false,
      emojis: [],
      flags: 0,
      version: 1,
      created_at: new Date().toISOString(),
    }));
    await copyRows(sql, 'statuses', posts);
    await sql.query(
      `insert into status_edits (status_id, content_html, spoiler, sensitive, created_at)
       select $1, n || $2, '', false, now() from generate_series(1, ${VERSIONS}) n`,
      [threadId, long],
    );
  }
  return threads;
}

const repeat = (count: number, make: (at: number) => string, joint = '') =>
  Array.from({ length: count }, (_, at) => make(at)).join(joint);

async function documentsFor(data: Data, threads: readonly string[]): Promise<Document[]> {
  const { writer, senders } = data;
  const authorization = `Bearer ${writer}`;
  const post = (type: string, body: string, path = '/api/v1/statuses') =>
    postBytes(path, { authorization, 'content-type': type }, Buffer.from(body));
  const json = (body: string, path?: string) => post('application/json', body, path);
  const form = (body: string, path?: string) => post('application/x-www-form-urlencoded', body, path);
  const part = (name: string, text: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  const parts = (body: string, path?: string) => post('multipart/form-data; boundary=b', `${body}--b--\r\n`, path);
  const deepName = (at: number, depth: number) => `a${at}${'[b]'.repeat(depth)}`;
  const imports = (path: string, names: string) => [
    { name: `${path}, JSON`, bytes: json(JSON.stringify({ list: names }), path) },
    { name: `${path}, file`, bytes: parts(part('list', names, '; filename="list.csv"'), path) },
  ];
  const names = repeat(10_000, (at) => `person${at}@host${at}.example`, '\n');
  const csv = `Account address,Show boosts,Notify on new posts\n${repeat(10_000, (at) => `"p${at}@h${at}.example",true,false`, '\n')}`;
  const get = (path: string) => requestBytes(path, { authorization });
  const [actor] = senders.uris;
  const activity = async (name: string, object: object) => {
    const [bytes] = await signedRequests(senders, 1, (by) => ({
      id: `${by}/activities/${name.replaceAll(' ', '-')}`,
      type: 'Create',
      to: [PUBLIC],
      object: {
        id: `${by}/notes/${name.replaceAll(' ', '-')}`,
        type: 'Note',
        attributedTo: by,
        content: 'x',
        ...object,
      },
    }));
    return { name: `inbox: ${name}`, bytes: bytes! };
  };
  return [
    { name: 'multipart, 15,000 fields', bytes: parts(repeat(15_000, (at) => part(`f${at}`, 'x'))) },
    { name: 'multipart, 15,000 fields of one name', bytes: parts(repeat(15_000, () => part('status', 'x'))) },
    {
      name: 'multipart, 1,000 fields with names 30 deep',
      bytes: parts(repeat(1_000, (at) => part(deepName(at, 30), 'x'))),
    },
    { name: 'multipart, 60 names of 16 KB', bytes: parts(repeat(60, (at) => part(`${at}${'n'.repeat(15_000)}`, 'x'))) },
    { name: 'multipart, a name 5,000 deep', bytes: parts(part(deepName(0, 5_000), 'x')) },
    { name: 'multipart, lists of objects', bytes: parts(repeat(1_000, (at) => part(`l[][k${at}]`, 'x'))) },
    {
      name: 'multipart, 40 files',
      bytes: parts(
        repeat(40, (at) => part('file', 'x'.repeat(20_000), `; filename="${at}"`)),
        '/api/v1/media',
      ),
    },
    { name: 'multipart, a text of 1 MB', bytes: parts(part('status', 'é'.repeat(500_000))) },
    { name: 'form, 60,000 fields', bytes: form(repeat(60_000, (at) => `f${at}=x`, '&')) },
    { name: 'form, 1,000 fields 30 deep', bytes: form(repeat(1_000, (at) => `${deepName(at, 30)}=x`, '&')) },
    { name: 'form, a name 100,000 deep', bytes: form(`${deepName(0, 100_000)}=x`) },
    { name: 'form, lists of objects', bytes: form(repeat(30_000, (at) => `l[][k${at}]=x`, '&')) },
    { name: 'form, 1,000 of one name', bytes: form(repeat(1_000, () => `status=${'x'.repeat(500)}`, '&')) },
    { name: 'form, 1 MB of escapes', bytes: form(`status=${'%41'.repeat(340_000)}`) },
    { name: 'form, 1 MB of ampersands', bytes: form('&'.repeat(MAX_BODY - 1)) },
    { name: 'form, 1 MB of brackets', bytes: form('['.repeat(MAX_BODY - 1)) },
    { name: 'JSON, 60,000 keys', bytes: json(`{${repeat(60_000, (at) => `"k${at}":1`, ',')}}`) },
    { name: 'JSON, 49,000 keys', bytes: json(`{${repeat(49_000, (at) => `"k${at}":1`, ',')}}`) },
    { name: 'JSON, 49,000 equal keys', bytes: json(`{${repeat(49_000, () => '"status":"x"', ',')}}`) },
    { name: 'JSON, 49,000 numeric keys', bytes: json(`{${repeat(49_000, (at) => `"${at * 7_919}":1`, ',')}}`) },
    { name: 'JSON, a list of 49,000', bytes: json(`{"media_ids":[${repeat(49_000, (at) => `"${at}"`, ',')}]}`) },
    { name: 'JSON, 20,000 objects in a list', bytes: json(`{"media_ids":[${repeat(20_000, () => '{"a":1}', ',')}]}`) },
    { name: 'JSON, 340,000 empty lists', bytes: json(`{"media_ids":[${repeat(340_000, () => '[]', ',')}]}`) },
    { name: 'JSON, 500,000 levels', bytes: json('['.repeat(500_000)) },
    {
      name: 'JSON, 60 levels with 500 lists',
      bytes: json(`{"a":${'['.repeat(60)}${repeat(500, () => '[]', ',')}${']'.repeat(60)}}`),
    },
    { name: 'JSON, a text of 1 MB', bytes: json(`{"status":"${'x'.repeat(MAX_BODY - 20)}"}`) },
    { name: 'JSON, 1 MB of escapes', bytes: json(`{"status":"${'\\u0041'.repeat(174_000)}"}`) },
    { name: 'JSON, 1 MB of backslashes', bytes: json(`{"status":"${'\\\\'.repeat(520_000)}"}`) },
    { name: 'JSON, open text with backslashes', bytes: json(`{"status":"${'\\"'.repeat(520_000)}`) },
    { name: 'JSON, a number of 1 MB', bytes: json(`{"status":${'9'.repeat(MAX_BODY - 20)}}`) },
    {
      name: 'JSON, 40,000 long fractions',
      bytes: json(`{"status":[${repeat(40_000, () => '0.1234567890123456', ',')}]}`),
    },
    { name: 'JSON, a key of 1 MB', bytes: json(`{"${'k'.repeat(MAX_BODY - 20)}":1}`) },
    { name: 'JSON, 1 MB of spaces', bytes: json(`{${' '.repeat(MAX_BODY - 10)}}`) },
    ...imports('/api/svc/follow_import', names),
    ...imports('/api/svc/mutes_import', csv),
    {
      name: 'import, 200,000 words',
      bytes: json(JSON.stringify({ list: 'a '.repeat(500_000) }), '/api/svc/blocks_import'),
    },
    {
      name: 'import, one line of commas',
      bytes: json(JSON.stringify({ list: `Account address,${','.repeat(1_000_000)}` }), '/api/svc/blocks_import'),
    },
    {
      name: 'import, quotes',
      bytes: json(JSON.stringify({ list: `Account address\n${'"'.repeat(500_000)}` }), '/api/svc/blocks_import'),
    },
    { name: `a thread of ${POSTS} long posts`, bytes: (round) => get(`/api/v1/statuses/${threads[round]}/context`) },
    {
      name: `a history of ${VERSIONS} long versions`,
      bytes: (round) => get(`/api/v1/statuses/${threads[round]}/history`),
    },
    await activity('49,000 recipients', { cc: Array.from({ length: 49_000 }, (_, at) => `${at}`) }),
    await activity('7,000 mentions', {
      tag: Array.from({ length: 7_000 }, (_, at) => ({
        type: 'Mention',
        href: `${actor}/${at}`,
        name: `@a${at}@b.example`,
      })),
    }),
    await activity('10,000 hashtags', {
      tag: Array.from({ length: 10_000 }, (_, at) => ({ type: 'Hashtag', name: `#tag${at}` })),
    }),
    await activity('5,000 attachments', {
      attachment: Array.from({ length: 5_000 }, (_, at) => ({ type: 'Document', url: `${actor}/${at}.png` })),
    }),
    await activity('5,000 options', {
      type: 'Question',
      oneOf: Array.from({ length: 5_000 }, (_, at) => ({ type: 'Note', name: `${at}` })),
    }),
    await activity('40,000 keys', Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1]))),
    await activity('a text of 900 KB', { content: 'a word and '.repeat(80_000) }),
    await activity('60 levels', { tag: JSON.parse(`${'['.repeat(58)}${']'.repeat(58)}`) as unknown }),
  ];
}
