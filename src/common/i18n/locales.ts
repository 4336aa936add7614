import type { Request } from 'express';

/** The languages of the pages and mails that this server writes. */
export const LOCALES = ['en', 'de', 'fr'] as const;

export type Locale = (typeof LOCALES)[number];

/** The language of ours that a tag such as `de-AT` stands for. */
export function localeOf(tag: string): Locale | undefined {
  const [language] = tag.toLowerCase().split('-');
  return LOCALES.find((locale) => locale === language);
}

/** The language of ours that somebody who asks reads best (RFC 9110 §12.5.4); `fallback` when they do not say. */
export function preferredLocale(request: Request, fallback: Locale): Locale {
  const ours = [fallback, ...LOCALES.filter((locale) => locale !== fallback)];
  return localeOf(request.acceptsLanguages(ours) || fallback) ?? fallback;
}
