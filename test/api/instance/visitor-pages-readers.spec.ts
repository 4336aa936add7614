import { SettingsService } from '../../../src/config/index.js';
import { useApp } from '../../support/servers/app.js';
import { BROWSER, metaOf, postsOn, readPage } from '../../support/pages.js';
import { ok, post, reblog } from '../../support/fixtures/statuses.js';

/* Visitors see what the API shows to anonymous callers, and nothing where pages are for members only. */

const app = useApp({ people: ['alice', 'bob'] });

const statusOf = async (path: string, accept = BROWSER) => (await app.http.get(path).set('Accept', accept)).status;

/** Expects a 404 without a reason for browsers, programs and signed-in callers. */
async function expectGone(...paths: string[]): Promise<void> {
  const bob = await app.world.as('bob');
  for (const path of paths) {
    expect({ path, status: await statusOf(path) }).toEqual({ path, status: 404 });
    expect({ path, status: await statusOf(path, 'application/activity+json') }).toEqual({ path, status: 404 });
    expect((await bob.get(path).expect(404)).body).toEqual({
      error: expect.stringMatching(/^(Not|Record not) found$/),
    });
    expect((await app.http.get(path).set('Accept', BROWSER)).text).toContain('There is nothing here');
  }
}

it('V5 a visitor page shows the same posts as the API to anonymous callers', async () => {
  await app.world.follow('bob', 'alice');
  const own: string[] = [];
  for (const visibility of ['public', 'unlisted', 'private', 'direct', 'local']) {
    const { id } = await post(app, 'alice', `@bob ${visibility} #tea`, { visibility });
    own.push(id);
    if (visibility === 'private') await reblog(app, 'alice', id);
  }
  await reblog(app, 'alice', (await post(app, 'bob', 'by bob')).id);
  const listed = await ok<{ url: string; reblog: { url: string } | null }[]>(
    app.world.anonymous.get(`/api/v1/accounts/${app.world.id('alice')}/statuses`),
  );
  const page = await readPage(app, '/@alice');
  expect(postsOn(page)).toEqual(listed.map(({ url, reblog: reblogged }) => reblogged?.url ?? url));
  expect(postsOn(page)).toHaveLength(3);
  expect(page.text).not.toMatch(/@bob (private|direct|local)/);
  expect(postsOn(await readPage(app, '/tags/tea'))).toEqual([`https://svc.test/notice/${own[0]!}`]);
  for (const id of own.slice(0, 2)) expect(postsOn(await readPage(app, `/notice/${id}`))).toHaveLength(1);
  await expectGone(...own.slice(2).map((id) => `/notice/${id}`));
});

it('keeps posts out of search engines unless their author is indexable', async () => {
  const { id } = await post(app, 'alice', 'hello');
  const robots = async () => metaOf(await readPage(app, `/notice/${id}`))['robots'];
  expect(await robots()).toBe('noindex');
  await (await app.world.as('alice')).patch('/api/v1/accounts/update_credentials', { discoverable: true }).expect(200);
  expect(await robots()).toBeUndefined();
});

it('V15 answers 404 for deactivated, unconfirmed, unapproved, remote and unknown accounts and their posts', async () => {
  const { id } = await post(app, 'alice', 'hello #tea');
  const { id: zoe } = await app.world.remote('zoe', 'far.test');
  await expectGone('/@nobody', '/@zoe', '/@zoe@far.test', `/@${zoe}`, '/notice/unknown');
  const alice = app.world.id('alice');
  for (const column of ['is_confirmed', 'is_approved']) {
    await app.sql(`update users set ${column} = false where account_id = $1`, [alice]);
    await expectGone('/@alice', `/@${alice}`);
    await app.sql(`update users set ${column} = true where account_id = $1`, [alice]);
  }
  expect(await statusOf('/@alice')).toBe(200);
  await app.sql('update accounts set deactivated_at = now() where id = $1', [alice]);
  await expectGone('/@alice', `/notice/${id}`, '/tags/tea', '/tag/tea');
});

it('answers 404 for a deleted post', async () => {
  const { id } = await post(app, 'alice', 'hello');
  await (await app.world.as('alice')).delete(`/api/v1/statuses/${id}`).expect(200);
  await expectGone(`/notice/${id}`);
});

it('answers 304 only while the page is the same for every caller', async () => {
  const { id } = await post(app, 'alice', 'hello #tea');
  const paths = ['/@alice', '/tags/tea', `/notice/${id}`, '/'];
  const kept = new Map<string, string>();
  for (const path of paths) kept.set(path, (await readPage(app, path)).headers['etag']!);
  const ask = (path: string, language = 'en') =>
    app.http.get(path).set({ Accept: BROWSER, 'Accept-Language': language, 'If-None-Match': kept.get(path) ?? 'none' });
  for (const path of paths) {
    const { status, text, headers } = await ask(path);
    expect({ path, status, text, tag: headers['etag'] }).toEqual({ path, status: 304, text: '', tag: kept.get(path) });
    expect((await ask(path, 'de')).status).toBe(200);
  }
  await (await app.world.as('alice')).put(`/api/v1/statuses/${id}`, { status: 'bye #tea' }).expect(200);
  for (const path of paths.slice(0, 3)) expect((await ask(path).expect(200)).text).toContain('bye');

  for (const path of paths) kept.set(path, (await readPage(app, path)).headers['etag']!);
  await app.sql('update accounts set deactivated_at = now() where id = $1', [app.world.id('alice')]);
  for (const path of paths.slice(0, 3)) {
    const gone = await ask(path).expect(404);
    expect([gone.headers['etag'], gone.headers['cache-control']]).toEqual([undefined, 'private, no-store']);
  }
});

describe('V17 answers 404 to visitors for members-only pages', () => {
  // The pages of an account, of a tag, of a post.
  const CASES = [
    ['instance.public', false, [404, 404, 404]],
    ['restrict_unauthenticated.profiles', { local: true, remote: false }, [404, 200, 200]],
    ['restrict_unauthenticated.profiles', { local: false, remote: true }, [200, 200, 200]],
    ['restrict_unauthenticated.timelines', { local: false, federated: true }, [200, 404, 200]],
    ['restrict_unauthenticated.activities', { local: true, remote: false }, [200, 404, 404]],
    ['restrict_unauthenticated.activities', { local: false, remote: true }, [200, 200, 200]],
  ] as const;
  it.each(CASES)('where %s is %j: %j', async (path, value, expected) => {
    const { id } = await post(app, 'alice', 'hello #tea');
    await app.get(SettingsService).update([{ path, value }]);
    try {
      const paths = ['/@alice', '/tags/tea', `/notice/${id}`];
      expect(await Promise.all(paths.map((page) => statusOf(page)))).toEqual(expected);
      for (const [at, page] of paths.entries()) if (expected[at] === 404) await expectGone(page);
      if (path.endsWith('activities') && expected[2] === 404) {
        expect(postsOn(await readPage(app, '/@alice'))).toEqual([]);
      }
    } finally {
      await app.get(SettingsService).reset(path);
    }
  });
});
