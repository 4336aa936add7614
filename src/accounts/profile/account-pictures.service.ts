import { Injectable } from '@nestjs/common';
import { FieldProblems, NotFound, type UploadedFile } from '../../common/index.js';
import { MediaUrls, type PictureUse, ProfilePicturesService, type StoredPicture } from '../../media/index.js';
import { Events, UnitOfWork } from '../../platform/index.js';
import { type AccountChanges, AccountRepository } from '../model/account.repository.js';
import { AccountUpdated } from '../model/accounts.events.js';

/** New pictures of an account: null removes one, undefined keeps it. */
export type PictureFiles = { readonly [Use in PictureUse]?: UploadedFile | null | undefined };

/** The new pictures after storage. */
export type NewPictures = ReadonlyMap<PictureUse, StoredPicture | null>;

const COLUMNS = { avatar: 'avatarUrl', header: 'headerUrl', background: 'backgroundUrl' } as const satisfies Record<
  PictureUse,
  keyof AccountChanges
>;
/** The description of a picture does not apply to the next one. */
const DESCRIPTIONS = { avatar: 'avatarDescription', header: 'headerDescription' } as const;

/** The pictures as `update_credentials` names them. */
const FIELDS = { avatar: 'avatar', header: 'header', background: 'svc_background_image' } as const;

const USES = Object.keys(COLUMNS) as PictureUse[];

/** Avatars, headers and backgrounds of local accounts (spec §4.2, §4.3). */
@Injectable()
export class AccountPicturesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly events: Events,
    private readonly accounts: AccountRepository,
    private readonly pictures: ProfilePicturesService,
    private readonly urls: MediaUrls,
  ) {}

  /**
   * Changes or removes one picture; returns its address.
   * @throws Unprocessable when the file is no picture, Unavailable when the disk is nearly full, NotFound for no account
   */
  async change(accountId: string, use: PictureUse, file: UploadedFile | null): Promise<string | null> {
    const stored = await this.store(accountId, { [use]: file });
    await this.uow.run(async () => {
      if (!(await this.accounts.update(accountId, await this.replace(accountId, stored)))) throw new NotFound();
      this.events.emit(new AccountUpdated(accountId, true));
    });
    const picture = stored.get(use);
    return picture ? this.urls.absolute(picture.path) : null;
  }

  /**
   * Stores new pictures, before the unit of work that gives them to the account.
   * @throws FieldsRefused naming every file that is no picture, Unavailable when the disk is nearly full
   */
  async store(accountId: string, files: PictureFiles): Promise<NewPictures> {
    const stored = new Map<PictureUse, StoredPicture | null>();
    const problems = new FieldProblems();
    for (const use of USES) {
      const file = files[use];
      const store = async () => stored.set(use, file ? await this.pictures.store(accountId, file, use) : null);
      if (file !== undefined) await problems.check(FIELDS[use], store);
    }
    problems.throwIfAny();
    return stored;
  }

  /**
   * Claims stored pictures in the open unit of work and drops the previous ones with their descriptions; returns the
   * columns to write.
   */
  async replace(accountId: string, stored: NewPictures): Promise<AccountChanges> {
    if (stored.size === 0) return {};
    const former = await this.accounts.lockPictures(accountId);
    if (!former) throw new NotFound();
    const changes: AccountChanges = {};
    for (const [use, picture] of stored) {
      if (picture) await this.pictures.claim(picture);
      this.pictures.discard(former[use]);
      changes[COLUMNS[use]] = picture?.path ?? null;
      if (use !== 'background') changes[DESCRIPTIONS[use]] = '';
    }
    return changes;
  }
}
