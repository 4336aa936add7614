import { UsersService } from '../../../src/accounts/index.js';
import { HandledReportsService } from '../../../src/admin/index.js';
import { BrowserVisit } from '../../support/fixtures/browser-visit.js';
import { picture } from '../../support/fixtures/media-files.js';
import { ok } from '../../support/fixtures/statuses.js';
import { pathOf, upload } from '../../support/fixtures/uploads.js';
import type { Client } from '../../support/fixtures/world.js';
import { useApp } from '../../support/servers/app.js';
import { gifOf, proxied, proxyOn, sending } from '../../support/servers/proxied.js';
import { useWebHost, WEB_HOST_ADDRESS } from '../../support/servers/web-host.js';

const ADMIN = '/api/v1/svc/admin';

const web = useWebHost();
const app = useApp({ env: { ALLOWED_PRIVATE_ADDRESSES: WEB_HOST_ADDRESS } });
let alice: Client;
let bob: Client;
let root: Client;
/** A browser of an administrator, and one of a user. */
let staff: BrowserVisit;
let user: BrowserVisit;

beforeEach(async () => {
  await app.world.person('root', { admin: true });
  await app.world.persons('alice', 'bob');
  [alice, bob] = await Promise.all([app.world.as('alice'), app.world.as('bob')]);
  root = await app.world.as('root', 'admin');
  staff = await new BrowserVisit(app).signIn('root');
  user = await new BrowserVisit(app).signIn('bob');
});

/** Posts a picture, which bob reports; returns the post, the report and the paths of the picture. */
async function reported(): Promise<{ post: string; report: string; paths: string[] }> {
  const file = await upload(app, 'alice', await picture('png', 1_200, 800));
  const { id: post } = await ok<{ id: string }>(
    alice.post('/api/v1/statuses', { status: 'rude', media_ids: [file.id] }),
  );
  const { id: report } = await ok<{ id: string }>(
    bob.post('/api/v1/reports', { account_id: app.world.id('alice'), status_ids: [post] }),
  );
  return { post, report, paths: [pathOf(file.url), pathOf(file.preview_url)] };
}

const answers = async (paths: readonly string[]) => {
  const statuses = [];
  for (const path of paths) {
    const asked = [await staff.get(path), await user.get(path), await app.http.get(path)];
    statuses.push(asked.map(({ status }) => status));
  }
  return statuses;
};
const FOR_STAFF = [200, 404, 404];
const GONE = [404, 404, 404];

describe('V15 the files of a reported post', () => {
  it.each<[string, (post: string) => Promise<unknown>]>([
    ['the staff deletes it', (post) => ok(root.delete(`${ADMIN}/statuses/${post}`))],
    ['its author deletes it', (post) => ok(alice.delete(`/api/v1/statuses/${post}?delete_media=true`))],
    ['its author is deleted', () => ok(root.delete(`${ADMIN}/users`, { nicknames: ['alice'] }))],
    ['its author is deactivated', () => app.get(UsersService).setActive(app.world.id('alice'), false)],
  ])('are shown to the staff when %s, and to nobody else', async (_what, end) => {
    const { post, paths } = await reported();
    await end(post);
    await app.drain();
    expect(await answers(paths)).toEqual(paths.map(() => FOR_STAFF));
    const { headers } = await staff.get(paths[0]!);
    expect(headers['cache-control']).toBe('private, no-store');
  });

  it('go when the report has been closed for long', async () => {
    const { post, report, paths } = await reported();
    await ok(root.delete(`${ADMIN}/statuses/${post}`));
    await root.patch(`${ADMIN}/reports`, { reports: [{ id: report, state: 'resolved' }] }).expect(204);
    await app.get(HandledReportsService).purgeStatuses();
    await app.drain();
    expect(await answers(paths)).toEqual(paths.map(() => FOR_STAFF));
    await app.sql(`update report_statuses set expires_at = now() - interval '1 day'`);
    await app.get(HandledReportsService).purgeStatuses();
    await app.drain();
    expect(await answers(paths)).toEqual(paths.map(() => GONE));
    expect(await app.sql('select from report_files')).toEqual([]);
  });

  it('stay with the post when the report ends', async () => {
    const { paths } = await reported();
    await app.sql(`update report_statuses set expires_at = now() - interval '1 day'`);
    await app.get(HandledReportsService).purgeStatuses();
    await app.drain();
    expect(await answers(paths)).toEqual(paths.map(() => [200, 200, 200]));
  });
});

it('a file of another server is shown to the staff while its author is deactivated', async () => {
  await proxyOn(app);
  web.at('/rude.gif', sending(gifOf(100)));
  const url = `${web.origin}/rude.gif`;
  const { id: zoe } = await app.world.remote('zoe', 'far.test');
  const post = 'REMOTE000000000001';
  await app.sql(
    `insert into statuses (id, author_id, uri, visibility, content_html, local, flags)
     values ($1, $2, 'https://far.test/1', 0, 'rude', false, 1)`,
    [post, zoe],
  );
  await app.sql(`insert into status_stats (status_id) values ($1)`, [post]);
  await app.sql(
    `insert into attachments (account_id, status_id, type, mime_type, remote_url)
     values ($1, $2, 'image', 'image/gif', $3)`,
    [zoe, post, url],
  );
  await ok(bob.post('/api/v1/reports', { account_id: zoe, status_ids: [post] }));
  await app.get(UsersService).setActive(zoe, false);
  expect(await answers([proxied(app, url)])).toEqual([FOR_STAFF]);
  expect((await staff.get(proxied(app, url))).headers['cache-control']).toBe('private, no-store');
});
