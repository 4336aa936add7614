import { ForwardOnly } from '../forward-only.js';

/**
 * The times of the pages of posts, by which a search for a word with many uses reads only those of some time. Takes a
 * thousandth of the room of other indexes. A page with posts of several times is read for each of them.
 */
export class WordsByTime1764000280000 extends ForwardOnly {
  readonly name = 'WordsByTime1764000280000';
  protected readonly statements = `
    create index statuses_time on statuses using brin (id) with (autosummarize = on);
  `;
}
