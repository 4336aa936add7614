import { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import {
  animation,
  giantPng,
  movingAvif,
  movingPng,
  noted,
  phonePhoto,
  photo,
  picture,
} from '../../../test/support/fixtures/media-files.js';
import { ImageProcess } from './image-process.js';
import { Images } from './images.js';
import { UnreadableMedia } from './media-facts.js';

/** Whether it is a running process that this one started. */
function isChild(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`);
  } catch {
    return false;
  }
}

describe('Images', () => {
  const images = new Images();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'images-'));
  });
  afterAll(async () => {
    images.onApplicationShutdown();
    await rm(folder, { recursive: true, force: true });
  });

  async function file(content: Buffer): Promise<string> {
    const path = join(folder, 'picture');
    await writeFile(path, content);
    return path;
  }
  const read = async (content: Buffer, mime: string, options = {}) => images.read(await file(content), mime, options);

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('leaves a clean %s unchanged', async (format) => {
    const found = await read(await picture(format, 60, 40), `image/${format}`);
    expect(found).toMatchObject({ width: 60, height: 40, content: undefined, thumbnail: undefined });
    expect(found.blurhash).toMatch(/^.{28}$/); // 4 × 3 components
  });

  it('makes a thumbnail of a large picture', async () => {
    const { width, height, thumbnail } = await read(await photo(1000, 500), 'image/jpeg');
    expect([width, height]).toEqual([1000, 500]);
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 400, height: 200 });
  });

  it('M9 turns a photo upright and removes its place and author', async () => {
    const original = await phonePhoto(200, 100);
    expect(await sharp(original).metadata()).toHaveProperty('exif');
    const { width, height, content } = await read(original, 'image/jpeg');
    expect([width, height]).toEqual([100, 200]);
    const metadata = await sharp(content).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: 100, height: 200 });
    for (const part of ['exif', 'xmp', 'iptc', 'orientation']) expect(metadata).not.toHaveProperty(part);
    expect(content?.includes('secret')).toBe(false);
  });

  it('M9 removes metadata without changing a pixel, where that is possible', async () => {
    const plain = await photo(100, 50);
    const tagged = sharp(plain, { failOn: 'none' }).jpeg().keepMetadata();
    const lying = await tagged.withExif({ IFD3: { GPSLatitude: '52/1 30/1 0/1' } }).toBuffer();
    for (const original of [lying, ...noted('jpeg', plain)]) {
      const { width, height, content } = await read(original, 'image/jpeg');
      expect([width, height]).toEqual([100, 50]);
      expect(content!.length).toBeLessThan(original.length);
      expect(await sharp(content).metadata()).not.toHaveProperty('exif');
      expect(await sharp(content).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
    }
  });

  it('cuts off data after the picture', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
      const polyglot = Buffer.concat([await picture(format), Buffer.from('<script>alert(1)</script>;')]);
      const { content } = await read(polyglot, `image/${format}`);
      expect(content?.includes('script')).toBe(false);
      expect((await sharp(content).metadata()).format).toBe(format === 'avif' ? 'heif' : format);
    }
  });

  it('keeps every frame of an animation, also when it encodes it again', async () => {
    expect(await read(await animation('gif'), 'image/gif')).toMatchObject({
      width: 60,
      height: 40,
      content: undefined,
    });
    const { width, height, content } = await read(await animation('webp', { xmp: '<x>secret</x>' }), 'image/webp');
    expect([width, height]).toEqual([60, 40]);
    expect(await sharp(content).metadata()).toMatchObject({ pages: 3, delay: [100, 100, 100] });
    expect(content?.includes('secret')).toBe(false);
  });

  it('shrinks a still on request, but never an animation', async () => {
    const { width, height, content } = await read(await picture('png', 300, 100), 'image/png', { maxSide: 150 });
    expect([width, height]).toEqual([150, 50]);
    expect(await sharp(content).metadata()).toMatchObject({ format: 'png', width: 150, height: 50 });
    expect(await read(await animation('gif'), 'image/gif', { maxSide: 10 })).toMatchObject({ width: 60, height: 40 });
  });

  it.each([
    ['png', movingPng],
    ['avif', movingAvif],
  ] as const)('keeps all frames of a moving %s of any size, and makes a still of the first', async (format, made) => {
    const moving = await made();
    const { width, height, content, still } = await read(moving, `image/${format}`, { maxSide: 10 });
    expect([width, height, content]).toEqual([60, 40, undefined]);
    expect(await sharp(still).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 });
    expect((await read(await picture(format), `image/${format}`)).still).toBeUndefined();
    const small = await images.preview(await file(moving), `image/${format}`, { width: 30, height: 30, quality: 80 });
    expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 30, height: 20 });
  });

  it('M9 makes a still of a moving AVIF with other data than pictures', async () => {
    const { content, still } = await read(await movingAvif({ handler: 'soun' }), 'image/avif');
    expect(content?.includes('moov')).toBe(false);
    expect(await sharp(content).metadata()).toMatchObject({ mediaType: 'image/avif', width: 60, height: 40 });
    expect(still).toBeUndefined();
    expect((await read(await movingAvif({ note: 'secret' }), 'image/avif')).content?.includes('secret')).toBe(false);
  });

  it('M4 refuses giant pictures by their header, damaged files and wrong types', async () => {
    const [png, jpeg] = await Promise.all([picture('png', 200, 200), photo(200, 200)]);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>');
    const refused: [string, Buffer, string][] = [
      ['image/png', giantPng(), 'The picture has too many pixels'],
      ['image/png', giantPng(2_000_000_000, 2_000_000_000), 'The picture is damaged'],
      ['image/png', png.subarray(0, png.length / 2), 'The picture is damaged'],
      ['image/jpeg', jpeg.subarray(0, jpeg.length / 2), 'The picture is damaged'],
      ['image/gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'The picture is damaged'],
      ['image/png', svg, 'The picture is damaged'],
      ['image/png', jpeg, 'The picture is not what it seems to be'],
      ['image/png', Buffer.alloc(0), 'The picture is damaged'],
    ];
    for (const [mime, content, text] of refused) {
      const failure: unknown = await read(content, mime).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(UnreadableMedia);
      expect((failure as Error).message).toBe(text);
    }
  });

  it('M4 continues after a picture ended the process that reads it', async () => {
    const reader = new ImageProcess();
    const path = await file(await photo(2_000, 2_000));
    const reading = reader.ask({ input: path, mime: 'image/jpeg', maxPixels: 10_000_000 });
    reader.end();
    await expect(reading).rejects.toBeInstanceOf(UnreadableMedia);
    expect(reader.isAlive).toBe(false);
    expect((await images.read(path, 'image/jpeg')).width).toBe(2_000);
  });

  const isLinux = process.platform === 'linux';
  if (!isLinux) console.warn('Skipped: which process ends first when memory runs out is said in /proc, on Linux only');
  (isLinux ? it : it.skip)(
    'M4 lets the system end the process that reads pictures first when memory runs out',
    async () => {
      await read(await picture(), 'image/png');
      const of = (pid: string, name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
      const own = readdirSync('/proc').filter(
        (pid) => /^\d+$/.test(pid) && isChild(pid) && of(pid, 'cmdline').includes('images.worker'),
      );
      expect(own.map((pid) => Number(of(pid, 'oom_score_adj')))).toContain(1_000);
    },
  );

  it('reports no damaged picture when the process that reads it cannot run', async () => {
    const input = await picture('png', 4, 4);
    const broken = new ImageProcess(pathToFileURL(join(folder, 'nothing.js')));
    const error: unknown = await broken.ask({ input, maxPixels: 100 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(UnreadableMedia);
  });

  it('reports a shortage of file descriptors, and reads pictures when there are some again', async () => {
    const { _handle } = new ChildProcess() as unknown as { _handle: { spawn: () => number } };
    const spawn = jest.spyOn(Object.getPrototypeOf(_handle) as typeof _handle, 'spawn');
    spawn.mockReturnValue(-constants.errno.EMFILE);
    const input = await picture('png', 4, 4);
    const starved = new ImageProcess();
    const asked = starved.ask({ input, maxPixels: 100 });
    spawn.mockRestore();
    await expect(asked).rejects.toMatchObject({ code: 'EMFILE' });
    await expect(starved.ask({ input, maxPixels: 100 })).rejects.not.toBeInstanceOf(UnreadableMedia);
    expect((await images.poster(input)).blurhash).not.toBe('');
  });

  it('reads several pictures at once', async () => {
    const paths = await Promise.all(
      [10, 20, 30, 40, 50].map(async (side) => {
        const path = join(folder, String(side));
        await writeFile(path, await picture('png', side, side));
        return path;
      }),
    );
    const found = await Promise.all(paths.map((path) => images.read(path, 'image/png')));
    expect(found.map(({ width }) => width)).toEqual([10, 20, 30, 40, 50]);
  });

  it('makes a thumbnail of a frame of a video', async () => {
    const { thumbnail, blurhash } = await images.poster(await picture('png', 800, 600));
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 400, height: 300 });
    expect(blurhash).not.toBe('');
  });
});
