import { LOCALES } from '../../src/common/index.js';
import { useApp } from '../support/servers/app.js';
import { hasBrowser, openPage, useBrowser, viewed, widthOf } from '../support/servers/browser.js';
import { eventually } from '../support/eventually.js';
import { post } from '../support/fixtures/statuses.js';
import { upload } from '../support/fixtures/uploads.js';

const PHONE = 375;
const inBrowser = hasBrowser() ? describe : describe.skip;
if (!hasBrowser()) console.log('Skipped: how the pages look in a browser, since there is no chromium on PATH');

inBrowser('pages of people and posts in a browser', () => {
  const browser = useBrowser();
  const app = useApp({ once: [], listening: true });
  const paths: string[] = [];

  beforeAll(async () => {
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
    paths.push(`/@${name}`, `/notice/${id}`, `/notice/${hidden.id}`, '/tags/tea', '/main/public');
    paths.push('/explore', '/about', `/@${name}/followers`, `/@${name}?show=media`);
  });

  it.each([...LOCALES])('are no wider than a phone (%s)', async (language) => {
    const page = await browser.newPage(viewed({ width: PHONE, language }));
    for (const path of paths) {
      await page.goto(app.env.baseUrl + path);
      const width = await widthOf(page);
      expect({ path, width }).toEqual({ path, width: PHONE });
    }
    await page.context().close();
  });

  it('lead a visitor from the home page to accounts, their posts, and a follow from another server', async () => {
    await app.world.persons('fern');
    await (await app.world.as('fern')).patch('/api/v1/accounts/update_credentials', { discoverable: true }).expect(200);
    await post(app, 'fern', 'Good morning, everybody');
    const page = await browser.newPage({ ...viewed({ width: PHONE }), javaScriptEnabled: false });
    await page.goto(app.env.baseUrl);
    const follow = async (name: string) => page.getByRole('link', { name }).first().click();
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(1);
    await follow('Who is here, and what they write');
    expect(await page.locator('.posts').innerText()).toContain('Good morning, everybody');
    expect(await widthOf(page)).toBe(PHONE);
    await page.locator('.faces').getByRole('link', { name: 'fern' }).click();
    expect(new URL(page.url()).pathname).toBe('/@fern');
    await follow('Follow from another server');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Follow fern');
    expect(await page.getByLabel('Your name in the fediverse').count()).toBe(1);
  });

  it('show the beginning of a long post in a list, and all of it on demand', async () => {
    await app.world.persons('longwinded');
    await post(app, 'longwinded', 'word '.repeat(700));
    const page = await openPage(browser, `${app.env.baseUrl}/@longwinded`, { width: PHONE });
    const height = () => page.evaluate<number>(`document.querySelector('.long').clientHeight`);
    const folded = await height();
    expect(await page.locator('.long .words').isVisible()).toBe(true);
    expect(folded).toBeLessThan(400);
    await page.locator('.long summary').press('Enter');
    expect(await height()).toBeGreaterThan(3 * folded);
  });

  it('fill a grid with three pictures', async () => {
    await app.world.persons('painter');
    const files = [await upload(app, 'painter'), await upload(app, 'painter'), await upload(app, 'painter')];
    const { id } = await post(app, 'painter', 'three', { media_ids: files.map((file) => file.id) });
    const page = await openPage(browser, `${app.env.baseUrl}/notice/${id}`, { width: PHONE });
    const edges = `[...document.querySelectorAll('.files img')].map((img) => Math.round(img.getBoundingClientRect().bottom))`;
    const [first, , third] = await page.evaluate<number[]>(edges);
    expect(first).toBe(third);
  });

  it('show pictures, and hide posts behind content warnings until a click, without scripts', async () => {
    const page = await openPage(browser, app.env.baseUrl + paths[1]!, { width: PHONE });
    const seen = `[...document.querySelectorAll('.files img')].map((img) => img.complete && img.naturalWidth > 0)`;
    await page.locator('.files img').last().scrollIntoViewIfNeeded(); // pictures load near the viewport
    await eventually(async () => expect(await page.evaluate<boolean[]>(seen)).toEqual([true, true]));
    const folded = await openPage(browser, app.env.baseUrl + paths[2]!, { width: PHONE });
    const shown = `document.querySelector('.words').checkVisibility()`;
    expect(await folded.evaluate<boolean>(shown)).toBe(false);
    await folded.locator('summary').press('Enter');
    expect(await folded.evaluate<boolean>(shown)).toBe(true);
    expect(await widthOf(folded)).toBe(PHONE);
  });
});
