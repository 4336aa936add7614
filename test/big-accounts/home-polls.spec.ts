import { fillFeed, makeStatuses } from '../support/fixtures/factories.js';
import type { Client } from '../support/fixtures/world.js';
import { countQueries } from '../support/queries.js';
import { useApp } from '../support/servers/app.js';

const HOME = '/api/v1/timelines/home';

const app = useApp({ people: ['alice', 'bob'] });
let bob: Client;
let newest: string;

beforeEach(async () => {
  bob = await app.world.as('bob');
  await app.sql('insert into follows (follower_id, followee_id) values ($1, $2)', [
    app.world.id('bob'),
    app.world.id('alice'),
  ]);
  const posts = await makeStatuses(app, 'alice', 4);
  [newest = ''] = posts.slice(-1);
  await fillFeed(app, 'bob', posts.slice(1));
  await app.sql('update users set feed_floor = $2 where account_id = $1', [app.world.id('bob'), posts[1]]);
});

/** The timeline statements of a page, and the number of its posts. */
async function read(query: string): Promise<{ statements: string[]; length: number }> {
  const { statements, result } = await countQueries(() => bob.get(`${HOME}${query}`).expect(200));
  const pages = statements.filter((name) => name.startsWith('timelines.'));
  return { statements: pages, length: (result.body as unknown[]).length };
}

describe('a home page', () => {
  it.each(['since_id', 'min_id'])('asks the feed only, once, when nothing is newer than %s', async (name) => {
    const direction = name === 'min_id' ? 'newer' : 'older';
    const query = `?${name}=${newest}`;
    expect(await read(query)).toEqual({ statements: [`timelines.home.feed.${direction}`], length: 0 });
    expect(await read(query)).toEqual({ statements: [], length: 0 });
  });

  it('asks the feed only when a complete feed has no row', async () => {
    await app.sql(`delete from home_feed; update users set feed_floor = ''`);
    expect(await read('')).toEqual({ statements: ['timelines.home.feed.older'], length: 0 });
  });

  it('goes on below the floor, also when the feed has no row', async () => {
    expect(await read('')).toMatchObject({ length: 4 });
    await app.sql('delete from home_feed');
    expect(await read('')).toMatchObject({ length: 1 });
    expect(await read('?min_id=1')).toMatchObject({ length: 1 });
  });
});
