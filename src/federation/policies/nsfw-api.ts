import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/index.js';
import { Asker, knownUrl, Outbound, OutboundError, parseUrl } from '../../platform/index.js';
import { readDocument } from '../wire/values.js';

/** Pictures of one post about which the API is asked. */
const MOST_PICTURES = 4;
const BOUNDS = { requests: 1, ms: 5_000 };
const ANSWER_BYTES = 64 * 1024;
const REMEMBERED_BYTES = 8 * 1024 * 1024;
const ENTRY_OVERHEAD_BYTES = 200;
const REMEMBERED_MS = 3_600_000;
/** How long a picture passes after the API told no score. */
const FAILED_MS = 60_000;
/** Below every threshold. */
const NO_SCORE = -1;

/** The API of an operator's choice that scores pictures from 0 to 1: the higher, the surer it is that one is sensitive. */
@Injectable()
export class NsfwApi {
  /** By the addresses at which the API was asked. */
  private readonly scores = new LRUCache<string, number>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (_score, address) => 2 * address.length + ENTRY_OVERHEAD_BYTES,
    ttl: REMEMBERED_MS,
  });

  constructor(
    private readonly settings: Settings,
    private readonly asker: Asker,
    private readonly outbound: Outbound,
  ) {}

  /**
   * Whether the score of one of the first pictures reaches the threshold; one without a score does not. The API is only
   * told addresses that this server would fetch itself: it fetches them, and may reach what others may not.
   * @throws MustWait where nothing may be asked
   */
  async findsSensitive(pictures: readonly string[]): Promise<boolean> {
    const asked = pictures.slice(0, MOST_PICTURES).filter((picture) => this.isFetchable(picture));
    const scores = await Promise.all(asked.map((picture) => this.scoreOf(picture)));
    return scores.some((score) => score >= this.settings.get('mrf_nsfw_api.threshold'));
  }

  /** Never the API itself, which would fetch any address for the author. Browsers show pictures over plain http too. */
  private isFetchable(picture: string): boolean {
    const isOfApi = parseUrl(picture)?.host === knownUrl(this.settings.get('mrf_nsfw_api.url')).host;
    return !isOfApi && this.outbound.mayReach(picture.replace(/^http:/i, 'https:'));
  }

  private async scoreOf(picture: string): Promise<number> {
    const url = knownUrl(this.settings.get('mrf_nsfw_api.url'));
    url.searchParams.set('url', picture);
    const known = this.scores.get(url.href);
    if (known !== undefined) return known;
    this.asker.requireMayWait();
    const score = await this.ask(url.href);
    this.scores.set(url.href, score ?? NO_SCORE, score === undefined ? { ttl: FAILED_MS } : {});
    return score ?? NO_SCORE;
  }

  /**
   * Undefined when the API does not answer with a score. It is asked as for a request that somebody waits for: the number
   * of requests of jobs in an hour is limited, and all later pictures would pass.
   */
  private async ask(url: string): Promise<number | undefined> {
    const request = { url, maxBytes: ANSWER_BYTES, maxRedirects: 0 };
    try {
      const { status, body } = await this.asker.within(BOUNDS, () => this.asker.ask(request), 'request');
      const score = readDocument(body.toString())?.['score'];
      if (typeof score === 'number') return score;
      if (status < 400) this.outbound.report(request, 'The answer has no score');
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
    }
    return undefined;
  }
}
