import sharp from 'sharp';
import { animation, movingAvif, noted, photo, picture } from '../../../test/support/fixtures/media-files.js';
import { onlyThePicture } from './picture-parts.js';

const FORMATS = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;

const pixels = (content: Buffer) => sharp(content, { animated: true }).raw().toBuffer();

describe('onlyThePicture', () => {
  it.each(FORMATS)('returns a %s without metadata unchanged', async (format) => {
    const clean = await picture(format);
    expect(onlyThePicture(clean, `image/${format}`)).toBe(clean);
  });

  it('returns progressive photos, palettes, profiles and animations unchanged', async () => {
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

  it.each(FORMATS)('M9 removes the metadata of a %s and changes no pixel', async (format) => {
    for (const original of noted(format, await picture(format))) {
      expect(original.includes('secret')).toBe(true);
      const found = onlyThePicture(original, `image/${format}`);
      expect(found?.includes('secret')).toBe(false);
      expect(await pixels(found!)).toEqual(await pixels(original));
      expect(onlyThePicture(found!, `image/${format}`)).toBe(found);
    }
  });

  it('M9 removes the metadata of the tracks of a moving AVIF without moving other data', async () => {
    const cleaned = onlyThePicture(await movingAvif({ note: 'secret' }), 'image/avif')!;
    expect(cleaned.includes('secret')).toBe(false);
    expect(cleaned.length).toBe((await movingAvif({ note: 'secret' })).length);
    expect(onlyThePicture(cleaned, 'image/avif')).toBe(cleaned);
    expect(onlyThePicture(await movingAvif({ handler: 'soun' }), 'image/avif')).toBeUndefined();
  });

  it('keeps the number of loops and the speed of an animation', async () => {
    const [original] = noted('gif', await animation('gif'));
    const found = await sharp(onlyThePicture(original!, 'image/gif')).metadata();
    expect(found).toMatchObject({ pages: 3, delay: [100, 100, 100], loop: 0 });
  });

  it.each(FORMATS)('M4 never returns more than a damaged or cut %s holds', async (format) => {
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
