import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { animation, mp3, mp4, picture, wav, webm } from '../../../test/support/fixtures/media-files.js';
import { mediaTypeOfName, sniffForeignType, sniffMediaType } from './media-type.js';

describe('the type of a file', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'types-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function sniffed(content: Buffer | string): Promise<string | undefined> {
    const path = join(folder, 'file.png'); // the name is no hint
    await writeFile(path, content);
    return (await sniffMediaType(path))?.mime;
  }

  it('is detected by its content', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
      expect(await sniffed(await picture(format))).toBe(`image/${format}`);
    }
    expect(await sniffed(await animation('gif'))).toBe('image/gif');
    expect(await sniffed(mp4())).toBe('video/mp4');
    expect(await sniffed(mp4({ brand: 'qt  ' }))).toBe('video/quicktime');
    expect(await sniffed(mp4({ brand: 'M4A ' }))).toBe('audio/mp4');
    expect(await sniffed(webm())).toBe('video/webm');
    expect(await sniffed(wav())).toBe('audio/wav');
    expect(await sniffed(mp3())).toBe('audio/mpeg');
    expect(
      await sniffed(Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x08\0', 'latin1'), Buffer.alloc(1024), mp3()])),
    ).toBe('audio/mpeg');
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['SVG with a declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a script', '#!/bin/sh\nrm -rf /'],
    ['JavaScript', 'alert(1)'],
    ['JSON', '{"@context":"https://www.w3.org/ns/activitystreams","type":"Note"}'],
    ['PDF', '%PDF-1.7\n%âãÏÓ'],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd'],
    ['a zip', Buffer.from('504b0304140000000000', 'hex')],
    ['gzip', Buffer.from('1f8b0800000000000003', 'hex')],
    ['nothing', ''],
    ['zeros', Buffer.alloc(10_000)],
  ])('M1 is undefined for %s', async (_, content) => {
    expect(await sniffed(content)).toBeUndefined();
  });

  it('is not decided by a file that cannot be read, or by a machine that stood still', async () => {
    await expect(sniffMediaType(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    const path = join(folder, 'file.png');
    await writeFile(path, await picture('png'));
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    await expect(sniffMediaType(path)).rejects.toMatchObject({ name: 'AbortError' });
    await expect(sniffForeignType(await picture('png'))).rejects.toMatchObject({ name: 'AbortError' });
    timeout.mockRestore();
  });

  it('follows from the extension that the server gave the name', () => {
    expect(mediaTypeOfName('ab/cdef.webm')?.mime).toBe('video/webm');
    for (const name of ['ab/cdef.svg', 'ab/png', 'ab.png/cdef', '']) expect(mediaTypeOfName(name)).toBeUndefined();
  });
});
