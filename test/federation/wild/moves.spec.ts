import { FollowsService, MovesService, UsersService } from '../../../src/accounts/index.js';
import { SettingsService } from '../../../src/config/index.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { type Client, PASSWORD } from '../../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;

const peer = usePeer();
const blocked = usePeer();
const app = useBeside([peer, blocked], { once: ['ada'] });
let ada: Client;
let names = 0;
let old: RawActor;
let target: RawActor;
const key = newKey();

beforeAll(async () => {
  ada = await app.world.as('ada');
});

beforeEach(() => {
  names += 1;
  old = peer.actor(`old${names}`, key);
  target = peer.actor(`new${names}`, key);
});

const ourUri = () => `${app.env.baseUrl}/users/ada`;
const pathOf = ({ uri }: RawActor) => new URL(uri).pathname;
const serve = (actor: RawActor, changes: Json, by = peer) =>
  void by.answers.set(pathOf(actor), { ...(by.answers.get(pathOf(actor)) as Json), ...changes });
const agree = () => serve(target, { alsoKnownAs: [old.uri] });
const send = (activity: Json, signer = old) =>
  sendTo(app, signer, { id: `${signer.uri}#${(names += 1)}`, ...activity });
const arrive = () => send({ type: 'Follow', object: ourUri() });
const move = () => send({ type: 'Move', object: old.uri, target: target.uri });
const update = (changes: Json) =>
  send({ type: 'Update', object: { ...(peer.answers.get(pathOf(old)) as Json), ...changes } });
const idOf = async ({ uri }: RawActor) =>
  (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [uri]))[0]!.id;
async function follow(actor: RawActor): Promise<void> {
  await app.get(FollowsService).follow(app.world.id('ada'), await idOf(actor));
  await app.get(FollowsService).accept(await idOf(actor), app.world.id('ada'));
  await app.drain();
}
const followed = async () => {
  const rows = await app.sql<{ uri: string }>(
    `select a.ap_id as uri from follows f join accounts a on a.id = f.followee_id where f.follower_id = $1 order by f.id`,
    [app.world.id('ada')],
  );
  return rows.map(({ uri }) => uri).filter((uri) => [old.uri, target.uri].includes(uri));
};
async function shown(): Promise<string | undefined> {
  const { body } = await ada.get(`/api/v1/accounts/${await idOf(old)}`).expect(200);
  return (body as { moved?: { uri?: string; acct: string } | null }).moved?.acct;
}
/** The waits of the jobs that ask the new account again, in minutes; they run now. */
async function laterTries(): Promise<number[]> {
  const rows = await app.sql<{ minutes: number }>(
    `update jobs set run_at = now() where name = 'federation.confirm-move' and run_at > now()
     returning round(extract(epoch from (select j.run_at from jobs j where j.id = jobs.id) - now()) / 60)::int as minutes`,
  );
  await app.drain();
  return rows.map(({ minutes }) => minutes);
}

describe('A Move', () => {
  it.each<[string, number, number[]]>([
    ['at once', 0, []],
    ['after 4 minutes', 1, [4]],
    ['after an hour', 2, [4, 60]],
    ['never', Infinity, [4, 60]],
  ])('takes effect when the new account confirms it: %s', async (_when, tries, waits) => {
    await arrive();
    await follow(old);
    if (tries === 0) agree();
    await move();
    for (const [at, minutes] of waits.entries()) {
      expect(await followed()).toEqual([old.uri]);
      if (at + 1 === tries) agree();
      expect(await laterTries()).toEqual([minutes]);
    }
    expect(await laterTries()).toEqual([]);
    expect(await followed()).toEqual([tries === Infinity ? old.uri : target.uri]);
    expect(await shown()).toBe(tries === Infinity ? undefined : target.handle);
  });

  it.each([
    ['before', [true, false]],
    ['after', [false, true]],
  ])('moves the followers when the profile names the new account %s it', async (_when, order) => {
    await arrive();
    await follow(old);
    agree();
    for (const isUpdate of order) await (isUpdate ? update({ movedTo: target.uri }) : move());
    expect(await followed()).toEqual([target.uri]);
    expect(await shown()).toBe(target.handle);
  });

  it('also moves followers that are deactivated, who ask the new account once they are activated', async () => {
    await arrive();
    await follow(old);
    agree();
    const setActive = (isActive: boolean) => app.get(UsersService).setActive(app.world.id('ada'), isActive);
    const asked = () => peer.received.filter(({ type, object }) => type === 'Follow' && object === target.uri);
    await setActive(false);
    await move();
    expect([await followed(), asked()]).toEqual([[target.uri], []]);
    for (const isActive of [true, false, true]) {
      await setActive(isActive);
      await app.drain();
      expect(asked()).toHaveLength(1);
    }
  });
});

describe('A Move to an account of another server', () => {
  it('that is blocked has no effect, whatever was known of the account before', async () => {
    await arrive();
    await follow(old);
    target = blocked.actor(`new${names}`, key, { alsoKnownAs: [old.uri] });
    await send({ type: 'Follow', object: ourUri() }, target);
    await app.get(SettingsService).update([{ path: 'mrf_simple.reject', value: [blocked.host] }]);
    await move();
    for (let tries = 0; tries < 2; tries += 1) await laterTries();
    await app.get(SettingsService).reset('mrf_simple.reject');
    expect([await followed(), await shown()]).toEqual([[old.uri], undefined]);
  });

  it('is tried again in place of an earlier Move to another one, which waits for that', async () => {
    await arrive();
    await follow(old);
    await move();
    target = peer.actor(`other${names}`, key);
    await move();
    agree();
    await laterTries();
    expect(await followed()).toEqual([target.uri]);
  });

  it('that had moved itself ends its own move', async () => {
    await arrive();
    agree();
    await move();
    expect(await shown()).toBe(target.handle);
    serve(old, { alsoKnownAs: [target.uri] });
    await send({ type: 'Move', object: target.uri, target: old.uri }, target);
    expect(await shown()).toBeUndefined();
  });
});

