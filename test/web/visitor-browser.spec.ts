import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCALES } from '../../src/common/index.js';
import type { Browser } from 'playwright-core';
import type { TestApp } from '../support/servers/app.js';
import { hasBrowser, openPage, startBrowser, widthOf } from '../support/servers/browser.js';
import { startListeningApp } from '../support/servers/listen.js';
import { eventually } from '../support/eventually.js';
import { post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';

const PHONE = 375;
const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: how the pages look in a browser, since there is no chromium on PATH');

inBrowser('pages of people and posts in a browser', () => {
  let app: TestApp;
  let browser: Browser;
  const paths: string[] = [];

  beforeAll(async () => {
    [app, browser] = await Promise.all([startListeningApp(), startBrowser()]);
    const name = 'a'.repeat(30);
    await app.world.persons(name);
    const word = 'W'.repeat(100);
    await (
      await app.world.as(name)
    )
      .patch('/api/v1/accounts/update_credentials', {
        display_name: 'W'.repeat(30),
        note: word.repeat(3),
        fields_attributes: [{ name: word, value: `https://${'w'.repeat(50)}.test/${word}` }],
      })
      .expect(200);
    const files = [await upload(app, name), await upload(app, name)];
    await post(app, name, word.repeat(3), { poll: { options: [word, 'b'], expires_in: 600 } });
    const { id } = await post(app, name, `\`${word}\` #tea`, {
      media_ids: files.map((file) => file.id),
      content_type: 'text/markdown',
    });
    const hidden = await post(app, name, word, { spoiler_text: word });
    paths.push(`/@${name}`, `/notice/${id}`, `/notice/${hidden.id}`, '/tags/tea');
  });
  afterAll(() => Promise.all([app.close(), browser.close()]));

  it.each([...LOCALES])('are no wider than a phone (%s)', async (language) => {
    for (const path of paths) {
      const page = await openPage(browser, app.env.baseUrl + path, { width: PHONE, language });
      const width = await widthOf(page);
      expect({ path, width }).toEqual({ path, width: PHONE });
    }
  });

  it('show pictures, and fold content warnings until they are opened, without a script', async () => {
    const page = await openPage(browser, app.env.baseUrl + paths[1]!, { width: PHONE });
    const seen = `[...document.querySelectorAll('.files img')].map((img) => img.complete && img.naturalWidth > 0)`;
    await page.locator('.files img').last().scrollIntoViewIfNeeded(); // pictures load when they come near
    await eventually(async () => expect(await page.evaluate<boolean[]>(seen)).toEqual([true, true]));
    const folded = await openPage(browser, app.env.baseUrl + paths[2]!, { width: PHONE });
    const shown = `document.querySelector('.words').checkVisibility()`;
    expect(await folded.evaluate<boolean>(shown)).toBe(false);
    await folded.locator('summary').press('Enter');
    expect(await folded.evaluate<boolean>(shown)).toBe(true);
    expect(await widthOf(folded)).toBe(PHONE);
  });
});
