import { Inject, Injectable } from '@nestjs/common';
import { contextUri, Forbidden, NotFound, objectUri } from '../../common/index.js';
import { AnonymousAccess } from '../../config/index.js';
import { bigintKeyset, ENV, type Env, FIRST_ID, LAST_ID } from '../../platform/index.js';
import { Activities } from '../render/activities.js';
import { documentContext, synchronizationOf } from '../wire/uris.js';
import { type CollectionOwner, CollectionsRepository, type OutboxRow } from './collections.repository.js';
import { DocumentsService } from './documents.service.js';
import { FollowersDigestRepository } from './followers-digest.repository.js';

type Document = Record<string, unknown>;

/** A page of accounts: those below the id of a follow, or those with a number, by which older addresses name it. */
export interface AccountsPage {
  readonly below?: string | undefined;
  readonly number?: number | undefined;
}

const ACCOUNTS_ON_PAGE = 10;
const POSTS_ON_PAGE = 20;
const LINKS_ON_PAGE = 100;
const MOST_FEATURED = 100;

/** Makes the collections that other servers fetch. Each has an overview, and pages by the parameter `page`. */
@Injectable()
export class CollectionsService {
  private readonly activities: Activities;

  constructor(
    private readonly repository: CollectionsRepository,
    private readonly documents: DocumentsService,
    private readonly followers: FollowersDigestRepository,
    private readonly anonymous: AnonymousAccess,
    @Inject(ENV) private readonly env: Env,
  ) {
    this.activities = new Activities(env.baseUrl);
  }

  /** The public and unlisted posts and boosts of an account. */
  async outbox(nickname: string, isPage: boolean, below = LAST_ID): Promise<Document> {
    const owner = await this.owner(nickname);
    const id = `${owner.apId}/outbox`;
    if (!isPage) return this.overview(id, owner.statusesCount, `${id}?page=true`);
    const rows = await this.repository.outbox(owner.id, this.env.handleDomain, below, POSTS_ON_PAGE);
    const last = rows.length === POSTS_ON_PAGE ? rows.at(-1) : undefined;
    const self = below === LAST_ID ? `${id}?page=true` : `${id}?page=true&max_id=${below}`;
    const next = last && `${id}?page=true&max_id=${last.id}`;
    return this.page(
      self,
      id,
      rows.map((row) => this.published(row, owner.apId)),
      next,
    );
  }

  /**
   * The followers of an account, or the accounts that it follows. Hidden ones have no pages, and no number where it is
   * hidden too. A page whose number is too high is empty. Readers without a signature get no profiles that are for members
   * only.
   * @throws Forbidden for a page of hidden ones
   */
  async related(
    which: 'followers' | 'following',
    nickname: string,
    isSigned: boolean,
    page?: AccountsPage,
  ): Promise<Document> {
    const owner = await this.owner(nickname);
    const id = `${owner.apId}/${which}`;
    const { isHidden, count } = relationsOf(owner, which);
    const first = `${id}?page=true`;
    if (!page) return this.overview(id, count, isHidden ? undefined : first);
    if (isHidden) throw new Forbidden();
    const { below, number } = page;
    const offset = ((number ?? 1) - 1) * ACCOUNTS_ON_PAGE;
    const keyset = bigintKeyset({ max_id: below, offset, limit: ACCOUNTS_ON_PAGE + 1 }); // one more: there is a next page
    const listed = this.anonymous.listedProfiles(isSigned ? owner.id : '');
    const rows = await this.repository.related(which, owner.id, keyset, offset, listed);
    const shown = rows.slice(0, ACCOUNTS_ON_PAGE);
    const last = rows.length > ACCOUNTS_ON_PAGE ? shown.at(-1) : undefined;
    const self = number === undefined ? first : `${id}?page=${number}`;
    return this.page(
      below === undefined ? self : `${first}&max_id=${below}`,
      id,
      shown.map(({ apId }) => apId),
      last && `${first}&max_id=${last.id}`,
      count,
    );
  }

