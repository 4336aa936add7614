import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { element, mp3, mp4, picture, webm } from '../../../test/support/fixtures/media-files.js';
import { Ffmpeg } from './ffmpeg.js';
import { type Video, Videos } from './videos.js';
import { Images } from './images.js';
import { type MediaType, mediaTypeOf } from './media-type.js';

describe('Videos', () => {
  const images = new Images();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'videos-'));
    await writeFile(join(folder, 'frame.png'), await picture('png', 800, 600));
  });
  afterAll(async () => {
    images.onApplicationShutdown();
    await rm(folder, { recursive: true, force: true });
  });

  /** Reads a file with this shell script, if given, in place of ffmpeg or another of its programs. */
  async function read(content: Buffer, mime: string, script?: string, name = 'ffmpeg'): Promise<Video> {
    const path = join(folder, 'video');
    await writeFile(path, content);
    const program = join(folder, name);
    if (script !== undefined) await writeFile(program, `#!/bin/sh\n${script}\n`).then(() => chmod(program, 0o755));
    const ffmpeg = new Ffmpeg({ searchPath: script === undefined ? '' : folder });
    await ffmpeg.onModuleInit();
    return new Videos(ffmpeg, images).read(path, mediaTypeOf(mime) as MediaType);
  }

  it('get size and duration from their headers', async () => {
    expect(await read(mp4(), 'video/mp4')).toEqual({ width: 640, height: 360, duration: 2.5, poster: undefined });
    expect(await read(webm(), 'video/webm')).toEqual({ width: 320, height: 240, duration: 3, poster: undefined });
    expect(await read(mp3(), 'audio/mpeg')).toEqual({ poster: undefined });
  });

  it('M4 are cleaned two at once, so that many do not slow down everything', async () => {
    const frames = element('a3', Buffer.from('81000080', 'hex')).toString('hex').repeat(100_000);
    const long = Buffer.concat([webm(), Buffer.from(`1f43b67501ffffffffffffff${frames}`, 'hex')]);
    const videos = new Videos(new Ffmpeg({ searchPath: '' }), images);
    const read: string[] = [];
    const files = [long, long, webm()].map(async (content, index) => {
      const path = join(folder, `video-${index}`);
      await writeFile(path, content);
      return path;
    });
    const reading = (await Promise.all(files)).map((path) =>
      videos.read(path, mediaTypeOf('video/webm') as MediaType).then(() => read.push(path)),
    );
    await Promise.all(reading);
    expect(read[0]).not.toBe(join(folder, 'video-2'));
  });

  it('have a poster when ffmpeg exists', async () => {
    const { poster } = await read(mp4(), 'video/mp4', `/bin/cat ${folder}/frame.png`);
    expect(await sharp(poster?.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 400, height: 300 });
    expect(poster?.blurhash).toMatch(/^.{28}$/);
    expect((await read(mp4({ brand: 'M4A ' }), 'audio/mp4', `/bin/cat ${folder}/frame.png`)).poster).toBeUndefined();
  });

  it('have no size when they are sound, even with a cover', async () => {
    const probed = { streams: [{}, { width: 300, height: 300 }], format: { duration: '2.5' } };
    const sound = await read(mp3(), 'audio/mpeg', `echo '${JSON.stringify(probed)}'`, 'ffprobe');
    expect(sound).toEqual({ duration: 2.5, poster: undefined });
  });

  it('have no poster when ffmpeg returns no picture', async () => {
    expect((await read(mp4(), 'video/mp4', 'echo no picture')).poster).toBeUndefined();
    expect((await read(mp4(), 'video/mp4', 'exit 1')).poster).toBeUndefined();
  });

  it('have no impossible sizes and durations', async () => {
    expect(await read(webm({ width: 4_000_000_000, seconds: Infinity }), 'video/webm')).toEqual({ poster: undefined });
    expect(await read(webm({ height: 0, seconds: -1 }), 'video/webm')).toEqual({ poster: undefined });
    expect(await read(webm({ seconds: NaN }), 'video/webm')).toEqual({ width: 320, height: 240, poster: undefined });
  });
});
