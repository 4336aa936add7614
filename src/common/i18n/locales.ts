import type { Request } from 'express';

/** The languages of the pages and mails that this server writes. */
export const LOCALES = ['en', 'de', 'fr'] as const;

export type Locale = (typeof LOCALES)[number];

/** The supported language for a tag such as `de-AT`. */
export function localeOf(tag: string): Locale | undefined {
  const [language] = tag.toLowerCase().split('-');
  return LOCALES.find((locale) => locale === language);
}

/** The supported language that the caller prefers (RFC 9110 §12.5.4); `fallback` without a preference. */
export function preferredLocale(request: Request, fallback: Locale): Locale {
  const ours = [fallback, ...LOCALES.filter((locale) => locale !== fallback)];
  return localeOf(request.acceptsLanguages(ours) || fallback) ?? fallback;
}
