import type { AxeResults } from 'axe-core';
import { AXE, hasBrowser, openPage, useBrowser, type View, widthOf } from '../support/servers/browser.js';
import { useApp } from '../support/servers/app.js';

const PATH = '/pages/parts';
const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: the parts of the pages in a browser, since there is no chromium on PATH');

describe('the page of shared parts', () => {
  const app = useApp({ once: [] });

  it('is missing unless the operator asked for it', async () => {
    expect((await app.http.get(PATH)).status).toBe(404);
  });
});

inBrowser('the parts of the pages', () => {
  const app = useApp({ once: [], listening: true, env: { PARTS_PAGE: 'true' } });
  const browser = useBrowser();

  it.each<View>([
    { width: 375, scheme: 'light' },
    { width: 375, scheme: 'dark', language: 'de' },
    { width: 1280, scheme: 'light', language: 'fr' },
    { width: 1280, scheme: 'dark' },
  ])('are accessible and no wider than the screen (%j)', async (view) => {
    const page = await openPage(browser, app.env.baseUrl + PATH, view);
    expect(await page.locator('article.notification').count()).toBeGreaterThan(10);
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    expect(await widthOf(page)).toBeLessThanOrEqual(view.width);
    await page.close();
  });
});
