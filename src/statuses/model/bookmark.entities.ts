import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A status that an account keeps for itself. Lists of bookmarks page by this row's id. */
@Entity('bookmarks')
export class Bookmark {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** One of the account's own, as the database demands. */
  @Column({ type: 'text', name: 'folder_id', collation: 'C', nullable: true })
  folderId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** Where an account puts some of its bookmarks. */
@Entity('bookmark_folders')
export class BookmarkFolder {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** The account has no other folder of this name. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  emoji: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A post that its author puts at the top of the profile. */
@Entity('pins')
export class Pin {
  @PrimaryColumn({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** The author of the status. */
  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
