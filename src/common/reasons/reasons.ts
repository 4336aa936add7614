import { fields as germanFields, refusals as german } from './de/refusals.js';
import { online as germanOfChecks } from './de/online.js';
import { settings as germanOfSettings } from './de/settings.js';
import { staffRefusals as germanOfStaff } from './de/staff-refusals.js';
import { refusals as english } from './en/refusals.js';
import { fields as frenchFields, refusals as french } from './fr/refusals.js';
import { online as frenchOfChecks } from './fr/online.js';
import { settings as frenchOfSettings } from './fr/settings.js';
import { staffRefusals as frenchOfStaff } from './fr/staff-refusals.js';

/** The texts that have a translation, as the API answers them. English pages have words of their own for some. */
const translations = {
  en: english,
  de: { ...germanFields, ...german, ...germanOfStaff, ...germanOfChecks, ...germanOfSettings },
  fr: { ...frenchFields, ...french, ...frenchOfStaff, ...frenchOfChecks, ...frenchOfSettings },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** An English text with translations. `{name}` stands for a value. */
export type ReasonText = Exclude<keyof (typeof translations)['de'], keyof typeof germanFields>;

type NameIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never;

/** A text without values. */
type PlainText = { [Text in ReasonText]: NameIn<Text> extends never ? Text : never }[ReasonText];

/** A value of a text: texts and names as they are, and phrases, which are translated too. */
type Value = string | number | Phrase;

/**
 * Why something is refused, or what a check finds wrong: in English for programs, and in each language for people. Only
 * a text with translations is one, so that no page shows a text in one language only.
 */
export type Reason = PlainText | Phrase;

/** An English text with its values. */
export class Phrase {
  private constructor(
    /** The text before its values are inserted. */
    readonly text: string,
    readonly values: Readonly<Record<string, Value>> = {},
  ) {}

  static of(text: string, values?: Readonly<Record<string, Value>>): Phrase {
    return new Phrase(text, values);
  }

  /** The text in English, for programs: numbers without separators. */
  toString(): string {
    return this.filled(this.text, String);
  }

  toJSON(): string {
    return this.toString();
  }

  /** A translation of the text with the values, each of them written by `write`. */
  filled(translation: string, write: (value: Value) => string): string {
    return translation.replace(/\{(\w+)\}/g, (given, name: string) => {
      const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
      return value === undefined ? given : write(value);
    });
  }
}

/** A text with its values: `phrase('You can have {max} lists at most', { max: 1000 })`. */
export function phrase<Text extends ReasonText>(
  text: Text,
  ...[values]: NameIn<Text> extends never ? readonly [] : readonly [values: Readonly<Record<NameIn<Text>, Value>>]
): Phrase {
  return Phrase.of(text, values);
}

/** A text of a library, a policy or another server: translated where there is a translation, else as it is. */
export function asReason(text: string): Phrase {
  return Phrase.of(text);
}

/** A problem of a field by its name in requests, which people read in their language where it has a translation. */
export function fieldPhrase(field: string, problem: Reason): Phrase {
  return phrase('{field} {problem}', { field: asReason(field), problem: phraseOf(problem) });
}

/** Several reasons as one, separated by commas or another sign. */
export function joined(reasons: readonly Reason[], separator = ', '): Phrase {
  const names = reasons.map((_, at) => `{${at}}`);
  return Phrase.of(names.join(separator), Object.fromEntries(reasons.map((reason, at) => [at, phraseOf(reason)])));
}

function phraseOf(reason: Reason): Phrase {
  return typeof reason === 'string' ? asReason(reason) : reason;
}

/** The translation of a text; undefined where it reads the same in all languages. */
export function translationOf(locale: keyof typeof translations, text: string): string | undefined {
  const known: Readonly<Record<string, string>> = translations[locale];
  return Object.hasOwn(known, text) ? known[text] : undefined;
}
