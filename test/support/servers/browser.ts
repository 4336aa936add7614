import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { useStarted } from './use.js';

/** The view of a page. */
export interface View {
  readonly width: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly language?: string;
}

const program = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => existsSync(path));

/** The script that checks how accessible a page is. Minified, since every page parses it anew. */
export const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Whether this machine has a browser; tests that need one are skipped without it. */
export function hasBrowser(): boolean {
  return program !== undefined;
}

/** Starts a headless browser. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: program!, args: ['--no-sandbox'] });
}

/** The browser of a `describe`. */
export function useBrowser(): Browser {
  return useStarted(startBrowser);
}

/** The options of a visit with a view. */
export function viewed({ width, height = 800, scheme = 'light', language = 'en' }: View): BrowserContextOptions {
  return { viewport: { width, height }, isMobile: width < 600, colorScheme: scheme, locale: language };
}

/** Opens a page in a visit of its own, with all its files. */
export async function openPage(browser: Browser, url: string, view: View): Promise<Page> {
  const page = await browser.newPage(viewed(view));
  await page.goto(url);
  return page;
}

/** How wide a page is, with what sticks out. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
