import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';

/** A custom emoji as it is stored. */
export interface CustomEmojiRow {
  readonly shortcode: string;
  readonly pack: string;
  readonly file: string;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly visible_in_picker: boolean;
  readonly disabled: boolean;
  readonly updated_at: string;
}

const COLUMNS = 'shortcode, pack, file, category, tags, visible_in_picker, disabled, updated_at';

/** All SQL on `custom_emojis`. */
@Injectable()
export class CustomEmojiRepository {
  constructor(private readonly db: Database) {}

  /** All of them, also those that are disabled, by their names. */
  all(): Promise<CustomEmojiRow[]> {
    return this.db.query(`select ${COLUMNS} from custom_emojis order by shortcode`);
  }
}
