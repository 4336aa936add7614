import { type Html, html, type MessageKey, type Translator } from '../../common/index.js';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

/** The terms that people choose from, in seconds; 0 means no end. */
export const TERMS = [0, 30 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY] as const;

/** An option of a select field. */
export interface Option {
  readonly value: string | number;
  readonly label: string;
}

/** A select field with its label. */
export function selectField(
  name: string,
  label: string,
  options: readonly Option[],
  chosen: string | number | null | undefined,
  id = name,
): Html {
  return html`<label for="${id}">${label}</label>
    <select id="${id}" name="${name}">
      ${options.map(
        ({ value, label: text }) =>
          html`<option value="${value}" ${String(value) === String(chosen) && html`selected`}>${text}</option>`,
      )}
    </select>`;
}

/** A box that is sent either way, so that an empty one can be told from a missing one. */
export function tickField(name: string, label: Html | string, isOn: boolean): Html {
  return html`<input type="hidden" name="${name}" value="0" /><label class="tick"
      ><input type="checkbox" name="${name}" value="1" ${isOn && html`checked`} />${label}</label
    >`;
}

/** The choices of a term. */
export function termOptions(t: Translator): Option[] {
  return TERMS.map((value) => ({ value, label: t.text(`people.term.${value}` as MessageKey & 'people.term.0') }));
}
