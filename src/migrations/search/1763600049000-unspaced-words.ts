import { ForwardOnly } from '../forward-only.js';

/**
 * Scripts that put no spaces between words, or hang endings to them: Thai, Lao, Burmese, Khmer, Kana, Bopomofo, Han, Hangul.
 * Without spaces a whole sentence was one word of the index, and nothing but this sentence found it. Writes the table anew.
 */
const UNSPACED = String.raw`[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3040-\u30FF\u3100-\u312F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U000323AF]`;

/** Makes each of their characters a word, so that phrases of characters find parts of a sentence. */
export class UnspacedWords1763600049000 extends ForwardOnly {
  readonly name = 'UnspacedWords1763600049000';
  protected readonly statements = String.raw`
    alter table statuses
      drop column tsv,
      add column tsv tsvector generated always as (
        to_tsvector('svc', regexp_replace(spoiler || ' ' || content_text, '(${UNSPACED})', ' \1 ', 'g'))) stored;
    create index statuses_tsv on statuses using gin (tsv) with (fastupdate = on);
  `;
}
