import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ffmpeg } from './ffmpeg.js';

/** Programs of these names that write down how they were called: the machine that runs the tests may have none. */
describe('Ffmpeg', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ffmpeg-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function withPrograms(programs: Readonly<Record<string, string>>): Promise<Ffmpeg> {
    for (const [name, script] of Object.entries(programs)) {
      const path = join(folder, name);
      await writeFile(
        path,
        `#!/bin/sh\necho "$@" > ${folder}/${name}.called\n/usr/bin/env > ${folder}/${name}.env\n${script}\n`,
      );
      await chmod(path, 0o755);
    }
    const ffmpeg = new Ffmpeg({ searchPath: `/nowhere:relative:${folder}` });
    await ffmpeg.onModuleInit();
    return ffmpeg;
  }
  const told = (name: string) => readFile(join(folder, name), 'utf8');

  it('asks ffprobe for size and duration, with one reader and the file alone', async () => {
    const answer = '{"streams": [{}, {"width": 640, "height": 480}], "format": {"duration": "12.5"}}';
    const ffmpeg = await withPrograms({ ffprobe: `echo '${answer}'` });
    expect(await ffmpeg.facts('/tmp/-video', 'video/ogg')).toEqual({ width: 640, height: 480, duration: 12.5 });
    expect(await told('ffprobe.called')).toMatch(
      /^-v error -protocol_whitelist file,pipe -f ogg -i file:\/tmp\/-video /,
    );
    expect(await told('ffprobe.env')).not.toContain('TEST_DATABASE_ADDRESS');
  });

  it('takes what ffprobe does not know as unknown', async () => {
    const ffmpeg = await withPrograms({ ffprobe: `echo '{"format": {"duration": "N/A"}}'` });
    expect(await ffmpeg.facts('sound', 'audio/mpeg')).toEqual({
      width: undefined,
      height: undefined,
      duration: undefined,
    });
  });

  it('takes a frame from ffmpeg', async () => {
    const ffmpeg = await withPrograms({ ffmpeg: 'printf PNG' });
    expect((await ffmpeg.poster('video', 'video/mp4'))?.toString()).toBe('PNG');
    expect(await told('ffmpeg.called')).toContain('-protocol_whitelist file,pipe -f mov -i file:video');
  });

  it('makes nothing of files they refuse, of other types, and of nothing at all', async () => {
    const ffmpeg = await withPrograms({ ffmpeg: 'exit 1', ffprobe: 'exit 1' });
    expect(await ffmpeg.poster('video', 'video/mp4')).toBeUndefined();
    expect(await ffmpeg.facts('video', 'video/mp4')).toBeUndefined();
    expect(await ffmpeg.facts('page', 'text/html')).toBeUndefined();
    const silent = await withPrograms({ ffmpeg: 'true', ffprobe: 'true' });
    expect(await silent.poster('video', 'video/mp4')).toBeUndefined();
    expect(await silent.facts('video', 'video/mp4')).toBeUndefined();
  });

  it('does without them', async () => {
    const ffmpeg = await withPrograms({});
    expect(await ffmpeg.facts('video', 'video/mp4')).toBeUndefined();
    expect(await ffmpeg.poster('video', 'video/mp4')).toBeUndefined();
  });
});
