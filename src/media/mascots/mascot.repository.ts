import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import { ATTACHMENT_COLUMNS, type AttachmentRow } from '../model/attachment.rows.js';

/** All SQL on `mascots`. */
@Injectable()
export class MascotRepository {
  constructor(private readonly db: Database) {}

  /** The account's mascot, if it chose one. */
  async ofAccount(accountId: string): Promise<AttachmentRow | undefined> {
    const [row] = await this.db.query<AttachmentRow>(
      `select ${ATTACHMENT_COLUMNS} from mascots join attachments m on m.id = mascots.attachment_id
       where mascots.account_id = $1`,
      [accountId],
    );
    return row;
  }

  /** Makes an upload the account's mascot, in place of another. */
  async save(accountId: string, attachmentId: string): Promise<void> {
    await this.db.query(
      `insert into mascots (account_id, attachment_id) values ($1, $2)
       on conflict (account_id) do update set attachment_id = excluded.attachment_id`,
      [accountId, attachmentId],
    );
  }
}
