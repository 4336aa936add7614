import { makeBookmarks, makeStatuses } from '../support/fixtures/factories.js';
import { ok } from '../support/fixtures/statuses.js';
import { countQueries } from '../support/queries.js';
import { rowsRead } from '../support/rows-read.js';
import { useApp } from '../support/servers/app.js';

/** More than a list without pages shows, or one statement changes. */
const MANY = 2_500;
/** What a list without pages shows, and what one statement changes. */
const MOST = 1_000;

const app = useApp({ people: ['alice', 'bob'] });

it('sign-ins and their apps are listed up to a thousand, the newest first', async () => {
  const client = await app.world.as('alice');
  const alice = app.world.id('alice');
  await app.sql(
    `with app as (
       insert into oauth_apps (name, redirect_uris, scopes, client_id, client_secret)
       select 'app' || n, '{}', '{read}', 'client' || n, 'secret' from generate_series(1, $2) n order by n returning id, name)
     insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
     select id, $1, convert_to(name, 'UTF8'), '{read}', now() + interval '1 day' from app order by id`,
    [alice, MANY],
  );
  const names = Array.from({ length: MOST }, (_, at) => `app${MANY - at}`);
  const signIns = await ok<{ app_name: string }[]>(client.get('/api/oauth_tokens'));
  expect(signIns.map((signIn) => signIn.app_name)).toEqual(names);
  const apps = await ok<{ name: string }[]>(client.get('/api/v1/svc/apps'));
  expect(apps.map(({ name }) => name)).toEqual(names);
  expect(await rowsRead(app, 'oauth.sign_ins', [alice])).toBeLessThan(MANY);
});

it('the chats of an account are found by staff without reading those of others', async () => {
  const bob = app.world.id('bob');
  await app.sql(
    `with partner as (
       insert into accounts (id, nickname, ap_id) select 'p' || lpad(n::text, 17, '0'), 'p' || n, 'https://svc.test/' || n
       from generate_series(1, $2) n returning id)
     insert into chats (id, owner_id, partner_id, position) select id, $1, id, id from partner`,
    [bob, MANY],
  );
  expect(await rowsRead(app, 'chats.for_staff', [app.world.id('alice')])).toBe(0);
  expect(await rowsRead(app, 'chats.for_staff', [bob])).toBeLessThan(MANY);
  expect(await rowsRead(app, 'chats.one_for_staff', ['p'.padEnd(18, '0')])).toBe(0);
});

it('a folder with very many bookmarks is removed in slices, and its bookmarks stay', async () => {
  const client = await app.world.as('alice');
  const alice = app.world.id('alice');
  await makeBookmarks(app, alice, await makeStatuses(app, 'bob', MANY));
  const create = (name: string) => ok<{ id: string }>(client.post('/api/v1/svc/bookmark_folders', { name }));
  const [full, other] = [await create('full'), await create('other')];
  await app.sql('update bookmarks set folder_id = case id % 50 when 0 then $2 else $1 end', [full.id, other.id]);
  expect(await rowsRead(app, 'bookmarks.empty_folder', [alice, full.id, '9223372036854775807'])).toBeLessThanOrEqual(
    3 * MOST,
  );

  const { statements } = await countQueries(() => ok(client.delete(`/api/v1/svc/bookmark_folders/${full.id}`)));
  expect(statements.filter((name) => name === 'bookmarks.empty_folder')).toHaveLength(3);
  const left = 'select folder_id as folder, count(*)::int from bookmarks group by 1 order by 2';
  expect(await app.sql(left)).toEqual([
    { folder: other.id, count: MANY / 50 },
    { folder: null, count: MANY - MANY / 50 },
  ]);
});
