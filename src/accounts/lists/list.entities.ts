import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Whose answers a list shows: those to people the owner follows, those to its members, none. Answers to the owner and to
 * oneself are always shown.
 */
export const REPLIES_POLICIES = ['followed', 'list', 'none'] as const;
export type RepliesPolicy = (typeof REPLIES_POLICIES)[number];

/** Some of the people an account follows, read together. */
@Entity('lists')
export class List {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  /** The owner. */
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

/** Somebody on a list. Ends with the follow, however that ends: who is not followed is on no list. */
@Entity('list_members')
export class ListMember {
  /** Pages of members are ordered by it. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'bigint', name: 'list_id' })
  listId: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'bigint', name: 'follow_id' })
  followId: string;
}
