const SHORTCODE = /^[A-Za-z0-9_+-]{1,64}$/;
/** Letters and digits of the scripts that part words by spaces: an emoji does not stand within a word, as in `12:30:45`. */
const WORD = String.raw`[[\p{L}\p{N}_]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]`;
/** Only looks ahead at the closing colon: it may open another shortcode, as in `:tea::milk:`. */
const SHORTCODES = new RegExp(String.raw`(?<!${WORD}):([A-Za-z0-9_+\-]{1,64})(?=:(?!${WORD}))`, 'gv');
/** The same with its closing colon, to be replaced by something else. */
const WHOLE_SHORTCODES = new RegExp(String.raw`(?<!${WORD}):([A-Za-z0-9_+\-]{1,64}):(?!${WORD})`, 'gv');
const HTML_TAG = /(<[^<>]*>)/;
/** Elements whose text is an address, a name or an example. */
const VERBATIM = /^<(\/?)(?:a|code|pre)\b/;

const RGI_EMOJI = /^\p{RGI_Emoji}$/v;
const REGIONAL_INDICATOR = /^\p{Regional_Indicator}$/u;
const EMOJI_PRESENTATION = '\uFE0F';
/** Emoji that are text by default; a skin tone makes them emoji too. */
const TEXT_BY_DEFAULT = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu;
/** In UTF-16 units; the longest RGI sequence has 15, and redundant selectors may stand in it. */
const MAX_EMOJI = 32;

/** Whether a word can name a custom emoji. */
export function isShortcode(value: string): boolean {
  return SHORTCODE.test(value);
}

/** The custom emoji that a text may mean by `:name:`, unique, in order; the caller knows which of them exist. */
export function shortcodesIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(SHORTCODES), ([, name = '']) => name))];
}

/** Like {@link shortcodesIn}, of sanitised HTML: outside of its tags, links, mentions and code. */
export function shortcodesInHtml(html: string): string[] {
  if (!html.includes(':')) return [];
  return [...new Set(piecesOf(html).flatMap(({ piece, isSpoken }) => (isSpoken ? shortcodesIn(piece) : [])))];
}

/** Sanitised HTML with custom emoji replaced, where {@link shortcodesInHtml} finds them. */
export function replaceShortcodes(html: string, replacementOf: (name: string) => string | undefined): string {
  const replaced = (text: string) =>
    text.replace(WHOLE_SHORTCODES, (whole, name: string) => replacementOf(name) ?? whole);
  return piecesOf(html)
    .map(({ piece, isSpoken }) => (isSpoken ? replaced(piece) : piece))
    .join('');
}

/** Sanitised HTML in pieces: plain text, and tags with quoted content. */
function piecesOf(html: string): { readonly piece: string; readonly isSpoken: boolean }[] {
  let verbatim = 0;
  return html.split(HTML_TAG).map((piece, at) => {
    const isText = at % 2 === 0;
    const [tag, slash] = isText ? [] : (VERBATIM.exec(piece) ?? []);
    if (tag !== undefined) verbatim += slash === '/' ? -1 : 1;
    return { piece, isSpoken: isText && verbatim === 0 };
  });
}

/**
 * One emoji, an RGI sequence in any spelling or a single regional indicator, in its fully qualified form, so that equal
 * reactions are equal strings; `undefined` for anything else.
 */
export function normalizeEmoji(value: string): string | undefined {
  if (value.length > MAX_EMOJI) return undefined;
  if (REGIONAL_INDICATOR.test(value)) return value;
  const bare = value.replaceAll(EMOJI_PRESENTATION, '');
  const qualified = bare.replace(TEXT_BY_DEFAULT, `$&${EMOJI_PRESENTATION}`);
  return RGI_EMOJI.test(qualified) ? qualified : undefined;
}
