import { describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { animation, movingAvif, noted, photo, picture } from '../../../test/support/fixtures/media-files.js';
import { onlyThePicture } from './picture-parts.js';

const FORMATS = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;

const pixels = (content: Buffer) => sharp(content, { animated: true }).raw().toBuffer();

describe('onlyThePicture', () => {
  it.each(FORMATS)('leaves a %s alone that is nothing else', async (format) => {
    const clean = await picture(format);
    expect(onlyThePicture(clean, `image/${format}`)).toBe(clean);
  });

  it('leaves progressive photos, palettes, profiles and animations alone', async () => {
    const image = sharp(await photo(120, 90));
    const clean: [string, Buffer][] = [
      ['image/jpeg', await image.clone().jpeg({ progressive: true }).withIccProfile('p3').toBuffer()],
      ['image/png', await image.clone().png({ palette: true }).withIccProfile('p3').toBuffer()],
      ['image/webp', await image.clone().webp({ lossless: true }).withIccProfile('p3').toBuffer()],
      ['image/gif', await animation('gif')],
      ['image/webp', await animation('webp')],
      ['image/avif', await movingAvif()],
    ];
    for (const [mime, content] of clean) expect(onlyThePicture(content, mime)).toBe(content);
  });

  it.each(FORMATS)('M9 leaves out what a %s says besides, and no pixel', async (format) => {
    for (const original of noted(format, await picture(format))) {
      expect(original.includes('secret')).toBe(true);
      const found = onlyThePicture(original, `image/${format}`);
      expect(found?.includes('secret')).toBe(false);
      expect(await pixels(found!)).toEqual(await pixels(original));
      expect(onlyThePicture(found!, `image/${format}`)).toBe(found);
    }
  });

  it('M9 leaves out what the tracks of a moving AVIF say besides, and its place of everything', async () => {
    const said = onlyThePicture(await movingAvif({ note: 'secret' }), 'image/avif')!;
    expect(said.includes('secret')).toBe(false);
    expect(said.length).toBe((await movingAvif({ note: 'secret' })).length);
    expect(onlyThePicture(said, 'image/avif')).toBe(said);
    expect(onlyThePicture(await movingAvif({ handler: 'soun' }), 'image/avif')).toBeUndefined();
  });

  it('keeps how often and how fast an animation runs', async () => {
    const [original] = noted('gif', await animation('gif'));
    const found = await sharp(onlyThePicture(original!, 'image/gif')).metadata();
    expect(found).toMatchObject({ pages: 3, delay: [100, 100, 100], loop: 0 });
  });

  it.each(FORMATS)('M4 makes nothing of a %s that is not built as it should be', async (format) => {
    const [whole] = noted(format, await picture(format));
    for (let length = 0; length < whole!.length; length += 1) {
      const found = onlyThePicture(whole!.subarray(0, length), `image/${format}`);
      expect((found?.length ?? 0) <= length).toBe(true);
    }
    for (let at = 0; at < whole!.length; at += 1) {
      const broken = Buffer.from(whole!);
      broken[at] = broken[at]! ^ 0xff;
      expect((onlyThePicture(broken, `image/${format}`)?.length ?? 0) <= broken.length).toBe(true);
    }
    expect(onlyThePicture(Buffer.from('no picture at all'), `image/${format}`)).toBeUndefined();
    expect(onlyThePicture(whole!, 'image/bmp')).toBeUndefined();
  });
});
