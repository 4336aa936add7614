import { de } from './de.js';
import { en } from './en.js';
import { fr } from './fr.js';
import type { Locale } from './locales.js';

/** A message that depends on a number, by the plural rules of the language (CLDR). */
export type PluralMessage = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** A message. `{name}` stands for a value. */
export type Message = string | PluralMessage;

/** English is the reference: every language has exactly its messages. */
export type English = typeof en;

export type MessageKey = keyof English;

/** The messages of one language. */
export type Messages = { readonly [Key in MessageKey]: English[Key] extends string ? string : PluralMessage };

export const messages: Readonly<Record<Locale, Messages>> = { en, de, fr };
