import { Injectable } from '@nestjs/common';
import { Database, UnitOfWork, sql } from '../../platform/index.js';
import type { AttachmentRow } from '../model/attachment.rows.js';
import { ATTACHMENT_COLUMNS } from '../model/attachment.sql.js';
import { Mascot } from './mascot.entity.js';

const ofAccount = sql<AttachmentRow>(
  'mascots.of_account',
  `select ${ATTACHMENT_COLUMNS} from mascots join attachments m on m.id = mascots.attachment_id
   where mascots.account_id = $1`,
);

/** All SQL on `mascots`. */
@Injectable()
export class MascotRepository {
  constructor(
    private readonly db: Database,
    private readonly uow: UnitOfWork,
  ) {}

  /** The account's mascot, if it chose one. */
  ofAccount(accountId: string): Promise<AttachmentRow | undefined> {
    return this.db.first(ofAccount, [accountId]);
  }

  /** Makes an upload the account's mascot, replacing the former one. */
  async save(accountId: string, attachmentId: string): Promise<void> {
    await this.uow.manager.upsert(Mascot, { accountId, attachmentId }, ['accountId']);
  }
}
