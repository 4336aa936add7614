import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Which replies a list shows: those to followees of the owner, those to members, or none. It always shows replies to
 * the owner and to oneself.
 */
export const REPLIES_POLICIES = ['followed', 'list', 'none'] as const;
export type RepliesPolicy = (typeof REPLIES_POLICIES)[number];

/** A named set of the owner and accounts that the owner follows, or has asked to, with a timeline of its own. */
@Entity('lists')
export class List {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text', name: 'replies_policy' })
  repliesPolicy: RepliesPolicy;

  /** Whether the members are left out of the owner's home timeline. */
  @Column({ type: 'boolean' })
  exclusive: boolean;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A member of a list. The row ends with the follow, or with the request for one. */
@Entity('list_members')
export class ListMember {
  /** Orders the pages of members. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'bigint', name: 'list_id' })
  listId: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** Null for the owner. */
  @Column({ type: 'bigint', name: 'follow_id', nullable: true })
  followId: string | null;
}
