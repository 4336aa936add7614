import type { PollJson } from '../../statuses/index.js';
import type { BrowserSession } from '../../sign-in/index.js';
import type { ShownNotification } from '../app/notifications/shown-notifications.js';
import type { ShownFile, ShownPerson, ShownProfile, ShownStatus } from '../parts/shown.js';

const NOON = '2026-03-01T12:00:00.000Z';
const LATER = '2036-03-01T12:00:00.000Z';
/** Pictures that every server has. */
const AVATAR = '/images/avi.png';
const PICTURE = '/images/banner.png';

/** The session of forms that are only looked at: no form of the page is accepted. */
export const EXAMPLE_SESSION: BrowserSession = { accountId: '1', tokenId: '1', isAdmin: false, formToken: '' };

const ADA: ShownPerson = {
  id: '1',
  name: 'Ada',
  handle: 'ada@here.example',
  url: '/@ada',
  avatar: AVATAR,
  isFindable: true,
  isBot: false,
  isLocked: false,
  role: undefined,
  emojis: new Map(),
};

const BO: ShownPerson = {
  ...ADA,
  id: '2',
  name: `Bo with a long name ${'o'.repeat(40)}`,
  handle: 'bo@elsewhere.example',
  isBot: true,
  isLocked: true,
  role: 'moderator',
};

/** Somebody plain, and somebody with every mark and a long name. */
export const PEOPLE = [ADA, BO] as const;

export const PROFILE: ShownProfile = {
  person: ADA,
  uri: 'https://here.example/users/ada',
  nickname: 'ada',
  html: '<p>Gardens and engines.</p>',
  about: 'Gardens and engines.',
  header: PICTURE,
  fields: [
    { name: 'Site', value: '<a href="https://ada.example" rel="me">ada.example</a>', verifiedAt: NOON },
    { name: 'A field with long words', value: 'word'.repeat(30), verifiedAt: null },
  ],
  createdAt: NOON,
  posts: 12,
  followers: 34,
  following: undefined,
  showsFollowers: true,
  showsFollowing: false,
  movedTo: undefined,
};

const PLAIN: ShownStatus = {
  cursor: 'plain',
  id: 'plain',
  uri: '/notice/plain',
  url: '/notice/plain',
  isLocal: true,
  isListed: true,
  visibility: 'public',
  author: ADA,
  reblogger: undefined,
  html: '<p>A plain post with a <a href="/tags/tag">#tag</a>.</p>',
  text: 'A plain post with a #tag.',
  warning: '',
  isSensitive: false,
  language: 'en',
  createdAt: NOON,
  editedAt: null,
  isAnswer: false,
  answerTo: null,
  parentId: null,
  counts: { replies: 0, reblogs: 0, favourites: 0, quotes: 0 },
  reactions: [],
  state: { isFavourited: false, isReblogged: false, isBookmarked: false, isPinned: false, isThreadMuted: false },
  filters: [],
  files: [],
  tags: ['tag'],
  poll: null,
  card: undefined,
  emojis: new Map(),
  quote: undefined,
};

const file = (at: number): ShownFile => ({
  id: String(at),
  type: 'image',
  isNotHidden: true,
  url: PICTURE,
  previewUrl: PICTURE,
  mimeType: 'image/png',
  description: `Picture ${at}`,
  width: 1500,
  height: 500,
});

const pictures = (count: number) => Array.from({ length: count }, (_, at) => file(at + 1));

const poll = (facts: Partial<PollJson>): PollJson => ({
  id: '1',
  expires_at: LATER,
  expired: false,
  multiple: false,
  votes_count: 3,
  voters_count: 3,
  options: [
    { title: 'Tea', votes_count: 2 },
    { title: 'Coffee, and an option with many words that do not fit into one line of a phone', votes_count: 1 },
  ],
  emojis: [],
  voted: false,
  own_votes: [],
  svc: { non_anonymous: false },
  ...facts,
});

const long = (unit: string) => Array.from({ length: 40 }, () => unit).join('');

/** Posts of every kind, by what is special about them. */
export const STATUSES: readonly (readonly [kind: string, facts: Partial<ShownStatus>])[] = [
  ['plain', {}],
  ['with a warning', { warning: 'A content warning' }],
  ['filtered', { filters: ['spoilers'] }],
  ['long', { html: long('<p>A paragraph of a long post.</p>'), text: long('A paragraph of a long post.\n') }],
  ['with a word that is wider than a phone', { html: `<p>${'w'.repeat(120)}</p>`, author: BO }],
  ['with one picture', { files: pictures(1) }],
  ['with two pictures', { files: pictures(2) }],
  ['with three pictures', { files: pictures(3) }],
  ['with four pictures', { files: pictures(4) }],
  ['with a sensitive picture', { files: pictures(1), isSensitive: true }],
  ['with a file of another server', { files: [{ ...file(1), isNotHidden: false, description: '' }] }],
  ['with a poll', { poll: poll({}) }],
  ['with a poll that is over', { poll: poll({ expired: true, voted: true, own_votes: [0] }) }],
  ['with a quote', { quote: { id: 'quoted', url: '/notice/quoted', author: BO, words: 'The quoted words.' } }],
  ['a reply', { isAnswer: true, answerTo: BO.handle, parentId: 'plain', visibility: 'private', isListed: false }],
  ['a boost', { reblogger: BO }],
  ['edited', { editedAt: LATER }],
  [
    'with a preview',
    {
      card: {
        url: 'https://page.example/',
        title: 'A page',
        description: 'What the page says.',
        provider: 'page.example',
        image: undefined,
      },
    },
  ],
  [
    'with counts and reactions',
    {
      counts: { replies: 1, reblogs: 23, favourites: 4567, quotes: 2 },
      reactions: [
        { name: '🎉', picture: undefined, count: 2, isOwn: true },
        { name: '👀', picture: undefined, count: 1, isOwn: false },
      ],
      state: { ...PLAIN.state, isFavourited: true, isReblogged: true, isBookmarked: true },
    },
  ],
];

/** A post with these facts; `at` makes its id unique. */
export function statusWith(facts: Partial<ShownStatus>, at: number): ShownStatus {
  return { ...PLAIN, ...facts, cursor: `example-${at}`, id: `example-${at}` };
}

const about = { id: 'plain', words: 'The first words of a post.', isDirect: false, part: undefined };

/** What is special about each type of notification. */
const NOTICES: Readonly<Record<ShownNotification['type'], Partial<ShownNotification>>> = {
  mention: { status: about },
  status: { status: about },
  reblog: { status: about, count: 3, people: [ADA, BO] },
  favourite: { status: about },
  follow: { people: [BO] },
  follow_request: { isWaiting: true },
  poll: { status: about, isOwn: true },
  update: { status: about },
  quote: { status: about },
  quoted_update: { status: about },
  move: { target: BO },
  'svc:emoji_reaction': { status: about, emoji: { name: '🎉', picture: undefined } },
  'svc:report': {},
};

/** A notification of each type; every other one is unread. */
export const NOTIFICATIONS: readonly ShownNotification[] = Object.entries(NOTICES).map(([type, facts], at) => ({
  id: `example-${at}`,
  key: `example-${at}`,
  type: type as ShownNotification['type'],
  at: NOON,
  isUnread: at % 2 === 0,
  count: 1,
  people: [ADA],
  isOwn: false,
  status: undefined,
  emoji: undefined,
  target: undefined,
  isWaiting: false,
  ...facts,
}));
