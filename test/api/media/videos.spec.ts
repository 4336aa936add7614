import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { pathOf, upload } from '../../support/fixtures/uploads.js';

const hasFfmpeg = [`ffmpeg`, `ffprobe`].every((program) => spawnSync(program, ['-version']).status === 0);
if (!hasFfmpeg)
  process.stderr.write('Skipped, since ffmpeg and ffprobe are not on PATH: videos with pictures in them\n');

/** Two seconds of the test picture and of a tone, encoded by the system's ffmpeg. */
const CASES = [
  ['video.mp4', 'video/mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']],
  ['video.webm', 'video/webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis']],
  ['video.mov', 'video/quicktime', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-an']],
  ['sound.mp3', 'audio/mpeg', ['-vn', '-c:a', 'libmp3lame']],
  ['sound.ogg', 'audio/ogg', ['-vn', '-c:a', 'libvorbis']],
  ['sound.flac', 'audio/flac', ['-vn', '-c:a', 'flac']],
] as const;

(hasFfmpeg ? describe : describe.skip)('videos and recordings as cameras make them', () => {
  let app: TestApp;
  let folder: string;

  beforeAll(async () => {
    app = await startApp({ PATH: process.env['PATH'] ?? '' });
    await app.world.person('alice');
    folder = await mkdtemp(join(tmpdir(), 'videos-'));
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  async function encoded(name: string, options: readonly string[]): Promise<Buffer> {
    const sources = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10', '-f', 'lavfi', '-i', 'sine=frequency=440'];
    const place = ['-metadata', 'location=+52.5000+013.4000/', '-metadata', 'title=holiday'];
    const file = join(folder, name);
    execFileSync('ffmpeg', ['-v', 'error', ...sources, ...place, '-t', '2', ...options, file]);
    return readFile(file);
  }

  it.each(CASES)('reads %s', async (name, mime, options) => {
    const video = await upload(app, 'alice', await encoded(name, options));
    const isVideo = mime.startsWith('video/');
    expect(video).toMatchObject({ type: isVideo ? 'video' : 'audio', svc: { mime_type: mime } });
    const original = video.meta?.original as { duration: number; width?: number; height?: number };
    expect(Math.round(original.duration)).toBe(2);
    if (!isVideo) return;
    expect(original).toMatchObject({ width: 320, height: 180 });
    expect(video.blurhash).toMatch(/^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,}$/);
    const poster = (await app.http.get(pathOf(video.preview_url)).expect(200)).body as Buffer;
    expect(await sharp(poster).metadata()).toMatchObject({ width: 320, height: 180 });
  });

  it('removes the location of a video', async () => {
    const content = await encoded('place.mp4', [
      '-c:v',
      'libx264',
      '-pix_fmt',
      'yuv420p',
      '-movflags',
      'use_metadata_tags',
    ]);
    expect(content.includes('+52.5000')).toBe(true);
    const video = await upload(app, 'alice', content);
    expect(((await app.http.get(pathOf(video.url)).expect(200)).body as Buffer).includes('+52.5000')).toBe(false);
  });
});
