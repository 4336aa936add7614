import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A custom emoji of this server, which people write as `:shortcode:` (spec §2.6). */
@Entity('custom_emojis')
export class CustomEmoji {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  shortcode: string;

  /** The pack that it is part of: the name of a folder. */
  @Column({ type: 'text', collation: 'C' })
  pack: string;

  /** Its picture: the name of a file there. */
  @Column({ type: 'text', collation: 'C' })
  file: string;

  /** Under which pickers show it; null for that of its pack. */
  @Column({ type: 'text', nullable: true })
  category: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  tags: string[];

  @Column({ type: 'boolean', name: 'visible_in_picker', default: true })
  visibleInPicker: boolean;

  /** Nobody uses it and nobody is shown it, until an operator changes their mind. */
  @Column({ type: 'boolean', default: false })
  disabled: boolean;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
