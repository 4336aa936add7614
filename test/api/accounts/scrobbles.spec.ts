import { UsersService } from '../../../src/accounts/index.js';
import { type ScrobbleJson, ScrobbleShape } from '../../../src/accounts/scrobbles/scrobble.shape.js';
import { useApp } from '../../support/servers/app.js';
import { checkShape } from '../../support/shape.js';
import { ok } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const PATH = '/api/v1/svc/scrobble';

describe('scrobbles', () => {
  const app = useApp({ people: ['alice', 'bob', 'carol'] });
  let alice: Client;

  beforeEach(async () => {
    alice = await app.world.as('alice');
  });

  const scrobble = (values: Record<string, unknown>) => ok<ScrobbleJson>(alice.post(PATH, values));
  const titles = async (client: Client, query = '') =>
    (await ok<ScrobbleJson[]>(client.get(`/api/v1/svc/accounts/${app.world.id('alice')}/scrobbles${query}`))).map(
      ({ title }) => title,
    );

  it.each([PATH, '/api/svc/scrobble'])('are stored by %s', async (path) => {
    const song = { title: 'A song', artist: 'A singer', album: 'An album', length: 180_000 };
    const answer = await ok<ScrobbleJson>(alice.post(path, { ...song, externalLink: 'https://music.test/1' }));
    expect(checkShape(ScrobbleShape, answer)).toEqual([]);
    const link = { external_link: 'https://music.test/1', externalLink: 'https://music.test/1' };
    expect(answer).toMatchObject({ ...song, ...link, account: { id: app.world.id('alice') } });
    const [listed] = await ok<ScrobbleJson[]>(
      app.world.anonymous.get(`${path.replace('/scrobble', '')}/accounts/alice/scrobbles`),
    );
    expect(listed).toEqual(answer);
  });

  it('require only a title', async () => {
    expect(await scrobble({ title: 'A song' })).toMatchObject({ artist: '', album: '', length: 0, external_link: '' });
  });

  it('are listed page by page, the latest first', async () => {
    for (const title of ['one', 'two', 'three', 'four']) await scrobble({ title });
    expect(await titles(app.world.anonymous)).toEqual(['four', 'three', 'two', 'one']);
    const [second] = await app.sql<{ id: string }>(`select id from scrobbles where title = 'two'`);
    expect(await titles(app.world.anonymous, `?max_id=${second!.id}`)).toEqual(['one']);
    expect(await titles(app.world.anonymous, `?min_id=${second!.id}&limit=1`)).toEqual(['three']);
    expect(await titles(app.world.anonymous, `?since_id=${second!.id}`)).toEqual(['four', 'three']);
    expect(await titles(app.world.anonymous, '?limit=2&offset=1')).toEqual(['three', 'two']);
  });

  it('V1 are hidden from viewers without access', async () => {
    await app.world.follow('bob', 'alice');
    for (const visibility of ['public', 'unlisted', 'local', 'private', 'direct']) {
      await scrobble({ title: visibility, visibility });
    }
    const [bob, carol] = [await app.world.as('bob'), await app.world.as('carol')];
    const asking = [app.world.id('carol'), app.world.id('alice')];
    await app.sql('insert into follows (follower_id, followee_id, state) values ($1, $2, 0)', asking);
    expect(await titles(app.world.anonymous)).toEqual(['unlisted', 'public']);
    expect(await titles(carol)).toEqual(['local', 'unlisted', 'public']);
    expect(await titles(bob)).toEqual(['private', 'local', 'unlisted', 'public']);
    expect(await titles(alice)).toEqual(['direct', 'private', 'local', 'unlisted', 'public']);
    expect(await titles(await app.world.as('bob', 'follow'))).toEqual(['unlisted', 'public']);
    await alice.post(`/api/v1/accounts/${app.world.id('bob')}/block`).expect(200);
    expect(await titles(bob)).toEqual(['local', 'unlisted', 'public']);
  });

  it('V15 are hidden with their account', async () => {
    await scrobble({ title: 'A song' });
    await app.get(UsersService).setActive(app.world.id('alice'), false);
    await app.http.get('/api/v1/svc/accounts/alice/scrobbles').expect(404);
    await app.http.get('/api/v1/svc/accounts/nobody/scrobbles').expect(404);
  });

  it('D7 are limited to the newest thousand of each account', async () => {
    await app.sql(
      `insert into scrobbles (account_id, title) select a, 'old ' || n from generate_series(1, 1000) n, unnest($1::text[]) a`,
      [[app.world.id('alice'), app.world.id('bob')]],
    );
    await scrobble({ title: 'new' });
    expect(await app.sql('select count(*)::int as n from scrobbles group by account_id')).toEqual([
      { n: 1000 },
      { n: 1000 },
    ]);
    expect(await titles(alice, '?limit=1')).toEqual(['new']);
    expect(await app.sql(`select from scrobbles where title = 'old 1'`)).toHaveLength(1);
  });

  it.each([
    ['no title', {}],
    ['a title of blanks', { title: ' ' }],
    ['a title that is none', { title: { a: 'b' } }],
    ['a long title', { title: 'x'.repeat(1_001) }],
    ['a length that is none', { title: 'x', length: 'long' }],
    ['a length below nothing', { title: 'x', length: -1 }],
    ['a length beyond all music', { title: 'x', length: 1e12 }],
    ['a link that is none', { title: 'x', external_link: 'javascript:alert(1)' }],
    ['an unknown visibility', { title: 'x', visibility: 'nobody' }],
  ])('are refused with %s', async (_case, values) => {
    await alice.post(PATH, values).expect(400);
    expect(await app.sql('select from scrobbles')).toEqual([]);
  });
});
