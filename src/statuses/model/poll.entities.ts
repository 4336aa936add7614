import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The poll of a post. */
@Entity('polls')
export class Poll {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** Null for remote polls that never end. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  /** Whether a voter may choose several options. */
  @Column({ type: 'boolean' })
  multiple: boolean;

  /** Whether the counts are hidden until the end. */
  @Column({ type: 'boolean', name: 'hide_totals' })
  hideTotals: boolean;

  /** Whether its server shows who voted for what. */
  @Column({ type: 'boolean', name: 'non_anonymous' })
  nonAnonymous: boolean;

  @Column({ type: 'int', name: 'voters_count' })
  votersCount: number;

  /** Whether its end was announced, by `PollClosed`. */
  @Column({ type: 'boolean' })
  closed: boolean;

  /** Whether the search index of the post includes its options. */
  @Column({ type: 'boolean' })
  counted: boolean;

  /** When its counts came or were asked for, if it is remote. */
  @Column({ type: 'timestamptz', name: 'fetched_at' })
  fetchedAt: Date;

  /** A moment after which its server counted so; null for polls here, and for those stored before this was known. */
  @Column({ type: 'timestamptz', name: 'counts_as_of', nullable: true })
  countsAsOf: Date | null;
}

/** An option of a poll. */
@Entity('poll_options')
export class PollOption {
  @PrimaryColumn({ type: 'bigint', name: 'poll_id' })
  pollId: string;

  /** From 0. */
  @PrimaryColumn({ type: 'smallint' })
  position: number;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'int', name: 'votes_count' })
  votesCount: number;
}

/** The vote of an account in a poll. */
@Entity('poll_votes')
export class PollVote {
  @PrimaryColumn({ type: 'bigint', name: 'poll_id' })
  pollId: string;

  @PrimaryColumn({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** Positions of options. */
  @Column({ type: 'smallint', array: true })
  choices: number[];

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
