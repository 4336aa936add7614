import { RemoteStatusFetcher } from '../../../src/federation/fetch/remote-status-fetcher.js';
import { eventually } from '../../support/eventually.js';
import { type Answer, newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { ok } from '../../support/fixtures/statuses.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const HOUR = 60;

const peer = usePeer();
const app = useBeside([peer], { once: ['ada'] });
const key = newKey();
let mo: RawActor;
let names = 0;

beforeEach(() => {
  mo = peer.actor(`mo${(names += 1)}`, key);
});

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const send = (type: string, object: Json) => sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, type, object });
const note = (changes: Json): Json => ({
  id: `${mo.uri}/notes/1`,
  type: 'Note',
  attributedTo: mo.uri,
  to: [PUBLIC, `${app.env.baseUrl}/users/ada`],
  content: 'tea',
  published: at(-HOUR),
  ...changes,
});
const question = (votes: number, changes: Json = {}): Json =>
  note({
    type: 'Question',
    oneOf: [{ type: 'Note', name: 'yes', replies: { totalItems: votes } }],
    votersCount: votes,
    endTime: at(votes * HOUR),
    ...changes,
  });

interface Shown {
  readonly content: string;
  readonly tags: readonly { readonly name: string }[];
  readonly poll: { readonly votes_count: number; readonly expires_at: string } | null;
}
async function shown(): Promise<Shown> {
  const [post] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [note({})['id']]);
  app.invalidateReads();
  return ok<Shown>((await app.world.as('ada')).get(`/api/v1/statuses/${post?.id}`));
}
/** The votes of the poll; the end follows from them. */
async function votes(): Promise<number> {
  const { poll } = await shown();
  const hours = Math.round((Date.parse(poll?.expires_at ?? '') - Date.now()) / 3_600_000);
  expect(hours).toBe(poll?.votes_count);
  return hours;
}
async function name(): Promise<number> {
  const [account] = await app.sql<{ name: string }>('select display_name as name from accounts where ap_id = $1', [
    mo.uri,
  ]);
  return Number(account?.name);
}

/** What may change, the object in its n-th version, and the version that is shown. */
const KINDS: readonly [string, (version: number, times: Json) => Json, () => Promise<number>][] = [
  [
    'the text of a post',
    (n, times) => note({ content: `${n}`, ...times }),
    async () => Number((await shown()).content),
  ],
  [
    'the hashtags of a post',
    (n, times) => note({ tag: [{ type: 'Hashtag', name: `#tea${n}` }], ...times }),
    async () => Number((await shown()).tags[0]?.name.slice(3)),
  ],
  ['the counts and the end of a poll', question, votes],
  [
    'a profile',
    (n, times) => ({ ...(peer.answers.get(new URL(mo.uri).pathname) as Json), name: `${n}`, ...times }),
    name,
  ],
];

describe.each(KINDS)('F30 An Update of %s', (what, version, read) => {
  it.each<[string, Json, Json, number]>([
    ['an older time', { updated: at(-10) }, { updated: at(-20) }, 2],
    ['the same time', { updated: at(-10) }, { updated: at(-10) }, 3],
    ['a newer time', { updated: at(-20) }, { updated: at(-10) }, 3],
    ['no time, as the one before', {}, {}, 3],
    // A post without a time was never edited, says its server. An actor may come without one at any time.
    ['no time, after one with a time', { updated: at(-10) }, {}, what === 'a profile' ? 3 : 2],
  ])('that comes after another, with %s', async (_times, first, second, expected) => {
    if (what !== 'a profile') await send('Create', version(1, {}));
    await send('Update', version(2, first));
    expect(await read()).toBe(2);
    await send('Update', version(3, second));
    expect(await read()).toBe(expected);
  });
});

describe('F30 Counts of a poll that were asked for', () => {
  const look = () => app.get(RemoteStatusFetcher).lookUp(`${mo.uri}/notes/1`);
  const path = () => `${new URL(mo.uri).pathname}/notes/1`;

  it('before an Update, and come after it, change nothing', async () => {
    await send('Create', question(1));
    let answer = (_document: Answer): void => undefined;
    peer.answers.set(path(), new Promise<Answer>((resolve) => void (answer = resolve)));
    const looking = look();
    await eventually(() => expect(peer.asked(path())).toBe(1));
    await send('Update', question(3));
    answer(question(2));
    await looking;
    expect(await votes()).toBe(3);
  });

  it.each<[string, Record<string, string>, number]>([
    ['change nothing when they may be a copy from before it', { 'cache-control': 'max-age=180, public' }, 3],
    ['count when they are no copy', {}, 4],
  ])('after an Update %s', async (_which, headers, expected) => {
    await send('Create', question(1));
    await send('Update', question(3));
    peer.headers.set(path(), headers);
    peer.answers.set(path(), question(4));
    await look();
    expect(await votes()).toBe(expected);
  });
});
