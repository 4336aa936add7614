import { Injectable } from '@nestjs/common';
import { linksOfPage } from '../../common/index.js';
import {
  Asker,
  Bus,
  isPassingStatus,
  knownUrl,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  parseUrl,
  Recurs,
} from '../../platform/index.js';
import { REMOTE_INSTANCES_CHANGED } from '../model/accounts.channels.js';
import { type AskedHost, type DueHost, RemoteInstanceRepository } from './remote-instance.repository.js';

const EVERY_MINUTES = 10;
/** Servers that one run asks, all in parallel. */
const AT_ONCE = 16;
const EVERY_DAYS = 7;
const TIMEOUT_MS = 10_000;
const MAX_ICON_BYTES = 512 * 1024;
const MAX_ICON_URL = 1024;
/** Icons of a page that are tried. */
const MAX_NAMED = 3;
const ICONS = { rel: 'icon', elements: ['link'] };

/** The favicons of the servers that remote accounts live on (spec §2.1, `favicon`). */
@Injectable()
export class FaviconsService {
  constructor(
    private readonly asker: Asker,
    private readonly bus: Bus,
    private readonly hosts: RemoteInstanceRepository,
  ) {}

  /** Refreshes the favicons of some servers that are due: new ones, and those not asked for a week. */
  @Recurs({ job: 'accounts.refresh-favicons', everyMinutes: EVERY_MINUTES, queue: 'pages' })
  async refresh(): Promise<void> {
    await this.hosts.followAccounts();
    const due = await this.hosts.due(AT_ONCE);
    if (due.length === 0) return;
    const asked = await Promise.all(due.map((host) => this.ask(host)));
    await this.hosts.save(asked, EVERY_DAYS);
    const known = new Map(due.map(({ domain, faviconUrl }) => [domain, faviconUrl]));
    const isNews = ({ domain, faviconUrl, answered }: AskedHost) => answered && known.get(domain) !== faviconUrl;
    if (asked.some(isNews)) this.bus.publish(REMOTE_INSTANCES_CHANGED, {});
  }

  private async ask({ domain, apId }: DueHost): Promise<AskedHost> {
    const home = knownUrl('/', parseUrl(apId) ?? `https://${domain}`).href;
    const named = await this.namedBy(home);
    if (named === undefined) return { domain, faviconUrl: null, answered: false };
    for (const icon of [...named, knownUrl('/favicon.ico', home).href]) {
      if (await this.isIcon(icon)) return { domain, faviconUrl: icon, answered: true };
    }
    return { domain, faviconUrl: null, answered: true };
  }

  /** The icons that a server's front page names; undefined when the server does not answer. */
  private async namedBy(home: string): Promise<string[] | undefined> {
    const page = await this.answer({ url: home, accept: ['text/html', 'application/xhtml+xml'] });
    if (page === 'none') return undefined;
    if (page === 'other') return [];
    const icons = await linksOfPage(page.body.toString('utf8'), page.url, ICONS);
    return icons.filter((icon) => /^https?:/.test(icon) && icon.length <= MAX_ICON_URL).slice(0, MAX_NAMED);
  }

  private async isIcon(url: string): Promise<boolean> {
    const icon = await this.answer({ url, accept: ['image/*'], maxBytes: MAX_ICON_BYTES });
    return typeof icon === 'object' && icon.body.length > 0;
  }

  /** The document at an address; `other` for any other answer, `none` when the server does not answer. */
  private async answer(request: OutboundRequest): Promise<OutboundResponse | 'other' | 'none'> {
    try {
      const answer = await this.asker.ask({ ...request, timeoutMs: TIMEOUT_MS });
      if (isPassingStatus(answer.status)) return 'none';
      return answer.status < 300 ? answer : 'other';
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return error.kind === 'media-type' || error.kind === 'too-large' ? 'other' : 'none';
    }
  }
}
