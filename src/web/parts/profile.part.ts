import { type Html, html, type Translator } from '../../common/index.js';
import { pictured, picturedText } from './emoji.part.js';
import type { ShownProfile } from './shown.js';

/** The fields of a profile. Verified links keep their `rel="me"`, so that others may verify them too. */
export function profileFields(t: Translator, { fields: all, person }: ShownProfile): Html | undefined {
  if (all.length === 0) return undefined;
  const rows = all.map(
    ({ name, value, verifiedAt }) =>
      html`<div>
        <dt>${picturedText(name, person.emojis)}</dt>
        <dd dir="auto">${verifiedAt !== null && check(t, verifiedAt)} ${pictured(value, person.emojis)}</dd>
      </div>`,
  );
  return html`<dl class="fields">${rows}</dl>`;
}

/** The mark of a verified link. */
function check(t: Translator, verifiedAt: string): Html {
  const label = t.text('profile.confirmed', { day: t.day(verifiedAt) });
  return html`<span class="check" role="img" aria-label="${label}" title="${label}">&check;</span>`;
}
