import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A custom emoji of this server, which people write as `:shortcode:` (spec §2.6). */
@Entity('custom_emojis')
export class CustomEmoji {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  shortcode: string;

  /** The name of the pack's folder. */
  @Column({ type: 'text', collation: 'C' })
  pack: string;

  /** The file name of the picture in the pack. */
  @Column({ type: 'text', collation: 'C' })
  file: string;

  /** The category in pickers; null for the pack's own. */
  @Column({ type: 'text', nullable: true })
  category: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  tags: string[];

  @Column({ type: 'boolean', name: 'visible_in_picker', default: true })
  visibleInPicker: boolean;

  /** Whether an operator has disabled it: it is neither shown nor usable. */
  @Column({ type: 'boolean', default: false })
  disabled: boolean;

  @Column({ type: 'timestamptz', name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
