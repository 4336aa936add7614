import { escapeHtml, type Html, html, replaceShortcodes, safe } from '../../common/index.js';
import type { Emojis, ShownPerson } from './shown.js';

/** The sanitiser writes no `<` into attributes. */
const BLOCK_OF_CODE = /<pre(?=[ >])/g;

/** Sanitised HTML with the pictures of custom emoji. Keyboards reach blocks of code, since those may scroll. */
export function pictured(markup: string, emojis: Emojis): Html {
  const reachable = markup.replaceAll(BLOCK_OF_CODE, '<pre tabindex="0"');
  if (emojis.size === 0) return safe(reachable);
  return safe(replaceShortcodes(reachable, (name) => picture(name, emojis.get(name))));
}

/** Like {@link pictured}, for output without our styles. */
export function picturedElsewhere(markup: string, emojis: Emojis): string {
  return emojis.size === 0 ? markup : replaceShortcodes(markup, (name) => plainPicture(name, emojis.get(name)));
}

/** A user's text with the pictures of custom emoji; its writing direction is isolated. */
export function picturedText(text: string, emojis: Emojis): Html {
  return html`<bdi>${pictured(escapeHtml(text), emojis)}</bdi>`;
}

/** The display name of a person. */
export function nameOf({ name, emojis }: ShownPerson): Html {
  return picturedText(name, emojis);
}

function picture(name: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return html`<img class="emoji" src="${url}" alt=":${name}:" title=":${name}:" loading="lazy" />`.toString();
}

function plainPicture(name: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return html`<img src="${url}" alt=":${name}:" title=":${name}:" height="20" />`.toString();
}