  /** The followers of an account on one host. */
  async followersOn(nickname: string, host: string): Promise<Document> {
    const owner = await this.owner(nickname);
    const items = await this.followers.followersOn(owner.id, host);
    return { ...this.overview(synchronizationOf(owner.apId), items.length, undefined), orderedItems: items };
  }

  /** The posts at the top of a profile. */
  async featured(nickname: string): Promise<Document> {
    const owner = await this.owner(nickname);
    const posts = await this.repository.featured(owner.id, this.env.handleDomain, MOST_FEATURED);
    const items = posts.map((post) => ({ ...this.documents.noteBody(post), '@context': undefined }));
    const overview = this.overview(`${owner.apId}/collections/featured`, items.length, undefined);
    return { ...overview, orderedItems: items };
  }

  /** The public and unlisted posts of a conversation, the oldest first. Throws NotFound when there are none. */
  async context(uuid: string, isPage: boolean, above = FIRST_ID): Promise<Document> {
    const id = contextUri(this.env.baseUrl, uuid);
    const rows = await this.repository.context(id, above, isPage ? LINKS_ON_PAGE : 1);
    if (rows.length === 0 && above === FIRST_ID) throw new NotFound('Not found');
    return isPage ? this.links(id, rows, above) : this.overview(id, undefined, `${id}?page=true`);
  }

  /**
   * The public and unlisted replies to a public or unlisted local post, the oldest first. Throws NotFound for all other
   * posts.
   */
  async replies(uuid: string, isPage: boolean, above = FIRST_ID): Promise<Document> {
    const uri = this.noteUri(uuid);
    const id = `${uri}/replies`;
    const statusId = await this.repository.openStatus(uri);
    if (statusId === undefined) throw new NotFound('Not found');
    if (!isPage) return this.overview(id, undefined, `${id}?page=true`);
    return this.links(id, await this.repository.replies(statusId, above, LINKS_ON_PAGE), above);
  }

  /** The address of a post. */
  noteUri(uuid: string): string {
    return objectUri(this.env.baseUrl, uuid);
  }

  /** A page with the ids of posts. */
  private links(id: string, rows: readonly { id: string; uri: string }[], above: string): Document {
    const last = rows.length === LINKS_ON_PAGE ? rows.at(-1) : undefined;
    const self = above === FIRST_ID ? `${id}?page=true` : `${id}?page=true&min_id=${above}`;
    const uris = rows.map(({ uri }) => uri);
    return this.page(self, id, uris, last && `${id}?page=true&min_id=${last.id}`);
  }

  private async owner(nickname: string): Promise<CollectionOwner> {
    const owner = await this.repository.owner(nickname);
    if (!owner) throw new NotFound('Not found');
    return owner;
  }

  private published(row: OutboxRow, actor: string): Document {
    const { reblogged: object, rebloggedAuthor: author } = row;
    const activity =
      object === null || author === null
        ? this.activities.create(this.documents.noteBody(row))
        : this.documents.announcement({ ...row, actor, object, author });
    return { ...activity, '@context': undefined };
  }

  private overview(id: string, totalItems: number | undefined, first: string | undefined): Document {
    return { '@context': documentContext(this.env.baseUrl), id, type: 'OrderedCollection', totalItems, first };
  }

  private page(
    id: string,
    partOf: string,
    orderedItems: readonly unknown[],
    next: string | undefined,
    totalItems?: number,
  ): Document {
    const context = { '@context': documentContext(this.env.baseUrl) };
    return { ...context, id, type: 'OrderedCollectionPage', partOf, totalItems, next, orderedItems };
  }
}

function relationsOf(owner: CollectionOwner, which: 'followers' | 'following'): { isHidden: boolean; count?: number } {
  const [isHidden, hidesCount, count] =
    which === 'followers'
      ? [owner.hideFollowers, owner.hideFollowersCount, owner.followersCount]
      : [owner.hideFollows, owner.hideFollowsCount, owner.followingCount];
  return hidesCount ? { isHidden } : { isHidden, count };
}
