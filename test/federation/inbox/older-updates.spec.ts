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
const send = (type: string, object: Json, changes: Json = {}) =>
  sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, type, object, ...changes });
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
  readonly edited_at: string | null;
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
    ['an older time, by a clock that is ahead', { updated: at(11) }, { updated: at(10) }, 2],
    ['a newer time, by a clock that is ahead', { updated: at(10) }, { updated: at(11) }, 3],
    [
      'an older time, by a clock that was further ahead than clocks may be',
      { updated: at(600) },
      { updated: at(30) },
      3,
    ],
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

it('F30 A post by a clock that is ahead is shown as edited now, and keeps the order of its versions', async () => {
  await send('Create', note({ published: at(10), updated: at(12) }));
  const { edited_at: editedAt } = await shown();
  expect(Date.parse(editedAt ?? '')).toBeLessThanOrEqual(Date.now());
  await send('Update', note({ published: at(10), updated: at(11), content: 'older' }));
  expect((await shown()).content).toBe('tea');
});

const look = () => app.get(RemoteStatusFetcher).lookUp(`${mo.uri}/notes/1`);
const path = () => `${new URL(mo.uri).pathname}/notes/1`;

describe('F30 Counts of a poll that has ended', () => {
  const ended = (votes: number) => question(votes, { published: at(-2 * HOUR), endTime: at(-HOUR) });
  const count = async () => (await shown()).poll?.votes_count;
  /** Looks at the poll some minutes later, and lets jobs run; returns the votes that are shown then. */
  async function lookLater(): Promise<number | undefined> {
    await app.sql(`update polls set fetched_at = now() - interval '2 minutes'`);
    await shown();
    await app.drain();
    return count();
  }

  it('are asked for once when they came late', async () => {
    await send('Create', ended(0));
    peer.answers.set(path(), ended(7));
    expect(await lookLater()).toBe(7);
    peer.answers.set(path(), ended(9));
    expect(await lookLater()).toBe(7);
  });

  it('are asked for when they came late, with an Update without a time', async () => {
    await send('Create', ended(0));
    await send('Update', ended(3));
    expect(await count()).toBe(3);
    peer.answers.set(path(), ended(7));
    expect(await lookLater()).toBe(7);
  });

  it.each<[string, Answer | undefined, Record<string, string>]>([
    ['its server was away', { status: 503 }, {}],
    ['a cache served a copy from before the end', undefined, { 'cache-control': 'max-age=7200' }],
  ])('are asked for again after %s', async (_what, answer, headers) => {
    await send('Create', ended(0));
    peer.headers.set(path(), headers);
    peer.answers.set(path(), answer ?? ended(0));
    expect(await lookLater()).toBe(0);
    await app.sql(`delete from jobs where name = 'federation.refresh-poll'`); // as after its last try
    peer.headers.delete(path());
    peer.answers.set(path(), ended(7));
    expect(await lookLater()).toBe(7);
  });

  it('are not asked for when a week has passed', async () => {
    await send('Create', ended(0));
    await app.sql(`update polls set expires_at = now() - interval '8 days'`);
    peer.answers.set(path(), ended(7));
    expect(await lookLater()).toBe(0);
  });

  it('are not asked for anew within a minute', async () => {
    await send('Create', ended(0));
    peer.answers.set(path(), ended(7));
    await shown();
    await app.drain();
    expect(await count()).toBe(0);
  });
});

describe('F30 Counts of a poll that were sent', () => {
  it('earlier, and come later, change nothing', async () => {
    await send('Create', question(1));
    await send('Update', question(10), { published: at(-10) });
    await send('Update', question(3), { published: at(-20) });
    expect(await votes()).toBe(10);
  });

  it('with an edit that ended the poll earlier, and after it, count where all of them come after that end', async () => {
    await send('Create', question(1));
    await send('Update', question(2));
    const edited = { updated: at(-20), endTime: at(-10) };
    await send('Update', question(3, edited));
    expect((await shown()).poll).toMatchObject({ votes_count: 3, expired: true });
    await send('Update', question(4, { ...edited, closed: at(-10) }));
    expect((await shown()).poll).toMatchObject({ votes_count: 4, expired: true });
  });

  it('after a look-up count, whenever the post was edited', async () => {
    const edited = { updated: at(-20) };
    await send('Create', question(1, edited));
    peer.answers.set(path(), question(2, edited));
    await look();
    await send('Update', question(3, edited));
    expect(await votes()).toBe(3);
  });
});

describe('F30 Counts of a poll by servers that repeat the time of the post (GoToSocial)', () => {
  it('count after a look-up', async () => {
    const time = { published: at(-20) };
    await send('Create', question(1, time), time);
    peer.answers.set(path(), question(2, time));
    await look();
    await send('Update', question(3, time), time);
    expect(await votes()).toBe(3);
  });
});

describe('F30 Counts of a poll that were asked for', () => {
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
