import { html } from './template.js';
import { type Locale, localeOf, LOCALES } from './locales.js';
import { type Message, type MessageKey, messages } from './messages.js';
import { translatorOf } from './translator.js';

const keys = Object.keys(messages.en).sort() as MessageKey[];
const formsOf = (message: Message): Record<string, string> =>
  typeof message === 'string' ? { text: message } : message;
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each([...LOCALES])('the messages in %s', (locale: Locale) => {
  it('are complete, without unknown ones', () => {
    expect(Object.keys(messages[locale]).sort()).toEqual(keys);
  });

  it('are not empty and have the same values as in English', () => {
    for (const key of keys) {
      const [english = ''] = Object.values(formsOf(messages.en[key]));
      for (const text of Object.values(formsOf(messages[locale][key]))) {
        expect({ key, text: text.trim() !== '' && text.trim() === text }).toEqual({ key, text: true });
        expect({ key, values: placeholders(text) }).toEqual({ key, values: placeholders(english) });
      }
    }
  });

  it('have a form for every plural category', () => {
    const kinds = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.sort();
    for (const key of keys) {
      const message: Message = messages[locale][key];
      if (typeof message !== 'string') expect({ key, kinds: Object.keys(message).sort() }).toEqual({ key, kinds });
    }
  });
});

describe('a translator', () => {
  it.each<[Locale, number, string, string]>([
    ['en', 1, '1', 'person'],
    ['en', 0, '0', 'people'],
    ['en', 12_345, '12,345', 'people'],
    ['de', 1, '1', 'Mensch'],
    ['de', 12_345, '12.345', 'Menschen'],
    ['fr', 0, '0', 'personne'],
    ['fr', 2, '2', 'personnes'],
    ['fr', 1_000_000, '1\u202f000\u202f000', 'de personnes'],
  ])('counts in %s: %d', (locale, count, number, word) => {
    const t = translatorOf(locale);
    expect([t.number(count), t.text('landing.people', { count })]).toEqual([number, word]);
  });

  it.each<[Locale, string]>([
    ['en', 'January 2, 2026'],
    ['de', '2. Januar 2026'],
    ['fr', '2 janvier 2026'],
  ])('writes days in %s', (locale, day) => {
    expect(translatorOf(locale).day('2026-01-02T23:59:59.000Z')).toBe(day);
  });

  it('inserts values into texts', () => {
    const t = translatorOf('de');
    expect(t.text('mail.sender', { server: 'Dort & {server}' })).toBe('Gesendet von Dort & {server}.');
  });

  it('inserts markup into markup, and escapes the rest', () => {
    const t = translatorOf('en');
    const link = html`<a href="/">x</a>`;
    expect(t.html('landing.developers.text', { link }).toString()).toMatch(/ at <a href="\/">x<\/a>\.$/);
    expect(t.html('mail.sender', { server: '<b>' }).toString()).toBe('Sent by &lt;b&gt;.');
    expect(t.html('landing.people', { count: 2 }).toString()).toBe('people');
  });
});

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['FR-ca', 'fr'],
  ['den', undefined],
  ['', undefined],
])('maps the language tag %j to %s', (tag, locale) => {
  expect(localeOf(tag)).toBe(locale);
});
