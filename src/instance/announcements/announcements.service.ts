import { Injectable } from '@nestjs/common';
import { PlainTextFormatter } from '../../accounts/index.js';
import { codePointLength, fieldPhrase, isBlank, NotFound, phrase, Unprocessable } from '../../common/index.js';
import { EmojiCache } from '../../emoji/index.js';
import { Events, FlakeIds, Handles, job, Jobs, UnitOfWork } from '../../platform/index.js';
import { AnnouncementRepository, type AnnouncementRow, type AnnouncementValues } from './announcement.repository.js';
import {
  AnnouncementDeleted,
  AnnouncementEnded,
  AnnouncementPublished,
  AnnouncementReacted,
} from '../model/instance.events.js';

/** A new or changed announcement. In an update, undefined keeps a value, and null removes a date. */
export interface AnnouncementDraft {
  readonly content?: string | undefined;
  readonly startsAt?: Date | null | undefined;
  readonly endsAt?: Date | null | undefined;
  readonly allDay?: boolean | undefined;
}

type AnnouncementTimes = Pick<AnnouncementValues, 'startsAt' | 'endsAt' | 'allDay'>;

const MAX_LENGTH = 20_000;
/** Different reactions to one announcement (reference). */
const MAX_REACTIONS = 8;

/** The times are those of the announcement at the time of the job's creation. */
interface Planned {
  readonly announcementId: string;
  readonly startsAt: string | null;
  /** Undefined in jobs of earlier versions. */
  readonly endsAt?: string | null;
}

/** Publishes an announcement when it begins, and again when it ends. */
export const publishAnnouncement = job<Planned>('instance.publish-announcement', 'timed');

/** Manages announcements of the server's staff (spec §2.6). */
@Injectable()
export class AnnouncementsService {
  constructor(
    private readonly announcements: AnnouncementRepository,
    private readonly plain: PlainTextFormatter,
    private readonly ids: FlakeIds,
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly jobs: Jobs,
    private readonly emoji: EmojiCache,
  ) {}

  /** The active announcements, or those that an account has not dismissed: unread ones first, then the newest. */
  shownTo(accountId: string, { withDismissed = true } = {}): Promise<AnnouncementRow[]> {
    return this.announcements.shownTo(accountId, withDismissed);
  }

  /** All announcements in any state, the newest first, for administrators; as the viewer, if any, has read them. */
  page(limit: number, offset: number, viewerId: string | null = null): Promise<AnnouncementRow[]> {
    return this.announcements.page(limit, offset, viewerId);
  }

  /** An announcement in any state. Throws NotFound. */
  async byId(id: string, viewerId: string | null = null): Promise<AnnouncementRow> {
    const row = await this.announcements.byId(id, viewerId);
    if (!row) throw new NotFound();
    return row;
  }

  /**
   * Creates an announcement, which is published when it begins.
   * @throws Unprocessable for an empty or too long text, and an end that is not after the begin
   */
  async create(draft: AnnouncementDraft & { readonly content: string }): Promise<AnnouncementRow> {
    const id = this.ids.next();
    const values = { ...timesOf(draft), ...(await this.textOf(draft.content)) };
    return this.uow.run(async () => {
      await this.announcements.insert(id, values);
      this.publishLater(id, values);
      return this.byId(id);
    });
  }

  /** Changes an announcement, under its lock. Throws NotFound, and Unprocessable like {@link create}. */
  async update(id: string, draft: AnnouncementDraft): Promise<AnnouncementRow> {
    const text = draft.content === undefined ? {} : await this.textOf(draft.content);
    return this.uow.run(async () => {
      if (!(await this.announcements.lockAny(id))) throw new NotFound();
      const former = await this.byId(id);
      const values = { ...timesOf(draft, former), ...text };
      await this.announcements.update(id, values);
      this.publishLater(id, values, former.active);
      return this.byId(id);
    });
  }

  /** Deletes an announcement. Throws NotFound. */
  delete(id: string): Promise<void> {
    return this.uow.run(async () => {
      if (!(await this.announcements.delete(id))) throw new NotFound();
      this.events.emit(new AnnouncementDeleted(id));
    });
  }

