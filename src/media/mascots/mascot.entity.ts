import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which of its uploads an account chose for its mascot. One that is replaced goes with the next sweep of uploads. */
@Entity('mascots')
export class Mascot {
  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'bigint', name: 'attachment_id' })
  attachmentId: string;
}
