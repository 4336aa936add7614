import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AccountActivated, AccountDeactivated, AccountsService, AccountUpdated } from '../../accounts/index.js';
import { isPlainObject, metaOfPage, readForeignDocument, UnreadableJson } from '../../common/index.js';
import {
  Asker,
  DAILY,
  ENV,
  type Env,
  Events,
  Handles,
  job,
  Jobs,
  knownUrl,
  Outbound,
  OutboundError,
  type OutboundRequest,
  Recurs,
  Subscribes,
  UnitOfWork,
  walkSlices,
} from '../../platform/index.js';
import { firstLink, type NamedAuthor, type Oembed, type PageCard, previewOf, webUrl } from '../model/page-card.js';
import type { PreviewCardRow } from '../rendering/preview-card.render.js';
import { PreviewCardRepository, type FreshRow } from './preview-card.repository.js';
import { charsetOf } from './charset.js';
import { PreviewCardChanged, StatusCreated, StatusEdited } from '../model/statuses.events.js';
import { StatusesService } from '../core/statuses.service.js';

/** Fetches the page of a card. */
export const FetchCard = job<{ cardId: string }>('cards.fetch', 'pages');
/** Makes all posts with a card show what it says now. */
export const ShowCard = job<{ cardId: string }>('cards.show-everywhere', 'fanout');

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
const MAX_OEMBED_BYTES = 64 * 1024;
const PAGES = ['text/html', 'application/xhtml+xml'];
/** A remote post reaches many servers at once, so the fetch waits for a random time (threat S9). In seconds. */
const SPREAD = { from: 1, to: 60 };

