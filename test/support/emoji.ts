import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EMOJI_CHANGED, type EmojiJson, KnownEmoji } from '../../src/emoji/index.js';
import { Bus } from '../../src/platform/index.js';
import type { TestApp } from './app.js';
import { picture } from './media-files.js';

/** Lets every process know of what a test wrote. */
async function announce(app: TestApp): Promise<void> {
  app.get(Bus).publish(EMOJI_CHANGED, {});
  await app.get(KnownEmoji).settled();
}

/** Custom emoji of the pack `Tea time`, with their pictures, as if somebody had added them. */
export async function addEmoji(app: TestApp, ...shortcodes: string[]): Promise<void> {
  const folder = join(app.env.dataDir, 'emoji', 'Tea time');
  await mkdir(folder, { recursive: true });
  for (const shortcode of shortcodes) {
    await writeFile(join(folder, `${shortcode}.png`), await picture());
    await app.sql(`insert into custom_emojis (shortcode, pack, file) values ($1, 'Tea time', $1 || '.png')`, [
      shortcode,
    ]);
  }
  await announce(app);
}

/** Removes all packs from the disk. */
export async function clearPacks(app: TestApp): Promise<void> {
  const root = join(app.env.dataDir, 'emoji');
  for (const name of await readdir(root)) {
    if (name !== '.drafts') await rm(join(root, name), { recursive: true, force: true });
  }
}

/** Hides an emoji from everybody, or shows it again. */
export async function disableEmoji(app: TestApp, shortcode: string, disabled = true): Promise<void> {
  await app.sql('update custom_emojis set disabled = $2 where shortcode = $1', [shortcode, disabled]);
  await announce(app);
}

/** The address of the picture of an emoji that {@link addEmoji} made. */
export const emojiUrl = (shortcode: string) => `https://svc.test/emoji/Tea%20time/${encodeURIComponent(shortcode)}.png`;

/** Such an emoji as it stands with a text. */
export const shownEmoji = (shortcode: string): EmojiJson => ({
  shortcode,
  url: emojiUrl(shortcode),
  static_url: emojiUrl(shortcode),
  visible_in_picker: false,
});
