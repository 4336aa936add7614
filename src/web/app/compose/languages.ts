/** Languages that many people write in, by their tags (BCP 47), each in its own words. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  af: 'Afrikaans',
  ar: 'العربية',
  az: 'Azərbaycanca',
  be: 'Беларуская',
  bg: 'Български',
  bn: 'বাংলা',
  br: 'Brezhoneg',
  bs: 'Bosanski',
  ca: 'Català',
  cs: 'Čeština',
  cy: 'Cymraeg',
  da: 'Dansk',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  eo: 'Esperanto',
  es: 'Español',
  et: 'Eesti',
  eu: 'Euskara',
  fa: 'فارسی',
  fi: 'Suomi',
  fr: 'Français',
  fy: 'Frysk',
  ga: 'Gaeilge',
  gd: 'Gàidhlig',
  gl: 'Galego',
  he: 'עברית',
  hi: 'हिन्दी',
  hr: 'Hrvatski',
  hu: 'Magyar',
  hy: 'Հայերեն',
  id: 'Indonesia',
  is: 'Íslenska',
  it: 'Italiano',
  ja: '日本語',
  ka: 'ქართული',
  kk: 'Қазақша',
  ko: '한국어',
  la: 'Latina',
  lb: 'Lëtzebuergesch',
  lt: 'Lietuvių',
  lv: 'Latviešu',
  mk: 'Македонски',
  ms: 'Melayu',
  nb: 'Norsk bokmål',
  nds: 'Plattdüütsch',
  nl: 'Nederlands',
  nn: 'Norsk nynorsk',
  oc: 'Occitan',
  pl: 'Polski',
  pt: 'Português',
  'pt-BR': 'Português (Brasil)',
  ro: 'Română',
  ru: 'Русский',
  sk: 'Slovenčina',
  sl: 'Slovenščina',
  sq: 'Shqip',
  sr: 'Српски',
  sv: 'Svenska',
  sw: 'Kiswahili',
  ta: 'தமிழ்',
  te: 'తెలుగు',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'Українська',
  ur: 'اردو',
  vi: 'Tiếng Việt',
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
};

/** A language to choose. */
export interface Language {
  readonly tag: string;
  readonly name: string;
}

/** The languages to choose from: the given ones first, then all others by their names. */
export function languagesAfter(first: readonly string[]): Language[] {
  const others = Object.keys(LANGUAGES)
    .filter((tag) => !first.includes(tag))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return [...new Set(first), ...others].map((tag) => ({ tag, name: nameOf(tag) }));
}

function nameOf(tag: string): string {
  return LANGUAGES[tag] ?? tag;
}
