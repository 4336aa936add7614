import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import { Database, UnitOfWork } from '../../platform/index.js';
import { Attachment } from './attachment.entity.js';

/** An upload whose file is stored here. */
export type StoredUpload = Pick<Attachment, 'id' | 'mimeType'> & { readonly key: string };

/** The uploads in the order of their ids, for work on their files. Index: attachments_pkey. */
@Injectable()
export class StoredUploadsRepository {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly db: Database,
  ) {}

  /** The first upload after an id. */
  async next(after: string): Promise<StoredUpload | undefined> {
    const row = await this.uow.manager.findOne(Attachment, {
      select: { id: true, fileKey: true, mimeType: true },
      where: { id: MoreThan(after), fileKey: Not(IsNull()) },
      order: { id: 'ASC' },
    });
    return row?.fileKey ? { id: row.id, mimeType: row.mimeType, key: row.fileKey } : undefined;
  }

  /** Sets the size of a file, and locks its row until the unit ends, which may store the file; false when it is gone. */
  async resize({ id, key }: StoredUpload, size: number): Promise<boolean> {
    await this.db.allowLongRests();
    const { affected } = await this.uow.manager.update(Attachment, { id, fileKey: key }, { size: String(size) });
    return affected === 1;
  }
}