  /** Publishes that an announcement has begun or ended, unless its times were changed meanwhile. */
  @Handles(publishAnnouncement)
  async publish({ announcementId: id, startsAt, endsAt }: Planned): Promise<void> {
    const row = await this.announcements.byId(id);
    if (!row || row.startsAt !== startsAt || (endsAt !== undefined && row.endsAt !== endsAt)) return;
    await this.uow.run(() => {
      this.events.emit(row.active ? new AnnouncementPublished(id) : new AnnouncementEnded(id));
    });
  }

  /** Marks an announcement as read. Throws NotFound unless it is active. */
  async dismiss(id: string, accountId: string): Promise<void> {
    if (!(await this.announcements.markRead(id, accountId))) throw new NotFound();
  }

  /**
   * Reacts to an announcement with an emoji, Unicode or custom.
   * @throws NotFound unless it is active, Unprocessable for other text and when too many other emoji are in use
   */
  async react(id: string, name: string, accountId: string): Promise<void> {
    await this.uow.run(async () => {
      if (!(await this.announcements.lock(id))) throw new NotFound();
      const emoji = this.emoji.reactionName(name);
      if (!emoji?.isOpen) throw new Unprocessable('name must be an emoji');
      const isNew = await this.announcements.addReaction(id, emoji.name, accountId, MAX_REACTIONS);
      if (isNew === undefined) {
        throw new Unprocessable(phrase('There cannot be more than {max} different reactions', { max: MAX_REACTIONS }));
      }
      if (isNew) this.events.emit(new AnnouncementReacted(id, emoji.name));
    });
  }

  /** Removes a reaction. Throws NotFound when there is none, or the announcement is not active. */
  async unreact(id: string, name: string, accountId: string): Promise<void> {
    await this.uow.run(async () => {
      const emoji = this.emoji.reactionName(name)?.name;
      const removed = emoji !== undefined && (await this.announcements.removeReaction(id, emoji, accountId));
      if (!removed) throw new NotFound();
      this.events.emit(new AnnouncementReacted(id, emoji));
    });
  }

  /** Plans jobs for its begin and its end; one at once for a shown one, which may no longer be shown. */
  private publishLater(announcementId: string, { startsAt, endsAt }: AnnouncementTimes, wasShown = false): void {
    const payload = {
      announcementId,
      startsAt: startsAt?.toISOString() ?? null,
      endsAt: endsAt?.toISOString() ?? null,
    };
    const now = new Date();
    for (const [which, runAt] of Object.entries({ begin: startsAt, end: endsAt })) {
      const key = `announcement:${announcementId}:${which}`;
      this.jobs.cancel(key);
      if (runAt && runAt > now) this.jobs.enqueue(publishAnnouncement, payload, { runAt, key });
    }
    if (wasShown || !startsAt || startsAt <= now) this.jobs.enqueue(publishAnnouncement, payload);
  }

  /** Not inside a unit of work: a long text may wait for others. */
  private async textOf(source: string): Promise<Omit<AnnouncementValues, keyof AnnouncementTimes>> {
    requireText(source);
    const { html, mentions, tags } = await this.plain.format(source);
    return { source, contentHtml: html, mentionIds: mentions, tags };
  }
}

function requireText(source: string): void {
  if (isBlank(source)) throw new Unprocessable('content must not be empty');
  if (codePointLength(source) <= MAX_LENGTH) return;
  throw new Unprocessable(fieldPhrase('content', phrase('must have at most {max} characters', { max: MAX_LENGTH })));
}

/** The given times, else the known ones. */
function timesOf(draft: AnnouncementDraft, known?: AnnouncementRow): AnnouncementTimes {
  const startsAt = timeOf(draft.startsAt, known?.startsAt);
  const endsAt = timeOf(draft.endsAt, known?.endsAt);
  if (startsAt && endsAt && startsAt >= endsAt) throw new Unprocessable('ends_at must be after starts_at');
  return { startsAt, endsAt, allDay: draft.allDay ?? known?.allDay ?? false };
}

/** The given time; the known one if none is given. */
function timeOf(given: Date | null | undefined, known: string | null = null): Date | null {
  if (given !== undefined) return given;
  return known === null ? null : new Date(known);
}
