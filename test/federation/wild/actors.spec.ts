import { UsersService } from '../../../src/accounts/index.js';
import { RemoteActors } from '../../../src/federation/fetch/remote-actors.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';
import { holding, waitersOf } from '../../support/locks.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

const peer = usePeer('garden.example');
const app = useBeside([peer], { once: ['ada'] });
let ada: Client;
let names = 0;
const key = newKey();

beforeAll(async () => {
  ada = await app.world.as('ada');
});

const send = (signer: RawActor, activity: Json) =>
  sendTo(app, signer, { id: `${signer.uri}#${(names += 1)}`, ...activity });
const follow = () => ({ type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
/** What the server serves as the document of an actor. */
const documentOf = async ({ uri }: RawActor): Promise<Json> => (await peer.answers.get(new URL(uri).pathname)) as Json;
async function update(actor: RawActor, changes: Json): Promise<void> {
  await send(actor, { type: 'Update', object: { ...(await documentOf(actor)), ...changes } });
}
const idOf = async ({ uri }: RawActor) =>
  (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [uri]))[0]!.id;

describe('F26 The handle of an actor', () => {
  let nickname: string;
  let vic: RawActor;
  let thief: RawActor;

  /** Says whom WebFinger names for `nickname`. */
  function finger(...uris: readonly string[]): void {
    const subject = `acct:${nickname}@${peer.host}`;
    const links = uris.map((href) => ({ rel: 'self', type: 'application/activity+json', href }));
    peer.answers.set(`/.well-known/webfinger?resource=${encodeURIComponent(subject)}`, { subject, links });
  }
  const nicknames = async () => Promise.all([vic, thief].map(nicknameOf));
  async function nicknameOf(actor: RawActor): Promise<string> {
    const { nickname: name } = (
      await app.sql<{ nickname: string }>('select nickname from accounts where ap_id = $1', [actor.uri])
    )[0]!;
    return name;
  }

  beforeEach(() => {
    nickname = `vic${(names += 1)}`;
    vic = peer.actor(nickname, key);
    thief = peer.actor(`thief${names}`, key, { preferredUsername: nickname });
    finger(vic.uri);
  });

  it.each([
    ['after it', () => [vic, thief]],
    ['before it', () => [thief, vic]],
  ])('is not taken over by another actor that comes %s, and both stay unchanged', async (_when, order) => {
    for (const actor of order()) await send(actor, follow());
    const before = await nicknames();
    expect(before).toEqual([nickname, `${nickname}.${await idOf(thief)}`]);
    for (const actor of [thief, vic, thief]) await app.get(RemoteActors).refresh(actor.uri);
    expect(await nicknames()).toEqual(before);
    peer.seen.length = 0;
    await ada.post('/api/v1/statuses', { status: `@${vic.handle} hush`, visibility: 'direct' }).expect(200);
    await app.drain();
    expect(peer.seen).toEqual([`POST ${new URL(vic.uri).pathname}/inbox`]);
  });

  it('is not taken over by an Update', async () => {
    const own = `eve${names}`;
    thief = peer.actor(own, key);
    for (const actor of [vic, thief]) await send(actor, follow());
    peer.answers.set(new URL(thief.uri).pathname, { ...(await documentOf(thief)), preferredUsername: nickname });
    await update(thief, {});
    expect(await nicknames()).toEqual([nickname, own]);
  });

  it('that a person and a group share belongs to the first', async () => {
    finger(vic.uri, thief.uri);
    for (const actor of [thief, vic, thief, vic]) {
      await send(actor, follow());
      await app.get(RemoteActors).refresh(actor.uri);
    }
    expect(await nicknames()).toEqual([nickname, `${nickname}.${await idOf(thief)}`]);
  });

  it('stays with the actor that has it while WebFinger names none', async () => {
    peer.answers.delete(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:${vic.handle}`)}`);
    for (const actor of [vic, thief, vic]) await send(actor, follow());
    expect(await nicknames()).toEqual([nickname, `${nickname}.${await idOf(thief)}`]);
  });

  it.each([
    ['new to this server', () => Promise.resolve()],
    ['known by another name', () => send(vic, follow())],
  ])('goes to the actor that WebFinger names and that is %s, also while another takes it', async (_who, meet) => {
    const own = `old${names}`;
    const claims = { preferredUsername: nickname };
    vic = peer.actor(`real${names}`, key, { preferredUsername: own });
    thief = peer.actor(`eve${names}`, key);
    await send(thief, follow());
    await meet();
    peer.answers.set(new URL(vic.uri).pathname, { ...(await documentOf(vic)), ...claims });
    finger(vic.uri);
    await holding(app, async (holder) => {
      await holder.query('update accounts set nickname = $1 where ap_id = $2', [nickname, thief.uri]);
      const storing = app.get(RemoteActors).refresh(vic.uri);
      await Promise.race([waitersOf(holder, 1), storing]);
      await holder.query('commit');
      await storing;
    });
    expect(await nicknames()).toEqual([nickname, `${nickname}.${await idOf(thief)}`]);
  });

  it('goes to the actor that WebFinger names, even if it comes later', async () => {
    finger(thief.uri);
    for (const actor of [vic, thief]) await send(actor, follow());
    expect(await nicknames()).toEqual([`${nickname}.${await idOf(vic)}`, nickname]);
  });

  it('that goes to another changes what cards show of both, and an Update without another name does not', async () => {
    const renamed = async (change: Promise<unknown>) => {
      await change;
      const rows = await app.sql<{ id: string }>(
        `delete from jobs where name = 'cards.rename-author' returning payload ->> 'accountId' as id`,
      );
      return rows.map(({ id }) => id).toSorted();
    };
    thief = peer.actor(`late${names}`, key);
    for (const actor of [vic, thief]) await send(actor, follow());
    const ids = await Promise.all([vic, thief].map(idOf));
    peer.answers.set(new URL(thief.uri).pathname, { ...(await documentOf(thief)), summary: 'tea' });
    expect(await renamed(app.get(RemoteActors).refresh(thief.uri))).toEqual([]);
    peer.answers.set(new URL(thief.uri).pathname, { ...(await documentOf(thief)), preferredUsername: nickname });
    finger(thief.uri);
    expect(await renamed(app.get(RemoteActors).refresh(thief.uri))).toEqual(ids.toSorted());
  });

  it.each([
    ['mention and answer', true],
    ['only answer', false],
  ])('that goes to another is shown at once in the posts that %s the former owner', async (_how, mentions) => {
    const note = { id: `${vic.uri}/notes/1`, type: 'Note', attributedTo: vic.uri, content: 'tea', to: [PUBLIC] };
    const cc = [`${app.env.baseUrl}/users/ada`];
    await send(vic, { type: 'Create', object: { ...note, cc } });
    const thread = { ...note, id: `${vic.uri}/notes/2`, inReplyTo: note.id, cc };
    if (!mentions) await send(vic, { type: 'Create', object: thread });
    const [parent] = await app.sql<{ id: string }>('select id from statuses where uri = $1', [note.id]);
    const answer = { status: `@${vic.handle} yes`, in_reply_to_id: parent!.id };
    const write = async () => (await ada.post('/api/v1/statuses', answer).expect(200)).body as { id: string };
    const { id } = mentions
      ? await write()
      : (await app.sql<{ id: string }>('select id from statuses where uri = $1', [thread.id]))[0]!;
    const shown = async () => {
      const { body } = await ada.get(`/api/v1/statuses/${id}`).expect(200);
      const { svc, ...post } = body as { mentions: { acct: string }[]; svc: { in_reply_to_account_acct: string } };
      return [svc.in_reply_to_account_acct, ...(mentions ? post.mentions.map(({ acct }) => acct) : [])];
    };
    const each = (handle: string) => (mentions ? [handle, handle] : [handle]);
    expect(await shown()).toEqual(each(vic.handle));
    finger(thief.uri);
    await send(thief, follow());
    const renamed = `${nickname}.${await idOf(vic)}@${peer.host}`;
    expect(await shown()).toEqual(each(renamed));
  });

  it('changes once an hour, and what comes earlier is taken up then', async () => {
    for (const actor of [vic, thief]) await send(actor, follow());
    const [first, second, third] = ['a', 'b', 'c'].map((letter) => `${nickname}${letter}`) as [string, string, string];
    const claim = async (actor: RawActor, name: string) => {
      nickname = name;
      finger(actor.uri);
      peer.answers.set(new URL(actor.uri).pathname, { ...(await documentOf(actor)), preferredUsername: name });
      await app.get(RemoteActors).refresh(actor.uri);
      return nicknames();
    };
    const hourLater = async () => {
      await app.sql(`update accounts set renamed_at = renamed_at - interval '1 hour'`);
      await app.sql(`update jobs set run_at = run_at - interval '1 hour' where name = 'federation.refresh-actor'`);
      await app.drain();
      return nicknames();
    };
    const [vics, thiefs] = [`${third}.${await idOf(vic)}`, await nicknameOf(thief)];
    expect(await claim(vic, first)).toEqual([first, thiefs]);
    expect(await claim(vic, second)).toEqual([first, thiefs]);
    expect(await claim(vic, third)).toEqual([first, thiefs]);
    expect(
      await app.sql(`select again, run_at > now() as waits from jobs where key = $1`, [`rename:${vic.uri}`]),
    ).toEqual([{ again: false, waits: true }]);
    expect(await hourLater()).toEqual([third, thiefs]);
    // A handle that goes to another renames the former owner, too.
    await app.sql(`update accounts set renamed_at = renamed_at - interval '20 minutes' where ap_id = $1`, [vic.uri]);
    expect(await claim(thief, third)).toEqual([third, thiefs]);
    expect(
      await app.sql(
        `select run_at = renamed_at + interval '1 hour' as soon from jobs, accounts where key = $1 and ap_id = $2`,
        [`rename:${thief.uri}`, vic.uri],
      ),
    ).toEqual([{ soon: true }]);
    expect(await hourLater()).toEqual([vics, third]);
    expect(await claim(vic, third)).toEqual([vics, third]);
    expect(await hourLater()).toEqual([third, `${third}.${await idOf(thief)}`]);
  });
});

describe('An actor', () => {
  let mo: RawActor;
  let id: string;

  beforeEach(async () => {
    mo = peer.actor(`mo${(names += 1)}`, key);
    await send(mo, follow());
    id = await idOf(mo);
  });
  const write = async (content: string) => {
    const note = { id: `${mo.uri}/notes/${(names += 1)}`, type: 'Note', attributedTo: mo.uri, content, to: [PUBLIC] };
    await send(mo, { type: 'Create', object: { ...note, cc: [`${app.env.baseUrl}/users/ada`] } });
    return note.id;
  };
  const stored = async (uri: string) => (await app.sql('select 1 from statuses where uri = $1', [uri])).length;

  it('F28 that its server suspends is hidden and posts nothing until the suspension ends', async () => {
    await write('before');
    await update(mo, { suspended: true });
    await ada.get(`/api/v1/accounts/${id}`).expect(404);
    await ada.get(`/api/v1/accounts/${id}/statuses`).expect(404);
    expect(await stored(await write('meanwhile'))).toBe(0);
    await update(mo, { suspended: true }); // says it again
    await update(mo, { suspended: false });
    await ada.get(`/api/v1/accounts/${id}`).expect(200);
    const { body } = await ada.get(`/api/v1/accounts/${id}/statuses`).expect(200);
    expect((body as { content: string }[]).map(({ content }) => content)).toEqual(['before']);
    expect(await stored(await write('after'))).toBe(1);
  });

  it('F28 that is suspended when it is first seen is hidden', async () => {
    const late = peer.actor(`late${(names += 1)}`, key, { suspended: true });
    await send(late, follow());
    await ada.get(`/api/v1/accounts/${await idOf(late)}`).expect(404);
  });

  it.each([
    ['before', [false, true]],
    ['after', [true, false]],
  ])('F28 that moderators deactivated %s its server did so stays deactivated', async (_when, order) => {
    for (const byServer of order) {
      if (byServer) await update(mo, { suspended: true });
      else await app.get(UsersService).setActive(id, false);
    }
    await update(mo, { suspended: false });
    await ada.get(`/api/v1/accounts/${id}`).expect(404);
  });

  it.each<[unknown, boolean]>([
    [true, true],
    ['true', true],
    [false, false],
    ['yes', false],
    [undefined, false],
  ])('whose document says %j about a memorial is shown as a memorial: %j', async (memorial, shown) => {
    const shows = async () => (await ada.get(`/api/v1/accounts/${id}`).expect(200)).body as { memorial: boolean };
    await update(mo, { memorial: true });
    expect((await shows()).memorial).toBe(true);
    await update(mo, { memorial });
    expect((await shows()).memorial).toBe(shown);
  });

  it('that is invisible is not found, and causes no notification', async () => {
    const found = async () =>
      (await ada.get('/api/v1/accounts/search', { q: mo.handle }).expect(200)).body as unknown[];
    expect(await found()).toHaveLength(1);
    await update(mo, { invisible: true });
    expect(await found()).toHaveLength(0);
    await ada.post('/api/v1/notifications/clear').expect(200);
    await send(peer.actor(`relay${(names += 1)}`, key, { invisible: true }), follow());
    await app.drain();
    expect((await ada.get('/api/v1/notifications').expect(200)).body).toEqual([]);
    await update(mo, {});
    expect(await found()).toHaveLength(1);
  });

  it('F30 follows its signed Update while its server serves an older copy', async () => {
    const eve = `${peer.url}/users/eve/inbox`;
    await update(mo, { name: 'New name', summary: '<p>new</p>', inbox: eve, preferredUsername: 'eve' });
    const { body } = await ada.get(`/api/v1/accounts/${id}`).expect(200);
    expect(body).toMatchObject({ display_name: 'New name', note: '<p>new</p>', acct: mo.handle });
    expect(await app.sql('select inbox_url from accounts where id = $1', [id])).toEqual([
      { inbox_url: `${mo.uri}/inbox` },
    ]);
  });
});

it('F19 An actor that names one key twice acts, is found and is mentioned by others', async () => {
  const twin = () => {
    const name = `twin${(names += 1)}`;
    const uri = `${peer.url}/users/${name}`;
    const keys = [key, newKey()].map(({ pem }) => ({ id: `${uri}#main-key`, owner: uri, publicKeyPem: pem }));
    return peer.actor(name, key, { publicKey: keys });
  };
  const followed = (uri: string) =>
    app.sql('select from follows f join accounts a on a.id = f.follower_id where a.ap_id = $1', [uri]);
  const [acting, sought, mentioned] = [twin(), twin(), twin()];
  await send(acting, follow());
  expect(await followed(acting.uri)).toHaveLength(1);
  const { body } = await ada.get('/api/v2/search', { q: sought.uri, resolve: true }).expect(200);
  expect(body).toMatchObject({ accounts: [{ acct: sought.handle }] });
  const mo = peer.actor(`mo${(names += 1)}`, key);
  const note = { id: `${mo.uri}/notes/1`, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [PUBLIC] };
  const tag = [`${app.env.baseUrl}/users/ada`, mentioned.uri].map((href) => ({ type: 'Mention', href }));
  await send(mo, { type: 'Create', object: { ...note, cc: tag.map(({ href }) => href), tag } });
  expect(await app.sql('select from statuses where uri = $1', [note.id])).toHaveLength(1);
  expect(await idOf(mentioned)).toBeDefined();
});
