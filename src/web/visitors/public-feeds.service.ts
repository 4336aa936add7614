import { Inject, Injectable } from '@nestjs/common';
import { Pages } from '../../common/index.js';
import { AttachmentsService } from '../../media/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { atom } from './atom.js';
import { type Feed, newestOf } from './feed.js';
import { rss } from './rss.js';
import { excerpt, type ShownStatus, tagPageUrl } from '../parts/shown.js';
import type { StatusPage } from '../parts/status.part.js';
import { VisitorsService } from './visitors.service.js';

/** The format of a feed. */
export type FeedFormat = 'atom' | 'rss';

const RENDERERS = { atom, rss };
const TITLE_LENGTH = 80;
const FIRST_DAY = '1970-01-01T00:00:00.000Z';

/** The subject of a feed. */
interface Subject extends Pick<Feed, 'id' | 'title' | 'subtitle' | 'pageUrl' | 'author'> {
  /** The time of the last change for an empty feed. */
  readonly since: string;
  /** Its path without format and page. */
  readonly path: string;
}

/** Writes feeds of public posts by account and by tag. They are the same for every reader, in the server's language. */
@Injectable()
export class PublicFeedsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly pages: Pages,
    private readonly visitors: VisitorsService,
    private readonly attachments: AttachmentsService,
  ) {}

  /**
   * The feed of a local account.
   * @throws NotFound
   */
  async ofAccount(nameOrId: string, format: FeedFormat, maxId: string | undefined): Promise<string> {
    const account = await this.visitors.account(nameOrId);
    const [page, { person, about }] = await Promise.all([
      this.visitors.feedOf(account, maxId),
      this.visitors.profile(account),
    ]);
    return this.write(page, format, maxId, {
      id: `${account.apId}/feed`,
      title: `${person.name} (@${person.handle})`,
      subtitle: about,
      since: account.createdAt,
      path: `${this.env.baseUrl}/users/${account.nickname}/feed`,
      pageUrl: person.url,
      author: person,
    });
  }

  /**
   * The feed of a tag.
   * @throws NotFound
   */
  async tagged(tag: string, format: FeedFormat, maxId: string | undefined): Promise<string> {
    const page = await this.visitors.tagged(tag, maxId);
    const url = tagPageUrl(this.env.baseUrl, page.name);
    return this.write(page, format, maxId, {
      id: url,
      title: `#${page.name} · ${this.pages.site.name}`,
      subtitle: '',
      since: FIRST_DAY,
      path: url,
      pageUrl: url,
      author: undefined,
    });
  }

  private async write(
    { posts, next }: StatusPage,
    format: FeedFormat,
    maxId: string | undefined,
    { since, path, ...subject }: Subject,
  ): Promise<string> {
    const sizes = await this.attachments.sizes(posts.flatMap(({ files }) => files.map(({ id }) => id)));
    const url = (cursor: string | undefined) => `${path}.${format}${cursor === undefined ? '' : `?max_id=${cursor}`}`;
    return RENDERERS[format]({
      ...subject,
      updatedAt: newestOf(posts) ?? since,
      url: url(maxId),
      nextUrl: next === undefined ? undefined : url(next),
      software: this.pages.site.software,
      entries: posts.map((post) => ({ post, title: this.titleOf(post), sizes })),
    });
  }

  /** The first words of a post in one line, or its content warning instead. */
  private titleOf({ warning, text, author }: ShownStatus): string {
    const words = excerpt(warning || text, TITLE_LENGTH);
    return words === '' ? this.pages.translator().text('post.untitled', { name: author.name }) : words;
  }
}
