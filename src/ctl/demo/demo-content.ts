import type { ComposeOptions } from '../../statuses/index.js';

/** A person of the demonstration. */
export interface DemoPerson {
  readonly nickname: string;
  readonly name: string;
  readonly bio: string;
  /** The hue of its pictures in degrees. */
  readonly hue: number;
  readonly isLocked?: boolean;
  readonly isBot?: boolean;
}

/** A post of the demonstration. Names refer to earlier posts. */
export interface DemoStatus extends Pick<ComposeOptions, 'text' | 'spoiler' | 'language' | 'visibility' | 'poll'> {
  readonly name?: string;
  readonly by: string;
  readonly answers?: string;
  readonly quotes?: string;
  /** The descriptions of its pictures. */
  readonly pictures?: readonly string[];
  readonly favouritedBy?: readonly string[];
  readonly rebloggedBy?: readonly string[];
  /** Emoji, with those who react with them. */
  readonly reactions?: Readonly<Record<string, readonly string[]>>;
  /** The votes in its poll: names with the position of an option. */
  readonly votes?: Readonly<Record<string, number>>;
}

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  {
    nickname: 'fern',
    name: 'Fern Okafor',
    hue: 140,
    bio: 'Grows tomatoes on a balcony, writes about soil. #gardening',
  },
  { nickname: 'milo', name: 'Milo Brandt', hue: 20, bio: 'Bass, Brot und Fahrräder. Schreibt meistens deutsch.' },
  { nickname: 'ines', name: 'Inès Laurent', hue: 205, bio: 'Photographe, surtout la nuit. Bretagne.' },
  {
    nickname: 'kofi',
    name: 'Kofi Mensah',
    hue: 265,
    bio: 'Makes small programs for small machines. #typescript #postgres',
  },
  { nickname: 'noor', name: 'Noor Haddad', hue: 330, bio: 'Cooks for friends. Recipes are in the threads.' },
  { nickname: 'lena', name: 'Lena Sato', hue: 50, bio: 'Librarian. Asks before you follow.', isLocked: true },
  {
    nickname: 'weather',
    name: 'Weather of the bay',
    hue: 190,
    bio: 'A program that says what the sky does.',
    isBot: true,
  },
];

/** In the order in which they were written. */
export const DEMO_STATUSES: readonly DemoStatus[] = [
  {
    by: 'weather',
    language: 'en',
    visibility: 'unlisted',
    text: 'Morning: 11 °C, light wind from the west, dry until the evening.',
  },
  {
    by: 'fern',
    name: 'tomatoes',
    language: 'en',
    text: 'The first tomatoes are ripe. Eleven weeks from seed, on a balcony that gets five hours of sun. #gardening',
    pictures: [
      'Six red tomatoes on a wooden board',
      'A balcony with pots in two rows',
      'A hand holds a very small tomato',
      'Seeds on a saucer',
    ],
    favouritedBy: ['milo', 'ines', 'noor'],
    rebloggedBy: ['noor'],
    reactions: { '🍅': ['milo', 'noor'], '🌱': ['kofi'] },
  },
  {
    by: 'noor',
    name: 'ask',
    answers: 'tomatoes',
    language: 'en',
    text: 'They look wonderful! Which sort is it?',
    favouritedBy: ['fern'],
  },
  {
    by: 'fern',
    name: 'sort',
    answers: 'ask',
    language: 'en',
    text: 'An old one called “Black Cherry”. I can send you seeds.',
    favouritedBy: ['noor'],
  },
  { by: 'noor', answers: 'sort', language: 'en', text: 'Yes please. In exchange for a jar of what they become.' },
  {
    by: 'kofi',
    answers: 'tomatoes',
    language: 'en',
    text: 'Five hours of sun is enough? Then there is hope for my window.',
  },
  {
    by: 'milo',
    name: 'poll',
    language: 'de',
    text: 'Was soll ich am Wochenende backen?',
    poll: { options: ['Roggenbrot', 'Brezeln', 'Zimtschnecken'], expiresIn: 6 * 86_400 },
    votes: { fern: 0, ines: 2, kofi: 2, noor: 1, lena: 2 },
    favouritedBy: ['fern'],
  },
  {
    by: 'ines',
    answers: 'poll',
    language: 'fr',
    text: 'Les roulés à la cannelle, évidemment.',
    favouritedBy: ['milo'],
  },
  {
    by: 'ines',
    name: 'night',
    language: 'fr',
    text: 'Le phare à trois heures du matin. Pose de trente secondes, vent du nord. #photographie',
    pictures: ['Un phare éclairé dans la nuit, la mer en bas'],
    favouritedBy: ['fern', 'milo', 'lena', 'kofi'],
    rebloggedBy: ['fern', 'kofi'],
    reactions: { '🌊': ['lena', 'kofi'], '✨': ['noor'] },
  },
  {
    by: 'kofi',
    quotes: 'night',
    language: 'en',
    text: 'This is what I see before I fall asleep, and now I know what it looks like.',
  },
  {
    by: 'lena',
    spoiler: 'A book, and how it ends',
    language: 'en',
    text: 'So the letter was never posted. I closed the book and went for a walk.\n\nThe last chapter is eleven pages long and nothing happens in it. I have not been so moved for years.',
    favouritedBy: ['ines'],
  },
  {
    by: 'kofi',
    language: 'en',
    text: 'A query went from 72 ms to 3 ms today. The index had been there all along; the statement asked for it in the wrong order. #postgres',
    favouritedBy: ['milo'],
    rebloggedBy: ['milo'],
  },
  {
    by: 'noor',
    language: 'ar',
    text: 'صباح الخير! اليوم نطبخ العدس بالليمون.',
    favouritedBy: ['lena', 'fern'],
    reactions: { '🍋': ['fern'] },
  },
  {
    by: 'lena',
    visibility: 'private',
    language: 'en',
    text: 'For those who follow me: the reading room stays open until nine on Thursday.',
  },
  {
    by: 'milo',
    language: 'de',
    text: 'Hat jemand ein 28er Hinterrad übrig? Gerne auch alt. #fahrrad',
    rebloggedBy: ['noor'],
  },
];

/** Who follows whom. */
export const DEMO_FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  admin: ['fern', 'milo', 'ines', 'kofi', 'noor', 'weather'],
  fern: ['milo', 'ines', 'noor', 'kofi'],
  milo: ['fern', 'ines', 'kofi'],
  ines: ['fern', 'milo', 'lena'],
  kofi: ['fern', 'ines', 'weather'],
  noor: ['fern', 'milo', 'ines', 'admin'],
  lena: ['ines', 'fern', 'admin'],
};

/** A chat of the first administrator with somebody: messages, alternating, the other person first. */
export const DEMO_CHATS: Readonly<Record<string, readonly string[]>> = {
  noor: [
    'Hello! Is there room for one more at the table on Friday?',
    'Always. Eight o’clock?',
    'Eight is fine. I bring lentils.',
  ],
  kofi: ['Your server is fast. What does it run on?', 'A machine that is older than my phone.'],
};

/** What somebody reports: the name of the reporter, of the reported person, and why. */
export const DEMO_REPORT = {
  by: 'lena',
  about: 'milo',
  comment: 'This is the third time today that he asks for a wheel.',
};
