import { Injectable } from '@nestjs/common';
import { isTag, NotFound, Page, type PageQuery, phrase, Unprocessable } from '../../common/index.js';
import {
  bigintKeyset,
  DAILY,
  Events,
  firstFlakeAt,
  newestFirst,
  OwnerLocks,
  Recurs,
  UnitOfWork,
  walkSlices,
  repeatSlices,
} from '../../platform/index.js';
import { type FollowedTagRow, HISTORY_DAYS, TagRepository, type TagRow } from './tag.repository.js';
import { TagSweepRepository } from './tag-sweep.repository.js';
import { TagFollowed, TagUnfollowed } from './tags.events.js';

/** Maximum number of tags that one account follows: each costs something when its home feed is rebuilt. */
const MAX_FOLLOWED = 200;
/** The id of a tag that nobody has used: no row has it. */
const UNUSED = '0';
const DAY_MS = 86_400_000;

/** Follows hashtags, and counts their use. */
@Injectable()
export class TagsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly locks: OwnerLocks,
    private readonly events: Events,
    private readonly tags: TagRepository,
    private readonly sweeping: TagSweepRepository,
  ) {}

  /**
   * A tag by its normalised name. One that only appears in posts the viewer may not see is like one that nobody has used
   * yet (threat V4).
   * @throws NotFound for what is no tag
   */
  async shown(name: string, viewerId = ''): Promise<TagRow> {
    if (!isTag(name)) throw new NotFound('Hashtag not found');
    return (await this.tags.shown(name, viewerId)) ?? { id: UNUSED, name };
  }

  /**
   * Follows a tag, which may be new to this server. Does nothing when the account already follows it.
   * @throws NotFound for an invalid name, Unprocessable when the account follows too many tags
   */
  async follow(accountId: string, name: string): Promise<TagRow> {
    if (!isTag(name)) throw new NotFound('Hashtag not found');
    return this.uow.run(async () => {
      const tag = await this.tags.ensure(name);
      const [, outcome] = await Promise.all([
        this.locks.lock('followed tags', accountId),
        this.tags.follow(accountId, tag.id, MAX_FOLLOWED),
      ]);
      if (outcome === 'full')
        throw new Unprocessable(phrase('You can follow {max} hashtags at most', { max: MAX_FOLLOWED }));
      if (outcome === 'followed') this.events.emit(new TagFollowed(accountId, tag.id));
      return tag;
    });
  }

  /**
   * Unfollows a tag. Does nothing when the account does not follow it.
   * @throws NotFound as {@link shown}
   */
  async unfollow(accountId: string, name: string): Promise<TagRow> {
    const tag = await this.shown(name, accountId);
    await this.uow.run(async () => {
      if (await this.tags.unfollow(accountId, tag.id)) this.events.emit(new TagUnfollowed(accountId, tag.id));
    });
    return tag;
  }

  /** @throws NotFound as {@link shown} */
  async isFollowed(accountId: string, name: string): Promise<boolean> {
    const { id } = await this.shown(name, accountId);
    return (await this.tags.followed(accountId, [id])).has(id);
  }

  /** The tags an account follows, paged by the ids of the follows. */
  async followedBy(accountId: string, query: PageQuery): Promise<Page<FollowedTagRow>> {
    const keyset = bigintKeyset(query);
    const rows = newestFirst(await this.tags.page(accountId, keyset, query.offset), keyset);
    const [first, last] = [rows.at(0), rows.at(-1)];
    return new Page(rows, first && last && { first: first.cursor, last: last.cursor });
  }

  /** Recounts the use of tags today and yesterday, because posts arrive late and get deleted. */
  @Recurs({ job: 'tags.count', everyMinutes: 10 })
  count(): Promise<void> {
    return this.recount(1);
  }

  /** Recounts the whole week and deletes older days. */
  @Recurs({ job: 'tags.count-week', everyMinutes: DAILY })
  async countWeek(): Promise<void> {
    await this.recount(HISTORY_DAYS - 1);
    await this.tags.forget();
  }

  /** Removes tags that no post has had and no account has followed for a month. */
  @Recurs({ job: 'tags.sweep', everyMinutes: DAILY, queue: 'upkeep' })
  async sweep(): Promise<void> {
    await walkSlices('0', (after) => this.uow.run(() => this.sweeping.mark(after)));
    await repeatSlices(() => this.uow.run(async () => (await this.sweeping.remove(await this.sweeping.lock())) > 0));
  }

  /**
   * Uses the clock of this process only: with a second clock, a day that begins at another time would lose its counts.
   */
  private recount(daysBack: number): Promise<void> {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const first = today - daysBack * DAY_MS;
    return this.tags.recount(firstFlakeAt(first), new Date(first).toISOString().slice(0, 'YYYY-MM-DD'.length));
  }
}
