import { type Html, html, type Insert } from './template.js';
import type { Locale } from './locales.js';
import { type English, type Message, type MessageKey, messages } from './messages.js';
import { Phrase, type Reason, translationOf } from '../reasons/reasons.js';

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

type TextOf<Key extends MessageKey> = English[Key] extends { readonly other: infer Other } ? Other : English[Key];

/** The values of a message: those it names, and the number that chooses its form. */
type Values<Key extends MessageKey, Value> = Readonly<
  Record<Exclude<Placeholder<TextOf<Key>>, 'count'>, Value> &
    (English[Key] extends string ? unknown : { count: number })
>;

type Arguments<Key extends MessageKey, Value> = keyof Values<Key, Value> extends never
  ? readonly []
  : readonly [values: Values<Key, Value>];

const PLACEHOLDER = /\{(\w+)\}/;

/** Writes messages in one language, with its number format. */
export class Translator {
  /** Created with the first number that is shown: number formats take 8 MB. */
  private plurals: Intl.PluralRules | undefined;
  private numbers: Intl.NumberFormat | undefined;
  private days: Intl.DateTimeFormat | undefined;
  private moments: Intl.DateTimeFormat | undefined;

  constructor(readonly locale: Locale) {}

  /** Whether there is a message with this key, which comes from stored data. */
  has(key: string): boolean {
    return Object.hasOwn(messages[this.locale], key);
  }

  /** A message as plain text. */
  text<Key extends MessageKey>(key: Key, ...[values]: Arguments<Key, string | number>): string {
    const message: Message = messages[this.locale][key];
    if (values === undefined && typeof message === 'string') return message;
    return this.parts(key, values, (value) => this.plain(value)).join('');
  }

  /** A message as markup: the message is escaped, its values may be markup. */
  html<Key extends MessageKey>(key: Key, ...[values]: Arguments<Key, Insert>): Html {
    return html`${this.parts(key, values, (value) => (typeof value === 'number' ? this.number(value) : (value as Insert)))}`;
  }

  /** Why something was refused. */
  reason(reason: Reason): string {
    const { locale } = this;
    if (typeof reason === 'string') return translationOf(locale, reason) ?? reason;
    const translation = translationOf(locale, reason.text) ?? reason.text;
    return reason.filled(translation, (value) => (value instanceof Phrase ? this.reason(value) : this.plain(value)));
  }

  number(value: number): string {
    this.numbers ??= new Intl.NumberFormat(this.locale);
    return this.numbers.format(value);
  }

  /** The day of a moment in UTC, since the reader's zone is unknown. */
  day(time: string): string {
    this.days ??= new Intl.DateTimeFormat(this.locale, { dateStyle: 'long', timeZone: 'UTC' });
    return this.days.format(new Date(time));
  }

  /** A moment in UTC; the script of the pages shows it in the reader's zone. */
  moment(time: string): string {
    this.moments ??= new Intl.DateTimeFormat(this.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
    return `${this.moments.format(new Date(time))} UTC`;
  }

  /** A part of a whole, such as 0.25, in percent. */
  percent(share: number): string {
    return this.plain(Math.round(share * 100)) + (this.locale === 'en' ? '%' : '\u00a0%');
  }

  private plain(value: unknown): string {
    return typeof value === 'number' ? this.number(value) : String(value);
  }

  /** The texts of a message and the values between them, in order. */
  private parts<Part>(key: MessageKey, values: object | undefined, part: (value: unknown) => Part): (Part | string)[] {
    const given = new Map<string, unknown>(Object.entries(values ?? {}));
    const pieces = this.form(messages[this.locale][key], given).split(PLACEHOLDER);
    return pieces.map((piece, at) => (at % 2 === 0 ? piece : part(given.get(piece))));
  }

  private form(message: Message, given: ReadonlyMap<string, unknown>): string {
    if (typeof message === 'string') return message;
    this.plurals ??= new Intl.PluralRules(this.locale);
    return message[this.plurals.select(Number(given.get('count')))] ?? message.other;
  }
}

const translators: Readonly<Record<Locale, Translator>> = {
  en: new Translator('en'),
  de: new Translator('de'),
  fr: new Translator('fr'),
};

/** The one translator of a language. */
export function translatorOf(locale: Locale): Translator {
  return translators[locale];
}