describe('POST move_account to an account of another server', () => {
  const AWAY = { error: 'The server of the account cannot be reached. Try again later.' };
  const moveThere = () => ada.post('/api/svc/move_account', { password: PASSWORD, target_account: target.handle });

  afterEach(async () => {
    await app.sql('update accounts set moved_to_id = null, moved_at = null where domain is null');
  });
  beforeEach(async () => {
    target = blocked.actor(`new${names}`, key, { alsoKnownAs: [ourUri()] });
    await send({ type: 'Follow', object: ourUri() }, target);
  });

  it.each<[string, string, () => unknown]>([
    ['is blocked', 'mrf_simple.reject', () => [blocked.host]],
    ['gets public activities only', 'instance.quarantined_instances', () => [blocked.host]],
    ['exchanges nothing with this one', 'instance.federating', () => false],
  ])('that %s is refused: the followers here could not follow there', async (_what, path, value) => {
    await app.get(SettingsService).update([{ path, value: value() }]);
    const { body, status } = await moveThere();
    await app.get(SettingsService).reset(path);
    expect([status, body]).toEqual([422, { error: expect.stringContaining('server of the target account') }]);
    expect(await app.sql('select from accounts where moved_to_id is not null and domain is null')).toEqual([]);
    await moveThere().expect(200, { status: 'success' });
  });

  it('goes by its aliases of this moment, not by those of the stored copy', async () => {
    serve(target, { alsoKnownAs: [] }, blocked);
    expect((await moveThere()).body).toEqual({ error: expect.stringContaining('as its alias first') });
    serve(target, { alsoKnownAs: [ourUri()] }, blocked);
    await moveThere().expect(200, { status: 'success' });
    await app.drain();
    expect(blocked.received).toContainEqual(expect.objectContaining({ type: 'Move', target: target.uri }));
  });

  it('may be tried again when its server does not answer', async () => {
    serve(target, { status: 503 }, blocked);
    const { status, body, headers } = await moveThere();
    expect([status, body, Number(headers['retry-after'])]).toEqual([503, AWAY, expect.any(Number)]);
    serve(target, { status: 200 }, blocked);
    await moveThere().expect(200, { status: 'success' });
  });
});

describe('A profile that says where its account moved', () => {
  it.each<[string, () => Promise<void>]>([
    ['when it is first seen', async () => (serve(old, { movedTo: target.uri }), arrive())],
    ['in an Update', async () => (await arrive(), update({ movedTo: target.uri }))],
  ])('takes effect %s as soon as the new account confirms it', async (_when, say) => {
    await say();
    expect(await shown()).toBeUndefined();
    agree();
    expect(await laterTries()).toEqual([4]);
    expect(await shown()).toBe(target.handle);
  });

  it('moves no followers', async () => {
    await arrive();
    await follow(old);
    agree();
    await update({ movedTo: target.uri });
    expect(await followed()).toEqual([old.uri]);
    expect(await shown()).toBe(target.handle);
  });

  it('loses the new account by an Update without it, unless there was a Move', async () => {
    agree();
    serve(old, { movedTo: target.uri });
    await arrive();
    await update({ movedTo: undefined });
    expect(await shown()).toBeUndefined();
    await move();
    await update({ movedTo: undefined });
    expect(await shown()).toBe(target.handle);
  });

  it('S10 leads to one account, but not to the new account of that account', async () => {
    const third = peer.actor(`third${names}`, key, { alsoKnownAs: [target.uri] });
    serve(target, { alsoKnownAs: [old.uri], movedTo: third.uri });
    serve(old, { movedTo: target.uri });
    await arrive();
    expect(await shown()).toBe(target.handle);
    expect(peer.asked(pathOf(third))).toBe(0);
  });
});

describe('An account of this server that moved', () => {
  it('refuses new followers, and keeps those it has', async () => {
    const { nickname } = await app.world.person(`gone${names}`);
    const gone = `${app.env.baseUrl}/users/${nickname}`;
    const late = peer.actor(`late${names}`, key);
    const answers = () =>
      peer.received.filter(({ actor }) => actor === gone).map(({ type, object }) => [type, (object as Json)['actor']]);
    await send({ type: 'Follow', object: gone });
    serve(target, { alsoKnownAs: [gone] });
    await send({ type: 'Follow', object: gone }, target);
    expect(await app.get(MovesService).move(app.world.id(nickname), await idOf(target))).toBe(true);
    await app.drain();
    peer.received.length = 0;
    await send({ type: 'Follow', object: gone });
    await send({ type: 'Follow', object: gone }, late);
    expect(answers()).toEqual([
      ['Accept', old.uri],
      ['Reject', late.uri],
    ]);
    await ada.post(`/api/v1/accounts/${app.world.id(nickname)}/follow`).expect(403);
  });

  it('accepts followers again after another account moved to it', async () => {
    const { nickname } = await app.world.person(`back${names}`);
    const back = `${app.env.baseUrl}/users/${nickname}`;
    serve(old, { alsoKnownAs: [back] });
    await arrive();
    expect(await app.get(MovesService).move(app.world.id(nickname), await idOf(old))).toBe(true);
    await app.sql('update accounts set also_known_as = array[$2] where id = $1', [app.world.id(nickname), old.uri]);
    await send({ type: 'Move', object: old.uri, target: back });
    await ada.post(`/api/v1/accounts/${app.world.id(nickname)}/follow`).expect(200);
  });
});
