import { Injectable } from '@nestjs/common';
import { Semaphore } from '../memory/semaphore.js';
import { cleanMedia } from './cleaning/cleaning.js';
import { Ffmpeg } from './ffmpeg.js';
import { Images } from './images.js';
import { type MediaFacts, UnreadableMedia } from './media-facts.js';
import type { MediaType } from './media-type.js';
import { readWebm } from './webm.js';

/** What is known of a video or a recording. */
export interface Video extends MediaFacts {
  /** A frame of it, as thumbnail; only where the system has ffmpeg. */
  readonly poster: { readonly thumbnail: Buffer; readonly blurhash: string } | undefined;
}

const CLEANED_AT_ONCE = 2;
const LONGEST_SIDE = 65_535;
const LONGEST_SECONDS = 31_536_000;

/** Reads videos and recordings without decoding them, and removes all else they hold (threat M9). */
@Injectable()
export class Videos {
  private readonly cleaning = new Semaphore(CLEANED_AT_ONCE);

  constructor(
    private readonly ffmpeg: Ffmpeg,
    private readonly images: Images,
  ) {}

  /**
   * Reads a file of a type that was found by its content, and cleans it in place.
   * @throws UnreadableMedia
   */
  async read(path: string, { mime, kind }: MediaType): Promise<Video> {
    const facts = plausible(await this.facts(path, mime));
    if (kind !== 'video' || facts.isSound) return soundOf(facts); // what has a size there is its cover
    return { ...facts, poster: await this.poster(path, mime) };
  }

  /** A frame of a video of a type that was found by its content; undefined without ffmpeg, and when there is none. */
  async poster(path: string, mime: string): Promise<Video['poster']> {
    const frame = await this.ffmpeg.poster(path, mime);
    try {
      return frame && (await this.images.poster(frame));
    } catch (error) {
      if (error instanceof UnreadableMedia) return undefined; // a video is worth keeping without its poster
      throw error;
    }
  }

  private async facts(path: string, mime: string): Promise<MediaFacts> {
    const facts = await this.cleaning.run(() => cleanMedia(path, mime));
    if (mime.endsWith('/webm')) return readWebm(path);
    return facts ?? (await this.ffmpeg.facts(path, mime)) ?? {};
  }
}

function soundOf({ duration, isSound = false }: MediaFacts): Video {
  return { duration, ...(isSound ? { isSound } : {}), poster: undefined };
}

/** Headers may say anything; what no video can be is left out. */
function plausible({ width = 0, height = 0, duration = 0, isSound = false }: MediaFacts): MediaFacts {
  const isSize = [width, height].every((side) => side > 0 && side <= LONGEST_SIDE);
  const isDuration = duration > 0 && duration <= LONGEST_SECONDS;
  return { ...(isSize ? { width, height } : {}), ...(isDuration ? { duration } : {}), ...(isSound ? { isSound } : {}) };
}
