import { Injectable } from '@nestjs/common';
import {
  isLongerThan,
  keyBy,
  NotFound,
  phrase,
  TextPolicies,
  Unprocessable,
  type UploadedFile,
} from '../../common/index.js';
import { Settings } from '../../config/index.js';
import { DAILY, Events, isBigintId, isStorageKey, Recurs, UnitOfWork, repeatSlices } from '../../platform/index.js';
import { AttachmentRepository, type RemoteAttachment, type RemovedFiles } from '../model/attachment.repository.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import { AttachmentDescribed } from '../model/media.events.js';
import { MediaFilesService } from '../storage/media-files.service.js';
import { MediaReader } from '../storage/media-reader.js';

/** Unposted uploads are removed after this many hours. */
const KEPT_HOURS = 24;
const SWEPT_AT_ONCE = 500;

/** Changes of an attachment's description and cover. */
export interface AttachmentChanges {
  readonly description?: string | undefined;
  /** A picture for a video or a recording. */
  readonly cover?: UploadedFile | null | undefined;
}

/** The options of an upload. */
export type UploadOptions = AttachmentChanges & { readonly description: string };

/** Manages uploads and the attachments of posts. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly settings: Settings,
    private readonly policies: TextPolicies,
    private readonly attachments: AttachmentRepository,
    private readonly reader: MediaReader,
    private readonly files: MediaFilesService,
  ) {}

  /**
   * Stores an upload. A cover stands for a video or a recording; pictures ignore it.
   * @throws Unprocessable when it is no picture, video or recording, the cover is no picture, or the description is too
   * long or refused by a policy; Unavailable when the disk is nearly full
   */
  async upload(accountId: string, file: UploadedFile, { description, cover }: UploadOptions): Promise<AttachmentRow> {
    await this.requireDescriptions(accountId, [description]);
    await this.files.requireRoom();
    return this.files.storeUpload(accountId, await this.reader.read(file.path, cover?.path), description);
  }

  /** @throws NotFound also for uploads of other accounts (threat V8) */
  async own(id: string, accountId: string): Promise<AttachmentRow> {
    const [row] = (await this.ownByIds([id], accountId)).values();
    if (!row) throw new NotFound();
    return row;
  }

  /** The uploads of the account among some, by id. */
  async ownByIds(ids: readonly string[], accountId: string): Promise<Map<string, AttachmentRow>> {
    const valid = ids.filter(isBigintId);
    return keyBy(valid.length === 0 ? [] : await this.attachments.own(valid, accountId), ({ id }) => id);
  }

  /**
   * Changes the description of an upload at any time, and the cover of a video or a recording until it is posted.
   * @throws NotFound also for uploads of other accounts; Unprocessable as {@link upload}, and for the cover of a posted
   * file; Unavailable
   */
  async change(id: string, accountId: string, { description, cover }: AttachmentChanges): Promise<AttachmentRow> {
    if (description !== undefined) await this.requireDescriptions(accountId, [description]);
    const { type } = await this.own(id, accountId);
    const shown = cover && type !== 'image' ? await this.storeCover(accountId, cover) : undefined;
    return this.uow.run(async () => {
      if (shown) await this.show(id, accountId, shown);
      return description === undefined ? this.own(id, accountId) : this.describe(id, accountId, description);
    });
  }

  /**
   * Removes an upload that is in no post, nor in an earlier version of one, and used for nothing else.
   * @throws NotFound also for uploads of other accounts; Unprocessable for one that is in use
   */
  async removeOwn(id: string, accountId: string): Promise<void> {
    await this.uow.run(async () => {
      const found = isBigintId(id) ? await this.attachments.removeOwn(id, accountId) : undefined;
      if (!found) throw new NotFound();
      if (!found.removed) throw new Unprocessable('The file is in use');
      this.files.discard(found.keys);
    });
  }

  /**
   * Changes the descriptions of the account's uploads, by id, that are in `among`; returns whether any changed.
   * @throws Unprocessable when a description is too long or refused by a policy
   */
  async redescribe(
    accountId: string,
    descriptions: ReadonlyMap<string, string>,
    among: readonly string[],
  ): Promise<boolean> {
    await this.requireDescriptions(accountId, [...descriptions.values()]);
    const wanted = new Map([...descriptions].filter(([id]) => isBigintId(id) && among.includes(id)));
    return wanted.size > 0 && (await this.attachments.describeAll(accountId, wanted)) > 0;
  }

  /**
   * Changes the descriptions of the account's unposted uploads, by id; all other uploads are left out.
   * @throws Unprocessable when a description is too long or refused by a policy
   */
  async describeUnposted(accountId: string, descriptions: ReadonlyMap<string, string>): Promise<void> {
    await this.requireDescriptions(accountId, [...descriptions.values()]);
    const wanted = new Map([...descriptions].filter(([id]) => isBigintId(id)));
    if (wanted.size > 0) await this.attachments.describeAll(accountId, wanted, true);
  }

  /** The sizes of the files in bytes, by id, for callers that have checked access. */
  async sizes(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = ids.length === 0 ? [] : await this.attachments.sizes(ids);
    return new Map(rows.map(({ id, size }) => [id, size]));
  }

  /**
   * The account's unposted uploads, in the order of the ids.
   * @throws Unprocessable unless it is all of them
   */
  async unattached(accountId: string, ids: readonly string[]): Promise<AttachmentRow[]> {
    const rows = ids.every(isBigintId) ? await this.attachments.unattached(accountId, ids) : [];
    requireAll(ids, rows.length);
    return rows;
  }

  /**
   * Attaches uploads to a post that the open unit of work stores. One upload goes to one post only.
   * @throws Unprocessable unless all of them are unposted uploads of the account (threat M6)
   */
  async attach(statusId: string, accountId: string, ids: readonly string[]): Promise<void> {
    const attached = ids.every(isBigintId) ? await this.attachments.attach(statusId, accountId, ids) : 0;
    requireAll(ids, attached);
  }

  /** Attaches files of another server to a post that the open unit of work stores. */
  async attachRemote(statusId: string, accountId: string, files: readonly RemoteAttachment[]): Promise<void> {
    await this.attachments.insertRemote({ statusId }, accountId, files);
  }

  /**
   * Attaches an upload to a chat message that the open unit of work stores.
   * @throws Unprocessable as {@link attach}
   */
  async attachToMessage(messageId: string, accountId: string, id: string): Promise<void> {
    requireAll([id], isBigintId(id) && (await this.attachments.send(messageId, accountId, id)) ? 1 : 0);
  }

  /** Attaches a file of another server to a chat message that the open unit of work stores. */
  async attachRemoteToMessage(messageId: string, accountId: string, file: RemoteAttachment): Promise<void> {
    await this.attachments.insertRemote({ messageId }, accountId, [file]);
  }

  /** Removes the attachment of a chat message that the open unit of work deletes. */
  async removeOfMessage(messageId: string): Promise<void> {
    this.files.discard(await this.attachments.removeSent(messageId));
  }

  /**
   * Reserves uploads for a scheduled post: no other post gets them, and the sweep leaves them.
   * @throws Unprocessable as {@link attach}
   */
  async reserve(scheduledId: string, accountId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const reserved = ids.every(isBigintId) ? await this.attachments.reserve(scheduledId, accountId, ids) : 0;
    requireAll(ids, reserved);
  }

  /**
   * Replaces or reorders the attachments of a post that the open unit of work edits. Removed ones become uploads again,
   * which earlier versions of the post show.
   * @throws Unprocessable as {@link attach}
   */
  async replace(statusId: string, accountId: string, ids: readonly string[]): Promise<void> {
    await this.setAside(statusId);
    if (ids.length > 0) await this.attach(statusId, accountId, ids);
  }

  /** Returns the attachments of a post to their uploader, for another post within a day. */
  async release(statusId: string): Promise<void> {
    await this.attachments.release(statusId);
  }

  /** Leaves uploads that a scheduled post had to their uploader, for another post within a day. */
  async renew(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.attachments.renew(ids);
  }

  /** Takes the attachments from a post that the open unit of work edits, for its history. */
  async setAside(statusId: string): Promise<void> {
    await this.attachments.setAside(statusId);
  }

  /** Removes the attachments of posts that the open unit of work deletes, and those of their earlier versions. */
  async removeOf(statusIds: readonly string[]): Promise<void> {
    if (statusIds.length > 0) this.files.discard(await this.attachments.removeOf(statusIds));
  }

  /** Removes stored files, by their keys, but for those of an attachment. Joins the open unit of work. */
  async discardUnused(files: readonly string[]): Promise<void> {
    const keys = files.filter(isStorageKey);
    if (keys.length > 0) this.files.discard(await this.attachments.unusedKeys(keys));
  }

  /** Removes the unposted uploads of a deleted account, in batches. Safe to run twice. */
  removeAll(accountId: string): Promise<void> {
    return this.removeSlices(() => this.attachments.removeFreeOf(accountId, SWEPT_AT_ONCE));
  }

  /** Removes uploads that were not posted within a day, and those of deleted accounts (threat M10). */
  @Recurs({ job: 'media.sweep', everyMinutes: DAILY })
  sweep(): Promise<void> {
    return this.removeSlices(() => this.attachments.removeUnattached(KEPT_HOURS, SWEPT_AT_ONCE));
  }

  private removeSlices(remove: () => Promise<RemovedFiles>): Promise<void> {
    return repeatSlices(() =>
      this.uow.run(async () => {
        const { removed, keys } = await remove();
        this.files.discard(keys);
        return removed === SWEPT_AT_ONCE; // files of other servers have no keys
      }),
    );
  }

  private async describe(id: string, accountId: string, description: string): Promise<AttachmentRow> {
    const row = await this.attachments.describe(id, accountId, description);
    if (!row) throw new NotFound();
    const { statusId, former, at, isChanged } = row;
    if (statusId !== null && isChanged) this.events.emit(new AttachmentDescribed(statusId, accountId, former, at));
    return row;
  }

  /** Stores a cover, which counts as an unused upload until {@link show}. */
  private async storeCover(accountId: string, { path }: UploadedFile): Promise<AttachmentRow> {
    await this.files.requireRoom();
    return this.files.storeUpload(accountId, await this.reader.readCover(path), '');
  }

  private async show(id: string, accountId: string, cover: AttachmentRow): Promise<void> {
    const taken = await this.attachments.deleteFree(cover.id);
    const replaced = taken ? await this.attachments.show(id, accountId, cover) : undefined;
    if (!replaced) throw new Unprocessable('The file is already part of a post');
    if (replaced.thumbnailKey !== null) this.files.discard([replaced.thumbnailKey]);
  }

  private async requireDescriptions(accountId: string, descriptions: readonly string[]): Promise<void> {
    const most = this.settings.get('instance.description_limit');
    if (descriptions.some((description) => isLongerThan(most, description))) {
      throw new Unprocessable(phrase('The description is too long (maximum is {max} characters)', { max: most }));
    }
    await this.policies.requireAccepted(descriptions, accountId);
  }
}

function requireAll(ids: readonly string[], found: number): void {
  if (found === ids.length) return;
  throw new Unprocessable('Some of the media were not found, are not yours, or are already part of a post');
}
