import { LOCALES } from '../../src/common/index.js';
import { useApp } from '../support/servers/app.js';
import { hasBrowser, openPage, useBrowser, widthOf } from '../support/servers/browser.js';

const PHONE = 375;
const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: how the pages look in a browser, since there is no chromium on PATH');

inBrowser('the reference of the API in a browser', () => {
  const browser = useBrowser();
  const app = useApp({ once: [], listening: true });

  it.each([...LOCALES])('is no wider than a phone (%s)', async (language) => {
    const page = await openPage(browser, `${app.env.baseUrl}/api/docs`, { width: PHONE, language });
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe(language);
    expect(await widthOf(page)).toBe(PHONE);
  });

  it('links its index to every module, and answers to their shapes', async () => {
    const page = await openPage(browser, `${app.env.baseUrl}/api/docs`, { width: PHONE, language: 'en' });
    const dead = `[...document.querySelectorAll('a[href^="#"]')]
      .filter((link) => !document.getElementById(link.hash.slice(1))).map((link) => link.hash)`;
    expect(await page.evaluate<string[]>(dead)).toEqual([]);
    expect(await page.evaluate<number>('document.querySelectorAll(".index a").length')).toBeGreaterThan(8);
  });
});
