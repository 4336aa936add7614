import { Injectable } from '@nestjs/common';
import { Invalid, listedTotal, phrase, searchedDomain } from '../../common/index.js';
import { Events, parseUrl, UnitOfWork } from '../../platform/index.js';
import { BannedMediaRepository } from './banned-media.repository.js';
import { MediaForgotten } from './proxy.events.js';
import { digestOf } from './proxy-cache.js';
import { ProxyUrls } from './proxy-urls.js';

/** A page of the banned files, with their total. */
export interface BannedPage {
  readonly urls: readonly string[];
  readonly count: number;
}

const MOST_AT_ONCE = 1_000;
const LONGEST_URL = 10_000;

/** Manages bans and refreshes of other servers' files (spec §4.1.7). */
@Injectable()
export class MediaBansService {
  constructor(
    private readonly repository: BannedMediaRepository,
    private readonly urls: ProxyUrls,
    private readonly uow: UnitOfWork,
    private readonly events: Events,
  ) {}

  has(url: string): Promise<boolean> {
    return this.repository.has(digestOf(url));
  }

  /** Banned URLs that contain a text, which may be a host as people write it, the newest first. */
  async page(text: string, limit: number, offset: number): Promise<BannedPage> {
    const query = searchedDomain(text);
    const [urls, counted] = await Promise.all([
      this.repository.page(query, limit, offset),
      this.repository.count(query),
    ]);
    return { urls, count: listedTotal(counted, { limit, offset, found: urls.length }) };
  }

  /**
   * Bans files and drops their cached copies. Proxy addresses stand for the files behind them.
   * @throws Invalid for invalid URLs, and for too many at once
   */
  async ban(urls: readonly string[]): Promise<void> {
    const files = this.files(urls);
    await this.uow.run(async () => {
      await this.repository.insert(files);
      this.forget(files);
    });
  }

  /** Lifts bans; returns how many there were. Throws Invalid like {@link ban}. */
  async unban(urls: readonly string[]): Promise<number> {
    const files = this.files(urls);
    return this.uow.run(async () => {
      const count = await this.repository.delete(files.map(({ digest }) => digest));
      this.forget(files);
      return count;
    });
  }

  /** Drops cached copies: the next viewer has the files fetched again. Throws Invalid like {@link ban}. */
  async purge(urls: readonly string[]): Promise<void> {
    const files = this.files(urls);
    await this.uow.run(() => {
      this.forget(files);
    });
  }

  private forget(files: readonly { readonly digest: string }[]): void {
    this.events.emit(new MediaForgotten(files.map(({ digest }) => digest)));
  }

  private files(urls: readonly string[]): { digest: string; url: string }[] {
    if (urls.length > MOST_AT_ONCE) throw new Invalid(phrase('There are more than {max} URLs', { max: MOST_AT_ONCE }));
    return urls.map((given) => {
      const url = parseUrl(this.urls.origin(given.trim()));
      if (!url || !/^https?:$/.test(url.protocol) || url.href.length > LONGEST_URL) {
        throw new Invalid(phrase('Not a URL: {text}', { text: given.slice(0, 200) }));
      }
      url.hash = '';
      return { digest: digestOf(url.href), url: url.href };
    });
  }
}
