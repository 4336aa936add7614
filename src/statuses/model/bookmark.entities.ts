import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A bookmark of an account. Lists of bookmarks are paged by this row's id. */
@Entity('bookmarks')
export class Bookmark {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  @Column({ type: 'text', name: 'status_id', collation: 'C' })
  statusId: string;

  /** A folder of the same account; a foreign key enforces this. */
  @Column({ type: 'text', name: 'folder_id', collation: 'C', nullable: true })
  folderId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A folder of bookmarks. */
@Entity('bookmark_folders')
export class BookmarkFolder {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  @Column({ type: 'text', name: 'account_id', collation: 'C' })
  accountId: string;

  /** Unique for the account. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  emoji: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}

/** A post pinned to the top of its author's profile. */
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
