import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ffmpeg } from './ffmpeg.js';

/** Uses scripts that record their calls in place of the programs, which may be missing where the tests run. */
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
  const recorded = (name: string) => readFile(join(folder, name), 'utf8');

  it('reads size and duration with ffprobe, which may open this file in this format only', async () => {
    const answer = '{"streams": [{}, {"width": 640, "height": 480}], "format": {"duration": "12.5"}}';
    const ffmpeg = await withPrograms({ ffprobe: `echo '${answer}'` });
    expect(await ffmpeg.facts('/tmp/-video', 'video/ogg')).toEqual({ width: 640, height: 480, duration: 12.5 });
    expect(await recorded('ffprobe.called')).toMatch(
      /^-v error -protocol_whitelist file,pipe -f ogg -i file:\/tmp\/-video /,
    );
    expect(await recorded('ffprobe.env')).not.toContain('TEST_DATABASE_ADDRESS');
  });

  it('returns undefined for values that ffprobe does not know', async () => {
    const ffmpeg = await withPrograms({ ffprobe: `echo '{"format": {"duration": "N/A"}}'` });
    expect(await ffmpeg.facts('sound', 'audio/mpeg')).toEqual({
      width: undefined,
      height: undefined,
      duration: undefined,
    });
  });

  it('reads a frame with ffmpeg', async () => {
    const ffmpeg = await withPrograms({ ffmpeg: 'printf PNG' });
    expect((await ffmpeg.poster('video', 'video/mp4'))?.toString()).toBe('PNG');
    expect(await recorded('ffmpeg.called')).toContain('-protocol_whitelist file,pipe -f mov -i file:video');
  });

  it('returns undefined for refused files, other types and empty answers', async () => {
    const ffmpeg = await withPrograms({ ffmpeg: 'exit 1', ffprobe: 'exit 1' });
    expect(await ffmpeg.poster('video', 'video/mp4')).toBeUndefined();
    expect(await ffmpeg.facts('video', 'video/mp4')).toBeUndefined();
    expect(await ffmpeg.facts('page', 'text/html')).toBeUndefined();
    const silent = await withPrograms({ ffmpeg: 'true', ffprobe: 'true' });
    expect(await silent.poster('video', 'video/mp4')).toBeUndefined();
    expect(await silent.facts('video', 'video/mp4')).toBeUndefined();
  });

  it('returns undefined without the programs', async () => {
    const ffmpeg = await withPrograms({});
    expect(await ffmpeg.facts('video', 'video/mp4')).toBeUndefined();
    expect(await ffmpeg.poster('video', 'video/mp4')).toBeUndefined();
  });
});
