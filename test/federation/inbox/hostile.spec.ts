import { RemoteActors } from '../../../src/federation/fetch/remote-actors.js';
import { type Cast, type Json, MUTATIONS } from '../../support/federation/hostile.js';
import { cavageHeaders, newKey, type RawActor, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import type { Client } from '../../support/fixtures/world.js';

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';
const LONG_MS = 240_000;

/** All data that activities can change, as one text. */
const STATE = `
  select string_agg(fact, ' ' order by fact) as state from (
    select concat('status ', uri, content_html, edited_at) from statuses
    union all select concat('follow ', follower_id, followee_id, state) from follows
    union all select concat('block ', account_id, target_id) from blocks
    union all select concat('favourite ', account_id, status_id) from favourites
    union all select concat('reaction ', account_id, status_id, name) from reactions
    union all select concat('report ', id) from reports
    union all select concat('pin ', account_id, status_id) from pins
    union all select concat('account ', ap_id, display_name, moved_to_id, deactivated_at) from accounts
      where ap_id = $1 or domain is null
  ) facts (fact)`;

describe('A forged activity', () => {
  const peer = usePeer();
  const other = usePeer();
  const app = useBeside([peer, other], { once: ['ada'] });
  let cast: Cast;
  let ada: Client;
  let post: { readonly id: string; readonly uri: string };
  let names = 0;
  const tally = { requests: 0, accepted: 0, controls: 0 };
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
    post = (await ada.post('/api/v1/statuses', { status: 'tea' }).expect(200)).body as typeof post;
    cast = newCast();
    await app.drain();
  });
  afterAll(() => {
    const { requests, accepted, controls } = tally;
    const mutations = Object.keys(MUTATIONS).length;
    console.log(
      `hostile matrix: ${mutations} forgeries of ${controls} activities, ${requests} requests, ${accepted} accepted`,
    );
  });

  /** Makes each kind of activity, with the data it needs to have an effect. */
  const scenes: Readonly<Record<string, (mo: RawActor) => Promise<Json>>> = {
    Follow: (mo) => made(mo, 'Follow', { object: cast.local }),
    'Undo Follow': async (mo) => undone(mo, await happened(mo, 'Follow', { object: cast.local })),
    Accept: async (mo) => made(mo, 'Accept', { object: await followed(mo) }),
    Reject: async (mo) => made(mo, 'Reject', { object: await followed(mo) }),
    Block: (mo) => made(mo, 'Block', { object: cast.local }),
    'Undo Block': async (mo) => undone(mo, await happened(mo, 'Block', { object: cast.local })),
    Create: (mo) => made(mo, 'Create', { object: note(mo) }),
    'Update of a post': async (mo) => {
      const { object } = await happened(mo, 'Create', { object: note(mo) });
      const updated = new Date(Date.now() + 1000).toISOString();
      return made(mo, 'Update', { object: { ...(object as Json), content: 'coffee', updated } });
    },
    'Update of an actor': async (mo) => {
      const path = new URL(mo.uri).pathname;
      const document = { ...(await peer.answers.get(path)), name: 'Renamed' };
      peer.answers.set(path, document); // the server fetches the honest update here
      return made(mo, 'Update', { object: document });
    },
    'Delete of a post': async (mo) => {
      const { object } = await happened(mo, 'Create', { object: note(mo) });
      return made(mo, 'Delete', { object: (object as Json)['id'] });
    },
    'Delete of an actor': (mo) => made(mo, 'Delete', { object: mo.uri }),
    Announce: (mo) => made(mo, 'Announce', { object: post.uri }),
    'Undo Announce': async (mo) => undone(mo, await happened(mo, 'Announce', { object: post.uri })),
    Like: (mo) => made(mo, 'Like', { object: post.uri }),
    'Undo Like': async (mo) => undone(mo, await happened(mo, 'Like', { object: post.uri })),
    EmojiReact: (mo) => made(mo, 'EmojiReact', { object: post.uri, content: '🎉' }),
    'Undo EmojiReact': async (mo) => undone(mo, await happened(mo, 'EmojiReact', { object: post.uri, content: '🎉' })),
    Flag: (mo) => made(mo, 'Flag', { object: [cast.local, post.uri], content: 'rude' }),
    Move: async (mo) => {
      const target = peer.actor(`new${(names += 1)}`, key, { alsoKnownAs: [mo.uri] });
      return made(mo, 'Move', { object: mo.uri, target: target.uri });
    },
    Add: async (mo) => {
      const { object } = await happened(mo, 'Create', { object: note(mo) });
      return made(mo, 'Add', { object: (object as Json)['id'], target: `${mo.uri}/featured` });
    },
    Remove: async (mo) => {
      const added = await scenes['Add']!(mo);
      await deliver(mo, added);
      return made(mo, 'Remove', { object: added['object'], target: added['target'] });
    },
  };

  it.each(Object.keys(scenes))(
    'has no effect: %s',
    async (name) => {
      const mo = peer.actor(`mo${(names += 1)}`, key, { featured: `${peer.url}/users/mo${names}/featured` });
      await app.get(RemoteActors).resolve(mo.uri);
      const activity = await scenes[name]!(mo);
      const before = await stateOf(mo);
      const accepted: string[] = [];
      for (const [wrong, mutation] of Object.entries(MUTATIONS)) {
        const forged = mutation({ ...activity, id: `${mo.uri}#${(names += 1)}` }, { ...cast, mo });
        if (!forged) continue;
        const { status } = await app.http
          .post(forged.path ?? '/inbox')
          .set(forged.headers)
          .send(forged.body);
        tally.requests += 1;
        if (status === 202) await app.drain();
        if (status >= 500 && status !== 503) accepted.push(`${wrong}: ${status}`);
        if (status === 202 && (await stateOf(mo)) !== before) accepted.push(wrong);
      }
      tally.accepted += accepted.length;
      expect(accepted).toEqual([]);
      await deliver(mo, activity);
      expect(await stateOf(mo)).not.toBe(before);
      tally.controls += 1;
    },
    LONG_MS,
  );

  it('is tried in at least 40 variants for each kind of activity', () => {
    expect(Object.keys(MUTATIONS).length).toBeGreaterThanOrEqual(40);
    expect(tally).toMatchObject({ accepted: 0, controls: Object.keys(scenes).length });
  });

  function newCast(): Cast {
    const otherKey = newKey();
    const [ann, eve] = [peer.actor('ann', newKey()), other.actor('eve', newKey())];
    const mo = peer.actor('mo', key);
    const local = `${app.env.baseUrl}/users/ada`;
    const keys = {
      ofMoOnEve: `${other.url}/keys/mo`,
      annAsMo: `${peer.url}/users/liar#main-key`,
      unnamed: `${peer.url}/keys/unnamed`,
      privateKey: `${peer.url}/users/careless#main-key`,
    };
    const lie = { id: keys.annAsMo, owner: ann.uri, publicKeyPem: otherKey.pem };
    peer.actor('liar', otherKey, { id: ann.uri, publicKey: lie });
    peer.actor('careless', {
      ...otherKey,
      pem: otherKey.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    });
    for (const [server, id] of [[other, keys.ofMoOnEve] as const, [peer, keys.unnamed] as const])
      server.answers.set(new URL(id).pathname, { id, type: 'Key', owner: mo.uri, publicKeyPem: otherKey.pem });
    return { mo, ann, eve, otherKey, local, inbox: `${app.env.baseUrl}/inbox`, keys };
  }

  async function stateOf(mo: RawActor): Promise<string> {
    const [row] = await app.sql<{ state: string }>(STATE, [mo.uri]);
    return row?.state ?? '';
  }

  function made(mo: RawActor, type: string, rest: Json): Promise<Json> {
    const addressees = { to: [PUBLIC], cc: [cast.local] };
    return Promise.resolve({ id: `${mo.uri}#${(names += 1)}`, type, actor: mo.uri, ...addressees, ...rest });
  }

  function note(mo: RawActor): Json {
    const id = `${mo.uri}/notes/${(names += 1)}`;
    return { id, type: 'Note', attributedTo: mo.uri, content: 'tea', to: [PUBLIC], cc: [cast.local] };
  }

  /** Delivers an honest activity. */
  async function happened(mo: RawActor, type: string, rest: Json): Promise<Json> {
    const activity = await made(mo, type, rest);
    await deliver(mo, activity);
    return activity;
  }

  function undone(mo: RawActor, object: Json): Promise<Json> {
    return made(mo, 'Undo', { object });
  }

  /** Lets ada follow the actor; returns the Follow, which waits for an answer. */
  async function followed(mo: RawActor): Promise<Json> {
    const account = await app.get(RemoteActors).resolve(mo.uri);
    await ada.post(`/api/v1/accounts/${account?.id}/follow`).expect(200);
    const [row] = await app.sql<{ uri: string }>('select uri from follows where followee_id = $1', [account?.id]);
    return { id: row?.uri, type: 'Follow', actor: cast.local, object: mo.uri };
  }

  async function deliver(mo: RawActor, activity: Json): Promise<void> {
    const body = JSON.stringify(activity);
    const { status } = await app.http
      .post('/inbox')
      .set(cavageHeaders(mo, cast.inbox, { body }))
      .send(body);
    expect(status).toBe(202);
    await app.drain();
  }
});
