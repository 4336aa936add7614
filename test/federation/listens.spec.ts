import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../support/federation/raw-peer.js';
import { SettingsService } from '../../src/config/index.js';
import type { Client } from '../support/fixtures/world.js';

type Json = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

describe('A track that an account listens to', () => {
  const peer = usePeer();
  const app = useBeside([peer], { once: ['ada'] });
  let ada: Client;
  let mo: RawActor;
  let moId: string;
  let names = 0;
  const key = newKey();

  beforeAll(async () => {
    ada = await app.world.as('ada');
  });
  beforeEach(async () => {
    mo = peer.actor(`mo${(names += 1)}`, key, { followers: `${peer.url}/users/mo${names}/followers` });
    await sendTo(app, mo, { id: `${mo.uri}#follow`, type: 'Follow', object: `${app.env.baseUrl}/users/ada` });
    const [row] = await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [mo.uri]);
    moId = row!.id;
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 1)', [
      app.world.id('ada'),
      moId,
    ]);
  });

  const song = { type: 'Audio', title: 'A song', artist: 'A singer', album: 'An album', length: 180_000 };
  const listen = (object: unknown = song, changes: Json = {}) =>
    sendTo(app, mo, { id: `${mo.uri}#${(names += 1)}`, type: 'Listen', to: [PUBLIC], object, ...changes });
  async function listed(client = ada): Promise<Json[]> {
    const { body } = await client.get(`/api/v1/svc/accounts/${moId}/scrobbles`).expect(200);
    return body as Json[];
  }

  describe('on this server', () => {
    const sent = async (values: Json) => {
      const before = peer.received.length;
      await ada.post('/api/v1/svc/scrobble', { title: 'A song', ...values }).expect(200);
      await app.drain();
      return peer.received.slice(before).filter(({ type }) => type === 'Listen');
    };
    const actor = () => `${app.env.baseUrl}/users/ada`;

    it('reaches the followers of the account on other servers', async () => {
      const link = 'https://music.test/1';
      const activities = await sent({ artist: 'A singer', album: 'An album', length: 180_000, external_link: link });
      const audience = { to: [PUBLIC], cc: [`${actor()}/followers`] };
      const object = expect.objectContaining({ ...song, externalLink: link, actor: actor(), ...audience }) as unknown;
      expect(activities).toContainEqual(expect.objectContaining({ actor: actor(), ...audience, object }));
    });

    it.each<[string, (followers: string) => Json | undefined]>([
      ['public', (followers) => ({ to: [PUBLIC], cc: [followers] })],
      ['unlisted', (followers) => ({ to: [followers], cc: [PUBLIC] })],
      ['private', (followers) => ({ to: [followers], cc: [] })],
      ['local', () => undefined],
      ['direct', () => undefined],
    ])('V1 is sent only to the addressees of its visibility: %s', async (visibility, addressees) => {
      const expected = addressees(`${actor()}/followers`);
      const found = await sent({ visibility });
      expect(found.map(({ to, cc }) => ({ to, cc })).slice(0, 1)).toEqual(expected ? [expected] : []);
    });
  });

  describe('on another server', () => {
    it('is shown with the account', async () => {
      await listen({ ...song, externalLink: 'https://music.test/1' }, { published: '2024-05-01T10:00:00Z' });
      const { title, artist, album, length } = song;
      const created_at = '2024-05-01T10:00:00.000Z';
      expect(await listed()).toMatchObject([
        { title, artist, album, length, created_at, external_link: 'https://music.test/1', account: { id: moId } },
      ]);
    });

    const nothing = { artist: '', album: '', length: 0, external_link: '' };
    it.each<[string, unknown, Json[]]>([
      ['a title alone', { type: 'Audio', title: 'A song' }, [{ title: 'A song', ...nothing }]],
      ['a name', { type: 'Audio', name: 'A song' }, [{ title: 'A song', ...nothing }]],
      ['signs that are no text', { type: 'Audio', title: ' A\u0000 song ' }, [{ title: 'A song' }]],
      ['a long title', { type: 'Audio', title: 'x'.repeat(5_000) }, [{ title: 'x'.repeat(1_000) }]],
      ['values that are none', { ...song, artist: {}, album: 1, length: 'long', externalLink: [] }, [nothing]],
      ['a length below nothing', { ...song, length: -1 }, [{ length: 0 }]],
      ['a length beyond all music', { ...song, length: 1e12 }, [{ length: 2_000_000_000 }]],
      ['a link that is a script', { ...song, externalLink: 'javascript:alert(1)' }, [{ external_link: '' }]],
      ['no title', { ...song, title: ' ' }, []],
      ['another type', { ...song, type: 'Note' }, []],
      ['only an address', 'https://music.test/1', []],
    ])('is read with %s', async (_what, object, expected) => {
      await listen(object);
      expect(await listed()).toEqual(expected.map((each) => expect.objectContaining(each) as unknown));
    });

    it.each<[string, (followers: string) => Json, 'all' | 'followers' | 'nobody']>([
      ['everybody', () => ({ to: [PUBLIC] }), 'all'],
      ['everybody, unlisted', () => ({ to: [], cc: [PUBLIC] }), 'all'],
      ['its followers', (followers) => ({ to: [followers] }), 'followers'],
      ['one account', () => ({ to: [`${app.env.baseUrl}/users/ada`] }), 'nobody'],
      ['nobody', () => ({ to: [] }), 'nobody'],
    ])('V1 is shown only to its addressees: %s', async (_who, addressees, readers) => {
      await listen(song, addressees(`${mo.uri}/followers`));
      expect(await listed()).toHaveLength(readers === 'nobody' ? 0 : 1);
      expect(await listed(app.world.anonymous)).toHaveLength(readers === 'all' ? 1 : 0);
    });

    it('is stored once', async () => {
      const id = `${mo.uri}#again`;
      await listen(song, { id });
      await listen(song, { id });
      expect(await listed()).toHaveLength(1);
    });

    it('is not stored when no local account follows the account', async () => {
      await app.sql('delete from follows where followee_id = $1', [moId]);
      await listen();
      expect(await listed()).toEqual([]);
    });

    it('is not stored when a policy refuses its words', async () => {
      await app.get(SettingsService).update([
        { path: 'mrf.policies', value: ['KeywordPolicy'] },
        { path: 'mrf_keyword.reject', value: ['singer'] },
      ]);
      await listen();
      await app.get(SettingsService).reset('mrf.policies');
      expect(await listed()).toEqual([]);
    });

    it('D7 is limited to the newest thousand', async () => {
      await app.sql(`insert into scrobbles (account_id, title) select $1, n from generate_series(1, 1000) n`, [moId]);
      await listen();
      expect(await app.sql('select from scrobbles where account_id = $1', [moId])).toHaveLength(1_000);
    });

    it('is deleted with the account', async () => {
      await listen();
      peer.answers.set(new URL(mo.uri).pathname, { status: 410 });
      await sendTo(app, mo, { id: `${mo.uri}#delete`, type: 'Delete', object: mo.uri });
      expect(await app.sql('select from scrobbles where account_id = $1', [moId])).toEqual([]);
    });
  });
});
