import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ENV, type Env } from '../env/env.js';
import { Semaphore } from '../memory/semaphore.js';
import { MAX_PIXELS } from './images.js';
import type { MediaFacts } from './media-facts.js';

const run = promisify(execFile);

const PROBE_MS = 10_000;
const POSTER_MS = 20_000;
const PROBE_BYTES = 1_048_576;
const POSTER_BYTES = 16 * 1_048_576;
const AT_ONCE = 1;
/** Pixels of the wider side of a poster frame; the thumbnail is made of it. */
const POSTER_WIDTH = 800;

/** The reader for each type. Naming it keeps a file from choosing one itself, such as that of playlists (threat M4). */
const READERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/wav': 'wav',
  'audio/mp4': 'mov',
  'audio/webm': 'matroska',
};

interface Probed {
  readonly streams?: readonly { readonly width?: number; readonly height?: number }[];
  readonly format?: { readonly duration?: string };
}

/**
 * The programs ffprobe and ffmpeg, where the system has them; without them videos get no poster, and their data comes
 * from their headers. They do not see this process's environment, open only the file, and are killed when they take too
 * long.
 */
@Injectable()
export class Ffmpeg implements OnModuleInit {
  private readonly semaphore = new Semaphore(AT_ONCE);
  private probe: string | undefined;
  private encoder: string | undefined;

  constructor(@Inject(ENV) private readonly env: Pick<Env, 'searchPath'>) {}

  async onModuleInit(): Promise<void> {
    [this.probe, this.encoder] = await Promise.all([this.find('ffprobe'), this.find('ffmpeg')]);
  }

  /** Size and duration of a file of a known type; undefined without ffprobe, and for an unreadable file. */
  async facts(path: string, mime: string): Promise<MediaFacts | undefined> {
    const { probe } = this;
    const reader = READERS[mime];
    if (probe === undefined || reader === undefined) return undefined;
    const shown = ['-show_entries', 'format=duration:stream=width,height', '-of', 'json'];
    const output = await this.output(probe, [...reading(path, reader), ...shown], PROBE_MS, PROBE_BYTES);
    return output && factsIn(output.toString());
  }

  /** A frame near the beginning of a video, as PNG; undefined without ffmpeg, and when there is none. */
  async poster(path: string, mime: string): Promise<Buffer | undefined> {
    const { encoder } = this;
    const reader = READERS[mime];
    if (encoder === undefined || reader === undefined) return undefined;
    const limits = ['-nostdin', '-threads', '1', '-max_pixels', String(MAX_PIXELS)];
    const frame = ['-map', '0:v:0', '-frames:v', '1', '-vf', `scale=w='min(${POSTER_WIDTH},iw)':h=-2`];
    const args = [...limits, ...reading(path, reader), ...frame, '-f', 'image2pipe', '-c:v', 'png', 'pipe:1'];
    return this.output(encoder, args, POSTER_MS, POSTER_BYTES);
  }

  private output(program: string, args: string[], timeout: number, maxBuffer: number): Promise<Buffer | undefined> {
    return this.semaphore.run(async () => {
      try {
        const { stdout } = await run(program, args, {
          env: {},
          timeout,
          maxBuffer,
          killSignal: 'SIGKILL',
          encoding: 'buffer',
        });
        return stdout.length > 0 ? stdout : undefined;
      } catch {
        return undefined; // a damaged file, or one that takes too long
      }
    });
  }

  private async find(program: string): Promise<string | undefined> {
    for (const folder of this.env.searchPath.split(delimiter).filter(isAbsolute)) {
      const path = join(folder, program);
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
    return undefined;
  }
}

function reading(path: string, reader: string): string[] {
  return ['-v', 'error', '-protocol_whitelist', 'file,pipe', '-f', reader, '-i', `file:${path}`];
}

function factsIn(text: string): MediaFacts {
  const { streams = [], format } = JSON.parse(text) as Probed;
  const picture = streams.find(({ width, height }) => width !== undefined && height !== undefined);
  const duration = Number(format?.duration);
  return { width: picture?.width, height: picture?.height, duration: duration > 0 ? duration : undefined };
}
