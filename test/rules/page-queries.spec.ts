import type { Response } from 'supertest';
import type { FiledReportJson } from '../../src/admin/index.js';
import { useApp } from '../support/servers/app.js';
import { BrowserVisit } from '../support/fixtures/browser-visit.js';
import { makeStatuses } from '../support/fixtures/factories.js';
import { countQueries } from '../support/queries.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';

/*
 * Feeds and pages take as many statements for many posts as for one. `few` has one post, `many` more than a page of them, and
 * both have files, tags, quotes and replies. Pages for signed-in people take as many for the posts or files that they name.
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

describe('the statements of a page for signed-in people', () => {
  let visit: BrowserVisit;
  let token: string;
  const named = { posts: [] as string[], files: [] as string[] };
  const reports = new Map<number, string>();

  beforeAll(async () => {
    await app.world.person('root', { admin: true });
    visit = await new BrowserVisit(app).signIn('root');
    await visit.get('/app/home');
    token = visit.field('_csrf')!;
    named.posts = await makeStatuses(app, 'few', PAGE);
    for (let at = 0; at < PAGE; at += 1) named.files.push((await upload(app, 'root')).id);
    const other = await app.world.as('other');
    for (const count of [1, PAGE]) {
      const report = { account_id: app.world.id('few'), status_ids: named.posts.slice(0, count) };
      reports.set(count, (await ok<FiledReportJson>(other.post('/api/v1/reports', report))).id);
    }
  });

  const send = (path: string, fields: readonly string[]) => visit.send(path, [`_csrf=${token}`, ...fields].join('&'));
  const withFiles = (count: number, ...fields: readonly string[]) =>
    send('/app/compose', [
      ...named.files.slice(0, count).map((id, at) => `media[${at}][id]=${id}&media[${at}][description]=new`),
      ...fields,
    ]);
  const withPosts = (count: number, ...fields: readonly string[]) =>
    send(`/app/people/${app.world.id('few')}/report`, [
      ...named.posts.slice(0, count).map((id) => `status_ids[]=${id}`),
      ...fields,
    ]);

  const OPENED: readonly [name: string, open: (count: number) => Promise<Response>, status: number, shown: RegExp][] = [
    [
      'the report of posts',
      (count) => visit.get(`/app/staff/reports/${reports.get(count)}`),
      200,
      /posts\/\w+\/delete/g,
    ],
    [
      'a refused report',
      (count) => withPosts(count, `comment=${'x'.repeat(5_001)}`),
      400,
      /name="status_ids" value="\w+"\s+checked/g,
    ],
    ['a form with files', (count) => withFiles(count, 'action=more'), 200, /name="media\[\d+\]\[id\]"/g],
    ['a refused post', (count) => withFiles(count, 'scheduled_at=2020-01-01T10:00'), 422, /name="media\[\d+\]\[id\]"/g],
  ];
  it.each(OPENED)('are the same for one and for many: %s', async (_name, open, status, shown) => {
    const sent: string[][] = [];
    for (const count of [1, PAGE]) {
      await open(count); // caches the bodies
      app.invalidateReads();
      const { result, statements } = await countQueries(() => open(count));
      expect([result.status, result.text.match(shown)?.length]).toEqual([status, count]);
      sent.push(statements.toSorted());
    }
    expect(sent[1]).toEqual(sent[0]);
  });
});
