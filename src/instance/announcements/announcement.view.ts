import { Inject, Injectable } from '@nestjs/common';
import { AccountsService, mentionJson, type MentionJson } from '../../accounts/index.js';
import { groupBy, Json, keyBy, tagUrl, unique } from '../../common/index.js';
import { EmojiCache, stillUrl } from '../../emoji/index.js';
import { Brand, ENV, type Env } from '../../platform/index.js';
import { AnnouncementRepository, type AnnouncementRow, type ReactionRow } from './announcement.repository.js';
import type { AnnouncementJson, AnnouncementReactionJson } from './announcement.shape.js';

type Mentions = AnnouncementJson['mentions'];

/** Announcements as JSON (spec §2.6). */
@Injectable()
export class AnnouncementView {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly brand: Brand,
    private readonly announcements: AnnouncementRepository,
    private readonly accounts: AccountsService,
    private readonly emoji: EmojiCache,
  ) {}

  /** Without a viewer, `read` and `me` are absent. */
  async many(rows: readonly AnnouncementRow[], viewerId?: string): Promise<Json[]> {
    if (rows.length === 0) return [];
    const [reactions, mentions] = await Promise.all([
      this.announcements.reactions(
        rows.map(({ id }) => id),
        viewerId,
      ),
      this.mentions(rows),
    ]);
    const byId = groupBy(reactions, ({ announcementId: id }) => id);
    return rows.map((row) => {
      const shown = (byId.get(row.id) ?? []).map((reaction) => this.reaction(reaction, viewerId));
      const mentioned = row.mentionIds.flatMap((id) => mentions.get(id) ?? []);
      return this.one(row, shown, mentioned);
    });
  }

  /** The active announcements among the ids, without a viewer. */
  async shared(ids: readonly string[]): Promise<ReadonlyMap<string, Json>> {
    if (ids.length === 0) return new Map();
    const rows = (await this.announcements.byIds(ids)).filter(({ active }) => active);
    const views = await this.many(rows);
    return new Map(rows.flatMap(({ id }, at) => (views[at] ? [[id, views[at]] as const] : [])));
  }

  /** The current state of reactions, for live updates. */
  async reactions(asked: readonly { announcementId: string; name: string }[]): Promise<Json[]> {
    if (asked.length === 0) return [];
    const ids = unique(asked.map(({ announcementId }) => announcementId));
    const rows = groupBy(await this.announcements.reactions(ids, undefined), ({ announcementId: id }) => id);
    return asked.map(({ announcementId, name }) => {
      const row = rows.get(announcementId)?.find((reaction) => reaction.name === name);
      return Json.of({ name, count: row?.count ?? 0, ...this.picture(name), announcement_id: announcementId });
    });
  }

  private one(row: AnnouncementRow, reactions: AnnouncementJson['reactions'], mentions: Mentions): Json {
    const announcement: Omit<AnnouncementJson, 'svc'> = {
      id: row.id,
      content: row.contentHtml,
      starts_at: row.startsAt,
      ends_at: row.endsAt,
      all_day: row.allDay,
      published_at: row.publishedAt,
      updated_at: row.updatedAt,
      published: true,
      ...(row.read === null ? {} : { read: row.read }),
      mentions,
      statuses: [],
      tags: row.tags.map((name) => ({ name, url: tagUrl(this.env.baseUrl, name) })),
      emojis: this.emoji.usedIn({ html: [row.contentHtml] }),
      reactions,
    };
    const svc: AnnouncementJson['svc'] = { raw_content: row.source };
    return Json.object({ ...announcement, [this.brand.word]: svc });
  }

  private reaction({ name, count, me }: ReactionRow, viewerId?: string): AnnouncementReactionJson {
    return { name, count, ...(viewerId === undefined ? {} : { me }), ...this.picture(name) };
  }

  private picture(name: string): Pick<AnnouncementReactionJson, 'url' | 'static_url'> {
    const url = this.emoji.urlOf(name);
    return url === null ? {} : { url, static_url: stillUrl(url) };
  }

  private async mentions(rows: readonly AnnouncementRow[]): Promise<ReadonlyMap<string, MentionJson>> {
    const ids = unique(rows.flatMap(({ mentionIds: mentioned }) => mentioned));
    if (ids.length === 0) return new Map();
    return keyBy((await this.accounts.byIds(ids)).map(mentionJson), ({ id }) => id);
  }
}
