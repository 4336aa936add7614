import { SettingsService } from '../../src/config/index.js';
import { LOCALES } from '../../src/common/index.js';
import { useApp } from '../support/servers/app.js';
import { hasBrowser, openPage, useBrowser, widthOf } from '../support/servers/browser.js';

const PHONE = 375;
const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: how the pages look in a browser, since there is no chromium on PATH');

inBrowser('the landing page in a browser', () => {
  const browser = useBrowser();
  const app = useApp({ once: [], listening: true });

  beforeAll(() => app.world.person('a'.repeat(30), { admin: true }));

  /** The page's background, from 0 to 255. */
  const brightness = async (scheme: 'light' | 'dark') => {
    const page = await openPage(browser, app.env.baseUrl, { width: 1280, scheme });
    const colour = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    return Math.max(...(colour.match(/\d+/g) ?? []).map(Number));
  };

  it.each([...LOCALES])('is no wider than a phone (%s)', async (language) => {
    const page = await openPage(browser, app.env.baseUrl, { width: PHONE, language });
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe(language);
    expect(await widthOf(page)).toBe(PHONE);
  });

  it('is no wider with long names, long words and wide pictures', async () => {
    await app.get(SettingsService).update([
      { path: 'instance.name', value: 'W'.repeat(200) },
      { path: 'instance.email', value: `${'w'.repeat(60)}@${'w'.repeat(60)}.test` },
      {
        path: 'instance.description',
        value: `<p>${'w'.repeat(500)}</p><pre>${'w '.repeat(200)}</pre><img src="/images/banner.png" width="3000">`,
      },
    ]);
    const page = await openPage(browser, app.env.baseUrl, { width: PHONE });
    expect(await widthOf(page)).toBe(PHONE);
  });

  it('is no wider on the page of a 404', async () => {
    const page = await openPage(browser, `${app.env.baseUrl}/nothing`, { width: PHONE });
    expect(await page.evaluate<string>('document.querySelector("h1").textContent')).toBe('There is nothing here');
    expect(await widthOf(page)).toBe(PHONE);
  });

  it("follows the visitor's colour scheme", async () => {
    expect(await brightness('light')).toBeGreaterThan(200);
    expect(await brightness('dark')).toBeLessThan(60);
  });

  it('shows the keyboard focus, and has a skip link', async () => {
    const page = await openPage(browser, app.env.baseUrl, { width: 1280 });
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('skip');
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate<string>(outline)).toBe('solid');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('location.hash')).toBe('#content');
  });
});
