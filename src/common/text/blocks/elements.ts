/** The elements that stand on lines of their own, by what becomes of them in posts. */

/** They stay. */
export const KEPT_BLOCKS: readonly string[] = 'blockquote li ol p pre ul'.split(' ');

/** They become bold paragraphs, as in Mastodon. */
export const HEADINGS: readonly string[] = 'h1 h2 h3 h4 h5 h6'.split(' ');

/** Lines remain of them. */
export const LOOSE_BLOCKS: readonly string[] =
  'address article aside caption center dd details dir div dl dt fieldset figcaption figure footer form header hgroup hr legend main menu nav section summary table tbody tfoot thead tr'.split(
    ' ',
  );

/** Spaces remain of them: they stand side by side. */
export const CELLS: readonly string[] = ['td', 'th'];

export const BLOCKS: readonly string[] = [...KEPT_BLOCKS, ...HEADINGS, ...LOOSE_BLOCKS];
