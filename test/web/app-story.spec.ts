import type { Browser, Page } from 'playwright-core';
import { SECRET_KEY } from '../../src/platform/index.js';
import { type Member, type Pair, type Server, startPair } from '../support/federation/servers.js';
import { ok, post } from '../support/fixtures/statuses.js';
import { picture } from '../support/fixtures/media-files.js';
import { PASSWORD } from '../support/fixtures/world.js';
import { hasBrowser, startBrowser, viewed } from '../support/servers/browser.js';
import { solutionOf } from '../support/servers/captcha.js';

const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: a day in the browser, since there is no chromium on PATH');

inBrowser.each([
  ['without script', false],
  ['with script', true],
])('a day in the browser %s', (_name, javaScriptEnabled) => {
  let pair: Pair;
  let app: Server;
  /** A person on another server. */
  let erin: Member;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [pair, browser] = await Promise.all([startPair(), startBrowser()]);
    app = pair.alpha;
    await app.world.person('admin', { admin: true });
    await app.world.persons('bob', 'carol');
    erin = await pair.beta.member('erin');
    page = await browser.newPage({ ...viewed({ width: 1280 }), javaScriptEnabled });
    page.setDefaultTimeout(15_000);
  });
  afterAll(() => Promise.all([pair.close(), browser.close()]));

  const open = (path: string) => page.goto(app.env.baseUrl + path);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const signIn = async (name: string) => {
    await page.context().clearCookies();
    await open('/auth/sign_in');
    await page.getByLabel('Name or e-mail address').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Sign in');
    await page.waitForURL('**/app/home');
  };

  const idOf = async (nickname: string) => {
    const [row] = await app.sql<{ id: string }>('select id from accounts where nickname = $1', [nickname]);
    return row!.id;
  };

  it('signs up, and follows a person of another server, whose posts are at home from then on', async () => {
    await open('/auth/sign_up');
    await page.getByLabel('Name', { exact: true }).fill('alice');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const sent = (name: string) => page.locator(`[name="${name}"]`).inputValue();
    const captcha = { token: await sent('captcha_token'), url: '', answer_data: await sent('captcha_answer_data') };
    await page.locator('#captcha').fill(solutionOf(captcha, app.nest.get<Buffer>(SECRET_KEY, { strict: false })));
    await page.getByRole('checkbox').check();
    await press('Create the account');
    await page.waitForURL('**/app/home');

    await open('/app/search');
    await page.getByRole('searchbox').fill(`@${erin.handle}`);
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: /erin/ }).first().click();
    await page.getByRole('heading', { name: 'erin' }).waitFor();
    await press('Follow');
    await page
      .getByRole('button', { name: 'Unfollow' })
      .or(page.getByRole('button', { name: 'Cancel the request' }))
      .waitFor();
    await pair.settle();
    await erin.write('Hello from the other server');
    await pair.settle();
    await open('/app/home');
    await page.getByText('Hello from the other server').waitFor();
    await page.getByText(`@${erin.handle}`).first().waitFor();
  });

  it('writes with pictures, answers, votes, follows, chats and edits the profile', async () => {
    const poll = { options: ['tea', 'coffee'], expires_in: 600 };
    const theirs = await post(app, 'bob', 'What do you drink?', { poll });
    await signIn('alice');

    await open('/app/compose');
    await page.getByLabel('Text', { exact: true }).fill('Two pictures');
    await page.locator('summary', { hasText: 'Pictures, videos and sounds' }).click();
    await page.locator('summary', { hasText: 'More files' }).click();
    for (const at of [1, 2]) {
      const file = { name: `${at}.png`, mimeType: 'image/png', buffer: await picture() };
      await page.locator(`[name="file_${at}"]`).setInputFiles(file);
      await page.getByLabel(`Description of file ${at}`).fill(`picture ${at}`);
    }
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByRole('img', { name: 'picture 2' }).waitFor();

    await open('/app/local');
    await page.getByRole('button', { name: 'tea' }).click();
    await page.getByText('1 vote ').waitFor();
    await open(`/app/posts/${theirs.id}`);
    await page.locator('.main .actions a').first().click();
    await page.getByLabel('Text', { exact: true }).fill('@bob tea, always');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText('tea, always').first().waitFor();

    await open(`/app/people/${app.world.id('bob')}`);
    await press('Follow');
    await page.getByRole('button', { name: 'Unfollow' }).first().waitFor();
    await press('Chat');
    await page.locator('textarea').fill('Hello Bob');
    await press('Send');
    await page.getByText('Hello Bob').waitFor();

    await open('/auth/account/profile');
    await page.locator('[name="display_name"]').fill('Alice in the browser');
    await press(/Save/);
    await open(`/app/people/${await idOf('alice')}`);
    await page.getByRole('heading', { name: 'Alice in the browser' }).waitFor();

    await app.drain();
    await signIn('bob');
    await open('/app/notifications');
    for (const words of [/follows you/, /tea, always/]) await page.getByText(words).first().waitFor();
  });

  it('handles a report to its end, and blocks a server', async () => {
    const bad = await post(app, 'bob', 'a bad post');
    const report = { account_id: app.world.id('bob'), status_ids: [bad.id], comment: 'Please look' };
    await ok((await app.world.as('carol')).post('/api/v1/reports', report));
    await signIn('admin');
    await open('/app/staff/reports');
    await page.getByRole('link', { name: /bob/ }).first().click();
    await page.getByText('Please look').waitFor();
    await press('Mark as resolved');
    await open('/app/staff/blocks');
    await page.locator('#host').fill('loud.example');
    await press('Show the effect');
    await press(/Block/);
    await page.getByText('loud.example').first().waitFor();
    expect(await ok((await app.world.as('admin', 'admin')).get('/api/v1/svc/admin/reports?state=open'))).toMatchObject({
      total: 0,
    });
  });
});
