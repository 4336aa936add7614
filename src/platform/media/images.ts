import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Semaphore } from '../memory/semaphore.js';
import { ImageProcess } from './image-process.js';
import type { ImageReply, ImageRequest, Miniature, Picture, Preview, PreviewSize } from './images.worker.js';
import { UnreadableMedia } from './media-facts.js';

export type { Miniature, Picture, PreviewSize };

/** Pixels of the largest picture that is read: those of a phone's 50 megapixel camera. */
export const MAX_PIXELS = 50 * 1024 * 1024;
/** A picture of 50 megapixels takes up to 560 MB while it is turned. */
const AT_ONCE = 2;
/** An idle process ends after this time, which frees its memory. */
const IDLE_MS = 10_000;

export interface ReadOptions {
  /** Longest side in pixels: stills that are larger are made smaller. */
  readonly maxSide?: number | undefined;
}

/** Reads and rewrites pictures, in processes of their own and never more than a few at once (threats M4, M9). */
@Injectable()
export class Images implements OnApplicationShutdown {
  private readonly semaphore = new Semaphore(AT_ONCE);
  private readonly idle = new Map<ImageProcess, NodeJS.Timeout>();

  /**
   * Reads a picture whose type was found by its content. Drops everything besides pixels and a colour profile (place,
   * author, bytes behind its end).
   * @throws UnreadableMedia
   */
  async read(path: string, mime: string, { maxSide }: ReadOptions = {}): Promise<Picture> {
    return (await this.ask({ input: path, mime, maxSide, maxPixels: MAX_PIXELS })) as Picture;
  }

  /**
   * A picture that stands for a video: a frame of it, as any picture this server reads.
   * @throws UnreadableMedia
   */
  async poster(frame: Buffer): Promise<Miniature> {
    return (await this.ask({ input: frame, maxPixels: MAX_PIXELS })) as Miniature;
  }

  /**
   * A smaller still of a picture of a type that was found by its content, as WebP.
   * @throws UnreadableMedia
   */
  async preview(path: string, mime: string, size: PreviewSize): Promise<Buffer> {
    const { preview } = (await this.ask({ input: path, mime, preview: size, maxPixels: MAX_PIXELS })) as Preview;
    return Buffer.from(preview); // as it comes from the other process
  }

  onApplicationShutdown(): void {
    for (const process of this.idle.keys()) this.end(process);
  }

  private async ask(request: ImageRequest): Promise<Picture | Miniature | Preview> {
    const reply = await this.semaphore.run(() => this.handled(request));
    if ('refused' in reply) throw new UnreadableMedia(reply.refused);
    return reply.found;
  }

  private async handled(request: ImageRequest): Promise<ImageReply> {
    const process = this.rested() ?? new ImageProcess();
    const reply = await process.ask(request);
    this.idle.set(process, setTimeout(() => this.end(process), IDLE_MS).unref());
    return reply;
  }

  /** A process that waits for work. */
  private rested(): ImageProcess | undefined {
    for (const [process, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(process);
      if (process.isAlive) return process;
    }
    return undefined;
  }

  private end(process: ImageProcess): void {
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
    process.end();
  }
}
