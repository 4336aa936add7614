import { type Html, html, type Translator } from '../../common/index.js';
import type { ShownReaction, ShownStatus } from './shown.js';

/** How often people replied to a post, boosted, liked and quoted it, and their reactions, for readers who cannot. */
export function countsPart(t: Translator, { counts, reactions }: ShownStatus): Html | undefined {
  const { replies, reblogs, favourites, quotes } = counts;
  if (replies + reblogs + favourites + quotes + reactions.length === 0) return undefined;
  return html`<ul class="counts">
    ${item(t, replies, t.text('count.replies', { count: replies }))}
    ${item(t, reblogs, t.text('count.boosts', { count: reblogs }))}
    ${item(t, favourites, t.text('count.favourites', { count: favourites }))}
    ${item(t, quotes, t.text('count.quotes', { count: quotes }))} ${reactions.map((each) => reaction(t, each))}
  </ul>`;
}

function item(t: Translator, count: number, noun: string): Html | undefined {
  return count === 0 ? undefined : html`<li><b>${t.number(count)}</b> ${noun}</li>`;
}

function reaction(t: Translator, { name, picture, count }: ShownReaction): Html {
  const emoji =
    picture === undefined ? name : html`<img class="emoji" src="${picture}" alt=":${name}:" loading="lazy" />`;
  return html`<li>${emoji} <b>${t.number(count)}</b></li>`;
}
