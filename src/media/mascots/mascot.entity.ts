import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The upload that an account chose as its mascot. The next sweep removes a replaced one. */
@Entity('mascots')
export class Mascot {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'bigint', name: 'attachment_id' })
  attachmentId: string;
}
