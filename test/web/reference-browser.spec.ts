import type { Page } from 'playwright-core';
import { LOCALES } from '../../src/common/index.js';
import { useApp } from '../support/servers/app.js';
import { hasBrowser, useBrowser, viewed, widthOf } from '../support/servers/browser.js';

const PHONE = 375;
const DESK = 1_280;
const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: how the pages look in a browser, since there is no chromium on PATH');

inBrowser('the reference of the API in a browser', () => {
  const browser = useBrowser();
  const app = useApp({ once: ['alice'], listening: true });

  /** Opens the reference; `foreign` are the requests to other servers, `problems` what the browser complains about. */
  async function open(width: number) {
    const page = await browser.newPage(viewed({ width }));
    const foreign: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(`${app.env.baseUrl}/`) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${app.env.baseUrl}/api/docs`);
    await page.locator('.opblock').first().waitFor();
    return { page, foreign, problems };
  }

  /** Finds an operation, opens it and sends its request; returns the status and the body that the page shows. */
  async function tryOut(page: Page, words: string, summary: string) {
    await page.getByLabel('Search operations').fill(words);
    const operation = page.locator('.opblock', { hasText: summary });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table tbody .response').first();
    await answer.waitFor();
    return {
      status: (await answer.locator('.response-col_status').textContent())?.trim(),
      body: (await answer.locator('.highlight-code').first().textContent()) ?? '',
    };
  }

  it('finds operations by words, and calls this server', async () => {
    const { page, foreign, problems } = await open(DESK);
    await page.getByLabel('Search operations').fill('describes SERVER');
    await page
      .locator('.opblock', { hasText: '/api/v1/statuses/{id}/favourite' })
      .first()
      .waitFor({ state: 'detached' });
    await expect(page.locator('.opblock').count()).resolves.toBeGreaterThan(0);
    await page.getByLabel('Search operations').fill('no such operation');
    await page.locator('.opblock').first().waitFor({ state: 'detached' });
    const { status, body } = await tryOut(page, 'InstanceV1.show', '/api/v1/instance');
    expect(status).toBe('200');
    expect(body).toContain('max_toot_chars');
    expect(foreign).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('sends the token that a reader pastes', async () => {
    const alice = await app.world.as('alice');
    const { page, foreign } = await open(DESK);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.modal-ux input[type="text"], .modal-ux input[type="password"]').first().fill(alice.token);
    await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first().click();
    const { status, body } = await tryOut(page, 'accounts/verify_credentials', 'own account');
    expect(status).toBe('200');
    expect(body).toContain('"alice"');
    expect(foreign).toEqual([]);
  });

  it('is no wider than a phone, also with an operation that is open', async () => {
    const { page } = await open(PHONE);
    expect(await widthOf(page)).toBe(PHONE);
    await tryOut(page, 'InstanceV1.show', '/api/v1/instance');
    expect(await widthOf(page)).toBe(PHONE);
  });

  it.each([...LOCALES])('lists the operations without script (%s)', async (language) => {
    const context = await browser.newContext({ ...viewed({ width: PHONE, language }), javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${app.env.baseUrl}/api/docs`);
    expect(await page.locator('article:visible').count()).toBeGreaterThan(300);
    await context.close();
  });
});
