import { Inject, Injectable } from '@nestjs/common';
import { groupBy, Json, NotFound, tagUrl, unique } from '../../common/index.js';
import { ENV, type Env } from '../../platform/index.js';
import { HISTORY_DAYS, type TagDayRow, TagRepository, type TagRow } from './tag.repository.js';
import type { TagJson } from './tag.shape.js';

const DAY_MS = 86_400_000;

/** Renders hashtags (reference Tag): two statements for any number of them, one for anonymous viewers. */
@Injectable()
export class TagView {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly repository: TagRepository,
  ) {}

  /** Keeps the order of the tags. */
  async many(tags: readonly TagRow[], viewerId: string | undefined): Promise<Json[]> {
    if (tags.length === 0) return [];
    const ids = unique(tags.map(({ id }) => id));
    const [days, followed] = await Promise.all([
      this.repository.days(ids),
      viewerId === undefined ? new Set<string>() : this.repository.followed(viewerId, ids),
    ]);
    const byTag = groupBy(days, (day) => day.hashtagId);
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    return tags.map(({ id, name }) =>
      Json.of({
        id,
        name,
        url: tagUrl(this.env.baseUrl, name),
        history: historyOf(byTag.get(id) ?? [], today),
        following: followed.has(id),
        featuring: false,
      } satisfies TagJson),
    );
  }

  async one(tag: TagRow, viewerId: string | undefined): Promise<Json> {
    const [json] = await this.many([tag], viewerId);
    if (!json) throw new NotFound();
    return json;
  }
}

function historyOf(days: readonly TagDayRow[], today: number): TagJson['history'] {
  const byDay = new Map(days.map((day) => [Date.parse(day.day), day]));
  return Array.from({ length: HISTORY_DAYS }, (_, ago) => {
    const day = today - ago * DAY_MS;
    const { uses = 0, accounts = 0 } = byDay.get(day) ?? {};
    return { day: String(day / 1_000), uses: String(uses), accounts: String(accounts) };
  });
}