/** Manages the previews of linked pages (spec §10.18). Each page is fetched once for all posts. */
@Injectable()
export class PreviewCardsService {
  private readonly ownHost: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly uow: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly outbound: Outbound,
    private readonly asker: Asker,
    private readonly repository: PreviewCardRepository,
    private readonly statuses: StatusesService,
    private readonly accounts: AccountsService,
  ) {
    this.ownHost = knownUrl(env.baseUrl).host;
  }

  /**
   * The card of a post, or of the post that a boost boosts; undefined when it has none.
   * @throws NotFound when the viewer may not see it
   */
  async ofStatus(id: string, viewerId?: string): Promise<PreviewCardRow | undefined> {
    const status = await this.statuses.visible(id, viewerId);
    return this.repository.ofStatus(status.id);
  }

  /** The first page that a post links to, apart from mentions and hashtags; undefined when it must not be fetched. */
  async pageOf(html: string): Promise<string | undefined> {
    const link = await firstLink(html, this.ownHost);
    return link !== undefined && this.outbound.mayReach(link) ? link : undefined;
  }

  /** Attaches the card of a page to a new local post; enqueues a fetch of the page when one is due. */
  async attachNew(statusId: string, page: string): Promise<void> {
    const { id, isDue } = await this.repository.attachNew(statusId, page);
    if (isDue) this.haveAsked(id, 0);
  }

  /** Attaches the card of the first page that a post links to now; enqueues a fetch of the page when one is due. */
  @Subscribes(StatusEdited, { job: 'cards.attach-again', queue: 'fanout' })
  @Subscribes(StatusCreated, {
    job: 'cards.attach',
    queue: 'fanout',
    when: ({ hasLinks, local }) => hasLinks && !local, // local posts get theirs when they are created
  })
  async attach({ statusId, local }: Pick<StatusCreated, 'statusId' | 'local'>): Promise<void> {
    await this.uow.run(async () => {
      const html = await this.repository.content(statusId);
      if (html === undefined) return;
      const page = await this.pageOf(html);
      const isOther =
        page === undefined ? await this.repository.detach(statusId) : await this.attachTo(page, statusId, local);
      if (isOther) this.announce(await this.repository.show(statusId));
    });
  }

  /**
   * Fetches the page if it is due, and updates the posts that link to it. The page may be no longer due: after an
   * earlier job that stopped before it updated all posts, or when a post was written during the fetch. Then only
   * updates the posts that do not show the current content yet.
   */
  @Handles(FetchCard)
  async fetch({ cardId }: { cardId: string }): Promise<void> {
    const page = await this.repository.page(cardId);
    if (page === undefined) return;
    if (page.isDue && !(await this.read(cardId, page.url))) return;
    await this.showEverywhere({ cardId });
  }

  /** Has the cards of pages that name an account show it as it is now, or not at all. Safe to run twice. */
  @Subscribes(AccountUpdated, {
    job: 'cards.rename-author',
    queue: 'maintenance',
    when: ({ changesByline }) => changesByline,
  })
  @Subscribes(AccountDeactivated, { job: 'cards.hide-author', queue: 'maintenance' })
  @Subscribes(AccountActivated, { job: 'cards.show-author', queue: 'maintenance' })
  async nameAuthor({ accountId }: Pick<AccountUpdated, 'accountId'>): Promise<void> {
    await walkSlices('0', (after) =>
      this.uow.run(async () => {
        const { last, ids } = await this.repository.nameAuthor(accountId, after);
        for (const cardId of ids) this.jobs.enqueue(ShowCard, { cardId });
        return last;
      }),
    );
  }

  /** Updates the posts that do not show the current content of a card yet. */
  @Handles(ShowCard)
  async showEverywhere({ cardId }: { cardId: string }): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after;
      after = await this.uow.run(async () => {
        const { last, fresh } = await this.repository.showEverywhere(cardId, from);
        this.announce(fresh);
        return last;
      });
    }
  }

  /** Only recent posts are streamed again; for older posts the card changes at the next read. */
  private announce(fresh: readonly FreshRow[]): void {
    for (const { id, authorId, visibility } of fresh)
      this.events.emit(new PreviewCardChanged(id, authorId, visibility));
  }

  /** Returns whether the card has a preview. */
  private async read(cardId: string, url: string): Promise<boolean> {
    const { preview, author } = await this.preview(url);
    // Not in the unit of work that updates posts: all other code locks the post first, then its card.
    return this.uow.run(async () => {
      if (author) await this.repository.lockAuthor(author.accountId);
      return this.repository.save(cardId, preview, author);
    });
  }

  /** Deletes cards that no post shows any more. */
  @Recurs({ job: 'cards.purge', everyMinutes: DAILY, queue: 'upkeep' })
  async purge(): Promise<void> {
    await walkSlices('0', (after) => this.purgeSome(after));
  }

  private purgeSome(after: string): Promise<string | undefined> {
    return this.uow.run(async () => {
      const { last, ids } = await this.repository.lockUnused(after);
      await this.repository.removeUnused(ids);
      return last;
    });
  }

  private async attachTo(link: string, statusId: string, isLocal: boolean): Promise<boolean> {
    const { id, isDue } = await this.repository.claim(link);
    if (isDue) this.haveAsked(id, isLocal ? 0 : randomInt(SPREAD.from, SPREAD.to + 1));
    return this.repository.attach(statusId, id);
  }

  private haveAsked(cardId: string, afterSeconds: number): void {
    const runAt = new Date(Date.now() + afterSeconds * 1_000);
    this.jobs.enqueue(FetchCard, { cardId }, { key: `card:${cardId}`, runAt });
  }

  private async preview(url: string): Promise<{ preview: PageCard | null; author?: NamedAuthor | undefined }> {
    const page = await this.ask({ url, accept: PAGES });
    if (page === undefined) return { preview: null };
    const decoder = new TextDecoder(charsetOf(page.headers['content-type'] ?? '', page.body));
    const meta = await metaOfPage(decoder.decode(page.body));
    const preview = previewOf(page.url, meta, await this.oembed(webUrl(meta.oembed, page.url)));
    if (preview === null) return { preview };
    const { image } = preview;
    return {
      preview: { ...preview, image: image !== null && this.outbound.mayReach(image) ? image : null },
      author: await this.authorOf(meta.meta.get('fediverse:creator'), page.url),
    };
  }

  /** The account that a page names as its author. It is shown while it names the page's host in turn. */
  private async authorOf(handle: string | undefined, pageUrl: string): Promise<NamedAuthor | undefined> {
    const account = handle === undefined ? undefined : await this.accounts.stored(handle.trim());
    return account && { accountId: account.id, host: knownUrl(pageUrl).hostname };
  }

  private async oembed(url: string | undefined): Promise<Oembed> {
    const accept = ['application/json', 'text/json', 'application/json+oembed'];
    const answer = url === undefined ? undefined : await this.ask({ url, accept, maxBytes: MAX_OEMBED_BYTES });
    try {
      const parsed: unknown = answer && readForeignDocument(answer.body.toString('utf8'));
      return isPlainObject(parsed) ? parsed : {};
    } catch (error) {
      if (error instanceof UnreadableJson) return {};
      throw error;
    }
  }

  /**
   * Returns the response; undefined when the fetch fails.
   * @throws OutboundError while the host is asked much: then the page is fetched later
   */
  private async ask(request: OutboundRequest) {
    try {
      const answer = await this.asker.ask({ timeoutMs: TIMEOUT_MS, maxRedirects: MAX_REDIRECTS, ...request });
      return answer.status < 300 ? answer : undefined;
    } catch (error) {
      if (error instanceof OutboundError && error.kind !== 'busy') return undefined;
      throw error;
    }
  }
}
