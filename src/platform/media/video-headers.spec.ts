import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mp4, webm } from '../../../test/support/fixtures/media-files.js';
import { cleanMedia } from './cleaning/cleaning.js';
import { UnreadableMedia } from './media-facts.js';
import { readWebm } from './webm.js';

describe('the headers of videos', () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'videos-'));
    path = join(folder, 'video');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const cleaned = async (content: Buffer) => {
    await writeFile(path, content);
    return cleanMedia(path, 'video/mp4').catch((error: unknown) => {
      if (error instanceof UnreadableMedia) return undefined;
      throw error;
    });
  };
  const read = async (content: Buffer) => {
    await writeFile(path, content);
    return readWebm(path);
  };

  it('give the size, as shown after rotation, and the duration of an MP4', async () => {
    expect(await cleaned(mp4())).toEqual({ width: 640, height: 360, duration: 2.5 });
    expect(await cleaned(mp4({ turned: true }))).toEqual({ width: 360, height: 640, duration: 2.5 });
  });

  it('M9 lose the place and the device and nothing else', async () => {
    const original = mp4();
    expect(original.includes('+52.5000+013.4000')).toBe(true);
    await cleaned(original);
    const stored = await readFile(path);
    expect(stored).toHaveLength(original.length);
    for (const note of ['+52.5000', 'iPhone', 'udta', 'meta']) expect(stored.includes(note)).toBe(false);
    expect(stored.includes('the film')).toBe(true);
    expect(stored.includes('the sound')).toBe(true);
    expect(await cleanMedia(path, 'video/mp4')).toEqual({ width: 640, height: 360, duration: 2.5 });
  });

  it('are undefined in a cut file or one with wrong sizes of boxes', async () => {
    const video = mp4();
    expect(await cleaned(video.subarray(0, 100))).toBeUndefined();
    expect(
      await cleaned(Buffer.concat([video.subarray(0, 20), Buffer.from('ffffffff6d6f6f76', 'hex')])),
    ).toBeUndefined();
    expect(
      await cleaned(Buffer.concat([video.subarray(0, 20), Buffer.from('000000006d6f6f76', 'hex')])),
    ).toBeUndefined();
    expect(await cleaned(Buffer.from('0000000400000004'.repeat(100), 'hex'))).toBeUndefined();
    expect(await cleaned(Buffer.alloc(0))).toBeUndefined();
  });

  it('are undefined among too many or too deeply nested boxes', async () => {
    const nested = Buffer.alloc(8 * 5_000);
    for (let at = 0; at < nested.length; at += 8) {
      nested.writeUInt32BE(nested.length - at, at);
      nested.write('moov', at + 4, 'latin1');
    }
    expect(await cleaned(nested)).toBeUndefined();
    const many = Buffer.alloc(8 * 200_000);
    for (let at = 0; at < many.length; at += 8) many.writeUInt32BE(8, at);
    expect(await cleaned(Buffer.concat([many, mp4()]))).toBeUndefined();
  });

  it('give the size and the duration of a WebM', async () => {
    expect(await read(webm())).toEqual({ width: 320, height: 240, duration: 3 });
  });

  it('give no values for a file without them', async () => {
    const nothing = { width: undefined, height: undefined, duration: undefined };
    expect(await read(Buffer.alloc(0))).toEqual(nothing);
    expect(await read(Buffer.alloc(1000))).toEqual(nothing);
    expect(await read(Buffer.from('1a45dfa3ff18538067'.repeat(20_000), 'hex'))).toEqual(nothing);
  });
});
