import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { useApp } from '../../support/servers/app.js';
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
  ['opus.ogg', 'audio/ogg', ['-vn', '-c:a', 'libopus']],
  ['sound.wav', 'audio/wav', ['-vn', '-c:a', 'pcm_s16le']],
  ['sound.m4a', 'audio/mp4', ['-vn', '-c:a', 'aac']],
  ['video.ogv', 'video/ogg', ['-c:v', 'libtheora', '-c:a', 'libvorbis']],
  ['samples.mov', 'video/quicktime', ['-c:v', 'mjpeg', '-c:a', 'pcm_s24le']],
  ['sound.flac', 'audio/flac', ['-vn', '-c:a', 'flac']],
] as const;

(hasFfmpeg ? describe : describe.skip)('videos and recordings as cameras make them', () => {
  const app = useApp({ once: ['alice'], env: { PATH: process.env['PATH'] ?? '' } });
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'videos-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function encoded(name: string, options: readonly string[], inputs: readonly string[] = []): Promise<Buffer> {
    const sources = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10', '-f', 'lavfi', '-i', 'sine=frequency=440'];
    const place = ['-metadata', 'location=+52.5000+013.4000/', '-metadata', 'title=holiday'];
    const file = join(folder, name);
    execFileSync('ffmpeg', ['-v', 'error', ...sources, ...inputs, ...place, '-t', '2', ...options, file]);
    return readFile(file);
  }

  it.each([
    ['sound-only.mp4', 'audio/mp4', 'm4a', ['-vn', '-c:a', 'aac']],
    ['sound-only.m4a', 'audio/mp4', 'm4a', ['-vn', '-c:a', 'aac']],
    ['sound-only.mov', 'audio/mp4', 'm4a', ['-vn', '-c:a', 'aac']],
    ['sound-only.webm', 'audio/webm', 'weba', ['-vn', '-c:a', 'libopus']],
    ['sound-fragments.mp4', 'audio/mp4', 'm4a', ['-vn', '-c:a', 'aac', '-movflags', 'empty_moov+frag_keyframe']],
    ['silent.mp4', 'video/mp4', 'mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-an']],
    ['silent.webm', 'video/webm', 'webm', ['-c:v', 'libvpx', '-an']],
  ] as const)('have the type of their content: %s', async (name, mime, extension, options) => {
    const file = await upload(app, 'alice', await encoded(name, options));
    const type = mime.split('/')[0];
    expect(file).toMatchObject({
      type,
      url: expect.stringContaining(`.${extension}`) as unknown,
      svc: { mime_type: mime },
    });
    expect(file.blurhash === null).toBe(type === 'audio');
    const served = await app.http.get(pathOf(file.url)).expect(200);
    expect(served.headers['content-type']).toBe(mime);
  });

  it.each(CASES)('are read with type, size and duration: %s', async (name, mime, options) => {
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

  /** The checksums of all frames of video and sound. */
  function frames(file: string): string {
    const options = ['-v', 'error', '-i', file, '-map', '0:v?', '-map', '0:a?', '-f', 'framemd5', '-'];
    return execFileSync('ffmpeg', options, { encoding: 'utf8' });
  }

  it.each([
    ...CASES,
    ['fragments.mp4', 'video/mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', 'empty_moov+frag_keyframe']],
    ['texts.mp4', 'video/mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:s', 'mov_text']],
    ['texts.webm', 'video/webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis', '-c:s', 'webvtt']],
  ] as const)('M9 are served with every frame and without place and title: %s', async (name, _mime, options) => {
    const said = join(folder, 'said.vtt');
    await writeFile(said, 'WEBVTT\n\n00:00.000 --> 00:01.000\nGPS +52.5000+013.4000/ holiday\n');
    const texts = name.startsWith('texts') ? ['-i', said, '-map', '0', '-map', '1', '-map', '2'] : [];
    const original = join(folder, `of-${name}`);
    await writeFile(original, await encoded(`as-sent-${name}`, options, texts));
    const video = await upload(app, 'alice', await readFile(original));
    const served = (await app.http.get(pathOf(video.url)).expect(200)).body as Buffer;
    expect(['+52.5000', 'holiday'].filter((word) => served.includes(word))).toEqual([]);
    const file = join(folder, `served-${name}`);
    await writeFile(file, served);
    expect(frames(file)).toBe(frames(original));
  });
});
