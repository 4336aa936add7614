import { randomInt } from 'node:crypto';
import type { Locale } from '../../common/index.js';

/** A question for people who cannot see a picture, and its answer. */
export interface CaptchaQuestion {
  readonly question: string;
  readonly solution: string;
}

/** A random whole number from 0 to below `limit`. */
type Pick = (limit: number) => number;

/** The words of the questions in one language. */
interface Vocabulary {
  /** The numbers from 0 to 12. */
  readonly numbers: readonly string[];
  /** The places from the first to the fourth. */
  readonly places: readonly string[];
  readonly nouns: readonly string[];
  readonly sum: (first: string, second: string) => string;
  readonly difference: (first: string, second: string) => string;
  readonly place: (place: string, words: string) => string;
  readonly last: (words: string) => string;
}

const LARGEST = 12;
const LISTED = 5;

const VOCABULARIES: Readonly<Record<Locale, Vocabulary>> = {
  en: {
    numbers: 'zero one two three four five six seven eight nine ten eleven twelve'.split(' '),
    places: 'first second third fourth'.split(' '),
    nouns: 'apple river window garden bread cloud letter horse candle bridge paper lemon'.split(' '),
    sum: (first, second) => `What is ${first} plus ${second}? Answer with digits.`,
    difference: (first, second) => `What is ${first} minus ${second}? Answer with digits.`,
    place: (place, words) => `Which is the ${place} of these words: ${words}?`,
    last: (words) => `Which is the last of these words: ${words}?`,
  },
  de: {
    numbers: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' '),
    places: 'erste zweite dritte vierte'.split(' '),
    nouns: 'Apfel Fluss Fenster Garten Brot Wolke Brief Pferd Kerze Brücke Papier Zitrone'.split(' '),
    sum: (first, second) => `Was ist ${first} plus ${second}? Antworte mit Ziffern.`,
    difference: (first, second) => `Was ist ${first} minus ${second}? Antworte mit Ziffern.`,
    place: (place, words) => `Welches ist das ${place} dieser Wörter: ${words}?`,
    last: (words) => `Welches ist das letzte dieser Wörter: ${words}?`,
  },
  fr: {
    numbers: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze'.split(' '),
    places: 'premier deuxième troisième quatrième'.split(' '),
    nouns: 'pomme rivière porte jardin pain nuage lettre cheval bougie pont papier citron'.split(' '),
    sum: (first, second) => `Combien font ${first} plus ${second}\u00a0? Répondez en chiffres.`,
    difference: (first, second) => `Combien font ${first} moins ${second}\u00a0? Répondez en chiffres.`,
    place: (place, words) => `Quel est le ${place} de ces mots\u00a0: ${words}\u00a0?`,
    last: (words) => `Quel est le dernier de ces mots\u00a0: ${words}\u00a0?`,
  },
};

/** A new question in words: a small sum, or a word of a list. */
export function captchaQuestion(locale: Locale, pick: Pick = randomInt): CaptchaQuestion {
  const vocabulary = VOCABULARIES[locale];
  return pick(2) === 0 ? sumOf(vocabulary, pick) : wordOf(vocabulary, pick);
}

function sumOf({ numbers, sum, difference }: Vocabulary, pick: Pick): CaptchaQuestion {
  const [one, other] = [1 + pick(LARGEST), 1 + pick(LARGEST)];
  const [first, second] = [Math.max(one, other), Math.min(one, other)];
  const [named, beside] = [numbers[first] ?? '', numbers[second] ?? ''];
  return pick(2) === 0
    ? { question: sum(named, beside), solution: String(first + second) }
    : { question: difference(named, beside), solution: String(first - second) };
}

function wordOf({ nouns, places, place, last }: Vocabulary, pick: Pick): CaptchaQuestion {
  const left = [...nouns];
  const words = Array.from({ length: LISTED }, () => left.splice(pick(left.length), 1)[0] ?? '');
  const at = pick(LISTED);
  const list = words.join(', ');
  const question = at === LISTED - 1 ? last(list) : place(places[at] ?? '', list);
  return { question, solution: (words[at] ?? '').toUpperCase() };
}
