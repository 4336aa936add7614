import type { StatusJson } from '../../src/statuses/index.js';
import { makeFans, makeFollows, makeStatuses } from '../support/fixtures/factories.js';
import { ok } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

/** More than a page reads posts of. */
const FOLLOWEES = 850;
const POSTS_OF_EACH = 6;
/** More than the scan of a page reads. */
const OTHERS = 2_100;

const app = useApp({ once: ['reader', 'dave'] });
let reader: Client;
let newestFirst: string[];

beforeAll(async () => {
  reader = await app.world.as('reader');
  const followees = await makeFans(app, FOLLOWEES);
  await makeFollows(app, app.world.id('reader'), followees);
  const posts = await app.sql<{ id: string }>(
    `insert into statuses (id, author_id, uri, visibility, content_text, local)
     select 'A' || lpad((n * 1000 + at)::text, 17, '0'), author, 'https://svc.test/p/' || n || '-' || at, 0, 'post', true
     from generate_series(1, $2) n, unnest($1::text[]) with ordinality given(author, at) returning id`,
    [followees, POSTS_OF_EACH],
  );
  newestFirst = posts.map(({ id }) => id).sort((one, other) => (one < other ? 1 : -1));
  await makeStatuses(app, 'dave', OTHERS);
  await app.sql(`update users set feed_floor = '~' where account_id = $1`, [app.world.id('reader')]);
});

const read = async (query: Record<string, string | number>) =>
  (await ok<StatusJson[]>(reader.get('/api/v1/timelines/home', { limit: 40, ...query }))).map(({ id }) => id);

describe('the home timeline below its floor, of a reader who follows many', () => {
  it.each(['older', 'newer'])('reads few of the posts of each followee: %s', async (direction) => {
    const values = [app.world.id('reader'), '~', '', false, [], 0, false, null, 40, false];
    const rows = await rowsRead(app, `timelines.home.lookups.${direction}`, values);
    expect(rows).toBeGreaterThan(FOLLOWEES);
    expect(rows).toBeLessThan(5 * FOLLOWEES); // of which each has six, besides the follows
  });

  it('leaves out none of their posts, both ways', async () => {
    const first = await read({});
    expect(first).toEqual(newestFirst.slice(0, 40));
    expect(await read({ max_id: first.at(-1)! })).toEqual(newestFirst.slice(40, 80));
    expect(await read({ min_id: newestFirst.at(-1)! })).toEqual(newestFirst.slice(-41, -1));
  });
});
