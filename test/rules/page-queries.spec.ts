import { useApp } from '../support/servers/app.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { countQueries } from '../support/queries.js';
import { post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';

/*
 * Feeds and pages for visitors take as many statements for many posts as for one. `few` has one post, `many` more than a page
 * of them, and both have files, tags, quotes and replies.
 */

const PAGE = 20;

const app = useApp({ once: ['few', 'many', 'other'] });
const newest = new Map<string, string>();

beforeAll(async () => {
  const [quoted] = (await makeStatuses(app, 'other', 1)) as [string];
  for (const [name, count] of [
    ['few', 1],
    ['many', PAGE + 1],
  ] as const) {
    for (let at = 0; at < count; at += 1) {
      const { id } = await upload(app, name);
      newest.set(name, (await post(app, name, `about #${name}`, { media_ids: [id], quote_id: quoted })).id);
    }
    const answers = await makeStatuses(app, 'other', count);
    await app.sql('update statuses set in_reply_to_id = $2 where id = any($1::text[])', [answers, newest.get(name)]);
  }
});

const OF_PAGE = ['accounts.counts', 'statuses.quoted'];
const OF_POSTS = [...OF_PAGE, 'media.sizes'];
const PATHS: readonly [path: (name: string) => string, statements: readonly string[]][] = [
  [(name) => `/users/${name}/feed.atom`, ['accounts.by_handle', 'timelines.account.older', ...OF_POSTS]],
  [(name) => `/users/${name}/feed.rss`, ['accounts.by_handle', 'timelines.account.older', ...OF_POSTS]],
  [(name) => `/@${name}`, ['accounts.by_handle', 'pins.of_author', 'timelines.account.older', ...OF_PAGE]],
  [(name) => `/@${name}?show=media`, ['accounts.by_handle', 'timelines.account.older', ...OF_PAGE]],
  [() => '/main/public', ['timelines.public_local.older', 'accounts.directory_active_here', 'accounts.counts']],
  [(name) => `/tags/${name}`, ['timelines.tag.older', ...OF_PAGE]],
  [(name) => `/notice/${newest.get(name)!}`, ['statuses.page_by_ids', 'statuses.thread', ...OF_PAGE]],
  [(name) => `/tags/${name}.atom`, ['timelines.tag.older', ...OF_POSTS]],
];

describe('the statements of a page for visitors', () => {
  it.each(PATHS)('are the same for one post and for many', async (path, statements) => {
    for (const name of ['few', 'many']) {
      await app.http.get(path(name)).expect(200); // caches the bodies
      app.invalidateReads();
      const { statements: sent } = await countQueries(() => app.http.get(path(name)).expect(200));
      expect({ name, sent: sent.toSorted() }).toEqual({ name, sent: statements.toSorted() });
    }
  });
});
