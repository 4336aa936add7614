import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { PAGE_ASSETS } from '../../src/common/index.js';
import { builtEndpoints } from '../support/fixtures/endpoints.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';
import { useApp } from '../support/servers/app.js';
import { AXE, hasBrowser, useBrowser, type View, viewed, widthOf } from '../support/servers/browser.js';

const WORD = 'W'.repeat(80);
/** What a page weighs at most, without pictures. */
const PAGE_BYTES = 100_000;
const ASSET_BYTES = 60_000;

const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser())
  console.log('Skipped: the pages of signed-in people in a browser, since there is no chromium on PATH');

it('styles and script weigh less than 60 KB together', () => {
  const bytes = PAGE_ASSETS.filter(({ type }) => /css|javascript/.test(type)).map(({ content }) => content.length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(ASSET_BYTES);
});

inBrowser('every page of signed-in people', () => {
  const browser = useBrowser();
  const app = useApp({ once: [], listening: true });
  /** The values of the parameters of paths, by the path before them. */
  const ids = new Map<string, string>();

  beforeAll(async () => {
    await app.world.person('admin', { admin: true });
    await app.world.persons('alice');
    await fill();
  });

  /** Something on each page, with words that are wider than a phone. */
  async function fill(): Promise<void> {
    const [admin, alice] = [
      await app.world.as('admin', 'admin', 'read', 'write', 'follow'),
      await app.world.as('alice'),
    ];
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'W'.repeat(30), note: WORD }).expect(200);
    await app.world.follow('admin', 'alice');
    await app.world.follow('alice', 'admin');
    const files = [await upload(app, 'alice'), await upload(app, 'alice')];
    const theirs = await post(app, 'alice', `${WORD} #tea`, {
      media_ids: files.map(({ id }) => id),
      spoiler_text: WORD,
    });
    const poll = { options: [WORD, 'no'], expires_in: 600 };
    await post(app, 'alice', `@admin ${WORD}`, { in_reply_to_id: theirs.id, poll });
    const own = await post(app, 'admin', 'hello @alice');
    await ok(alice.post(`/api/v1/statuses/${own.id}/favourite`));
    await ok(admin.post(`/api/v1/statuses/${theirs.id}/bookmark`));
    await ok(admin.post(`/api/v1/statuses/${theirs.id}/favourite`));
    const list = await ok<{ id: string }>(admin.post('/api/v1/lists', { title: WORD }));
    const filter = await ok<{ id: string }>(admin.post('/api/v2/filters', { title: WORD, context: ['home'] }));
    const chat = await ok<{ id: string }>(alice.post(`/api/v1/svc/chats/by-account-id/${app.world.id('admin')}`));
    await ok(alice.post(`/api/v1/svc/chats/${chat.id}/messages`, { content: WORD }));
    const chats = await ok<{ id: string }[]>(admin.get('/api/v1/svc/chats'));
    const report = { account_id: app.world.id('alice'), status_ids: [theirs.id], comment: WORD };
    await ok((await app.world.as('admin')).post('/api/v1/reports', report));
    const { reports } = await ok<{ reports: { id: string }[] }>(admin.get('/api/v1/svc/admin/reports'));
    await ok(admin.post('/api/v1/svc/emoji/pack', { name: 'drinks' }));
    await app.drain();
    for (const [prefix, id] of [
      ['/app/lists/', list.id],
      ['/app/tags/', 'tea'],
      ['/app/posts/', own.id],
      ['/app/chats/', chats[0]!.id],
      ['/app/people/', app.world.id('alice')],
      ['/auth/account/filters/', filter.id],
      ['/app/staff/emoji/', 'drinks'],
      ['/app/staff/reports/', reports[0]!.id],
      ['/app/staff/posts/', theirs.id],
      ['/app/staff/accounts/', app.world.id('alice')],
    ] as const)
      ids.set(prefix, id);
  }

  const paths = builtEndpoints()
    .filter(({ method, access }) => method === 'GET' && access === 'session')
    .map(({ path }) => path);

  /** The path with an id; undefined for a file to download. */
  function addressOf(path: string): string | undefined {
    if (path.endsWith('/export')) return undefined;
    const [prefix = ''] = path.split(/:\w+/);
    if (prefix === path) return path;
    const id = ids.get(prefix);
    if (id === undefined) throw new Error(`There is nothing for ${path} yet`);
    return path.replace(/:\w+/, id);
  }

  async function signedIn(view: View): Promise<Page> {
    const page = await browser.newPage(viewed(view));
    const cookie = { name: '_svc_key', value: await app.world.session('admin'), url: app.env.baseUrl };
    await page.context().addCookies([cookie]);
    return page;
  }

  it.each<View & { readonly rules?: readonly string[] }>([
    { width: 375, scheme: 'light' },
    { width: 1280, scheme: 'dark', rules: ['color-contrast'] }, // the rest is the same
  ])('is accessible, light and no wider than the screen (%j)', async ({ rules, ...view }) => {
    const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
    const page = await signedIn(view);
    const found: string[] = [];
    for (const path of paths) {
      const address = addressOf(path);
      if (address === undefined) continue;
      const answer = await page.goto(app.env.baseUrl + address);
      const weight = (await answer!.body()).length;
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
      const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      if (answer!.status() !== 200) faults.push(String(answer!.status()));
      if (weight > PAGE_BYTES) faults.push(`${weight} bytes`);
      if ((await widthOf(page)) !== view.width) faults.push('wider than the screen');
      found.push(...faults.map((fault) => `${path}: ${fault}`));
    }
    expect(found).toEqual([]);
    await page.context().close();
  });

  it('asks for the new posts of an open timeline alone, and after other news for the navigation alone', async () => {
    const page = await signedIn({ width: 1280, scheme: 'light' });
    const asked: string[] = [];
    page.on('request', (request) => request.resourceType() === 'fetch' && asked.push(request.url()));
    const opened = page.waitForResponse(/\/streaming\/user/);
    await page.goto(`${app.env.baseUrl}/app/home`);
    await opened;
    const own = ids.get('/app/posts/')!;
    const unread = page.locator('[href="/app/notifications"] [data-unread]');
    const before = Number(await unread.textContent());
    const counted = page.waitForResponse(/\/app\/places$/);
    await ok((await app.world.as('alice')).put(`/api/v1/svc/statuses/${own}/reactions/🍵`));
    await app.drain();
    await counted;
    await unread.getByText(String(before + 1)).waitFor();
    const brought = page.waitForResponse(/\/app\/home\?since_id=/);
    await post(app, 'alice', 'the newest');
    await app.drain();
    expect((await (await brought).text()).match(/<article /g)).toHaveLength(1);
    await page.locator('button.fresh').click();
    await page.locator('.posts .post:first-child').getByText('the newest').waitFor();
    expect(asked.map((url) => new URL(url).pathname)).toEqual(['/app/places', '/app/home']);
    await page.context().close();
  });
});
