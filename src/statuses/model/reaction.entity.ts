import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Maximum number of different emoji on one status: each rendering of it shows all of them. */
export const MAX_EMOJI = 100;

/** Maximum number of reactions to one status that are read to show it, so that one with very many costs no more. */
export const REACTION_SAMPLE = 1_000;

/** A reaction of an account to a status. */
@Entity('reactions')
export class Reaction {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The emoji, fully qualified; for a custom emoji its shortcode, with `@` and the domain of a remote server. */
  @Column({ type: 'text' })
  name: string;

  /** The image of a remote server's emoji. */
  @Column({ type: 'text', nullable: true })
  url: string | null;

  /** The id of the activity of a remote account. */
  @Column({ type: 'text', nullable: true })
  uri: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
