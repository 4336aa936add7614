import type { AccountRow } from '../../accounts/index.js';
import { definitions, type PolicyName, type SettingPath } from '../../config/index.js';
import { type PolicyStatus, type RemoteStatus, Visibility } from '../../statuses/index.js';
import { type Activity, parseActivity } from '../wire/activity.js';
import type { RemoteActor } from '../wire/remote-actor.js';
import { POLICIES } from './policies.js';
import type { PolicySettings } from './policy.js';

const MO = 'https://far.example/users/mo';
const QUOTED = 'https://far.example/notes/1';
const DAY_MS = 86_400_000;

const mo = {
  apId: MO,
  nickname: 'mo',
  domain: 'far.example',
  displayName: 'Mo',
  actorType: 'Person',
  followersCount: 3,
  statusesCount: 7,
  createdAt: '2024-01-01T00:00:00Z',
} as AccountRow;
const ada = { ...mo, apId: 'https://our.example/users/ada', domain: null } as AccountRow;
const stranger = { ...mo, followersCount: 0, statusesCount: 0, createdAt: new Date().toISOString() };

const PLAIN: PolicyStatus = {
  type: 'Note',
  furtherTexts: [],
  visibility: Visibility.public,
  content: '<p>Tea at five</p>',
  spoiler: '',
  sensitive: false,
  hashtags: [],
  hasMedia: true,
  pictures: [],
  hasPoll: false,
  publishedAt: new Date(),
  expiresAt: null,
  parent: null,
  emojis: [],
  quoteUri: null,
  quotedAuthorId: null,
  mentions: [],
};
const many = (count: number) => Array.from({ length: count }, (_, at) => `https://far.example/users/${at}`);

type Changes = Partial<Record<SettingPath, unknown>>;
const settings = (changes: Changes) =>
  ({ get: (path: SettingPath) => changes[path] ?? definitions[path].default }) as PolicySettings;

interface Case {
  readonly settings?: Changes;
  readonly post?: Partial<PolicyStatus>;
  readonly author?: AccountRow;
  readonly recipients?: readonly string[];
}

function filtered(name: PolicyName, { settings: changes = {}, post = {}, author = mo, recipients = [] }: Case) {
  const { author: authors, post: posted } = POLICIES[name];
  const refused = author.domain === null ? undefined : authors?.(settings(changes))?.(author);
  return refused ?? posted?.({ ...PLAIN, ...post }, settings(changes), { author, recipients, people: [] });
}

const { unlisted, private: forFollowers, direct } = Visibility;
const answering = (spoiler: string) => ({ authorId: 'ada', visibility: 0, spoiler });
const warned = { spoiler: 'tea', parent: answering('tea') };
const linked = { content: '<p><a href="https://shop.example">Buy</a></p>' };
const old = { publishedAt: new Date(Date.now() - 8 * DAY_MS) };

describe('for a received post', () => {
  const cat = { shortcode: 'cat', url: 'https://far.example/cat.png', static_url: 'https://far.example/cat.png' };
  const status = { emojis: [cat], attachments: [{ url: 'https://far.example/a.png' }] } as unknown as RemoteStatus;
  const stolen = { kind: 'steal-emoji', shortcode: 'cat', url: cat.url };
  const bot = { 'mrf_follow_bot.follower_nickname': 'greeter' };
  const person = { ...mo, id: 'mo', locked: false, noteHtml: '<p>Hi</p>' };

  it.each<[PolicyName, string, Changes, Partial<AccountRow>, readonly object[]]>([
    ['StealEmojiPolicy', 'copies emoji', { 'mrf_steal_emoji.hosts': ['Far.example'] }, {}, [stolen]],
    ['StealEmojiPolicy', 'ignores other servers', { 'mrf_steal_emoji.hosts': ['b.example'] }, {}, []],
    [
      'StealEmojiPolicy',
      'ignores refused names',
      { 'mrf_steal_emoji.hosts': ['far.example'], 'mrf_steal_emoji.rejected_shortcodes': ['~r/^C/i'] },
      {},
      [],
    ],
    [
      'MediaProxyWarmingPolicy',
      'fetches files',
      { 'media_proxy.enabled': true },
      {},
      [{ kind: 'warm-proxy', url: 'https://far.example/a.png' }],
    ],
    ['MediaProxyWarmingPolicy', 'does nothing without the proxy', {}, {}, []],
    ['FollowBotPolicy', 'follows the author', bot, {}, [{ kind: 'follow', accountId: 'mo' }]],
    ['FollowBotPolicy', 'follows no account that refuses bots', bot, { noteHtml: '<p>cats #nobot</p>' }, []],
    ['FollowBotPolicy', 'follows no locked account', bot, { locked: true }, []],
    ['FollowBotPolicy', 'follows no program', bot, { actorType: 'Service' }, []],
  ])('%s: %s', (name, _case, changes, author, effects) => {
    expect(POLICIES[name].effects?.(status, settings(changes), { ...person, ...author })).toEqual(effects);
  });
});

describe('a post under', () => {
  it.each<[PolicyName, string, Case, object]>([
    [
      'SimplePolicy',
      'loses its files',
      { settings: { 'mrf_simple.media_removal': ['far.example'] } },
      { hasMedia: false },
    ],
    [
      'SimplePolicy',
      'becomes sensitive by the domain of its server',
      { settings: { 'mrf_simple.media_nsfw': [['*.example', 'rude']] } },
      { sensitive: true, hashtags: ['nsfw'] },
    ],
    [
      'SimplePolicy',
      'becomes unlisted',
      { settings: { 'mrf_simple.federated_timeline_removal': ['FAR.example'] } },
      { visibility: unlisted },
    ],
    [
      'SimplePolicy',
      'becomes one for followers',
      { settings: { 'mrf_simple.followers_only': ['far.example'] }, post: { visibility: unlisted } },
      { visibility: forFollowers, isForFollowersOnly: true },
    ],
    [
      'SimplePolicy',
      'stays direct, for followers among its addressees',
      { settings: { 'mrf_simple.followers_only': ['far.example'] }, post: { visibility: direct } },
      { isForFollowersOnly: true },
    ],
    [
      'KeywordPolicy',
      'becomes unlisted by a regular expression',
      { settings: { 'mrf_keyword.federated_timeline_removal': ['~r/TEA\\s+at/i'] } },
      { visibility: unlisted },
    ],
    [
      'KeywordPolicy',
      'gets another text',
      {
        settings: {
          'mrf_keyword.replace': [
            ['Tea', 'Milk'],
            ['~r/f(.)ve/', 's$1x'],
          ],
        },
      },
      { content: '<p>Milk at six</p>' },
    ],
    ['HellthreadPolicy', 'to many becomes unlisted', { recipients: many(11) }, { visibility: unlisted }],
    ['ObjectAgePolicy', 'of last week becomes unlisted', { post: old }, { visibility: unlisted }],
    ['HashtagPolicy', 'with #nsfw becomes sensitive', { post: { hashtags: ['nsfw'] } }, { sensitive: true }],
    ['EnsureRePrepended', 'answers with re:', { post: warned }, { spoiler: 're: tea' }],
    [
      'EnsureRePrepended',
      'answers an answer with re:',
      { post: { ...warned, parent: answering('Re: tea') } },
      { spoiler: 're: tea' },
    ],
    ['NoPlaceholderTextPolicy', 'loses a dot', { post: { content: '<p>.</p>' } }, { content: '' }],
    [
      'InlineQuotePolicy',
      'shows what it quotes',
      { post: { quoteUri: QUOTED } },
      { content: expect.stringContaining(`<a href="${QUOTED}">`) as string },
    ],
    [
      'ForceBotUnlistedPolicy',
      'of a program becomes unlisted',
      { author: { ...mo, actorType: 'Service' } },
      { visibility: unlisted },
    ],
    [
      'ForceBotUnlistedPolicy',
      'of an account with the name of a program becomes unlisted',
      { author: { ...mo, nickname: 'weatherBot' } },
      { visibility: unlisted },
    ],
    ['ActivityExpirationPolicy', 'of this server expires', { author: ada }, { expiresAt: expect.any(Date) as Date }],
  ])('%s: %s', (name, _case, given, change) => {
    expect(filtered(name, given)).toEqual({ ...PLAIN, ...given.post, ...change });
  });

  it.each<[PolicyName, string, Case]>([
    ['KeywordPolicy', 'a forbidden text', { settings: { 'mrf_keyword.reject': ['five'] } }],
    [
      'KeywordPolicy',
      'the option of a poll',
      { settings: { 'mrf_keyword.reject': ['spam'] }, post: { furtherTexts: ['tea', 'Spam, of spam'] } },
    ],
    ['VocabularyPolicy', 'its type', { settings: { 'mrf_vocabulary.reject': ['Note'] } }],
    ['VocabularyPolicy', 'a type that is not accepted', { settings: { 'mrf_vocabulary.accept': ['Question'] } }],
    ['UserAllowListPolicy', 'an author who is not listed', { settings: { 'mrf_user_allowlist.actors': many(1) } }],
    ['HellthreadPolicy', 'too many addressees', { recipients: many(21) }],
    ['ObjectAgePolicy', 'its age', { settings: { 'mrf_object_age.actions': ['reject'] }, post: old }],
    ['HashtagPolicy', 'a hashtag', { settings: { 'mrf_hashtag.reject': ['Spam'] }, post: { hashtags: ['spam'] } }],
    ['MentionPolicy', 'an addressee', { settings: { 'mrf_mention.actors': many(1) }, recipients: many(2) }],
    ['RejectNonPublic', 'its audience', { post: { visibility: direct } }],
    ['NoEmptyPolicy', 'its emptiness', { author: ada, post: { content: '<p>@mo@far.example</p>', hasMedia: false } }],
    ['AntiLinkSpamPolicy', 'the link of a stranger', { author: stranger, post: linked }],
    [
      'AntiLinkSpamPolicy',
      'the link of a stranger to a page about mentions',
      { author: stranger, post: { content: '<p><a href="https://shop.example/mention/hashtag">Buy</a></p>' } },
    ],
    ['AntiMentionSpamPolicy', 'the mentions of a stranger', { author: stranger, recipients: many(6) }],
    ['DropPolicy', 'any reason', {}],
  ])('%s is refused for %s', (name, _case, given) => {
    expect(filtered(name, given)).toEqual(expect.any(String));
  });

  it.each<[PolicyName, string, Case]>([
    ['SimplePolicy', 'of a server with another name', { settings: { 'mrf_simple.media_removal': ['ar.example'] } }],
    ['KeywordPolicy', 'with other words', { settings: { 'mrf_keyword.reject': ['~r/^five/'] } }],
    ['HellthreadPolicy', 'to a few', { recipients: many(10) }],
    [
      'HellthreadPolicy',
      'to many accounts without a limit',
      {
        settings: { 'mrf_hellthread.delist_threshold': 0, 'mrf_hellthread.reject_threshold': 0 },
        recipients: many(100),
      },
    ],
    ['ObjectAgePolicy', 'of an old post of this server', { author: ada, post: old }],
    [
      'RejectNonPublic',
      'for followers, if allowed,',
      {
        settings: { 'mrf_rejectnonpublic.allow_followersonly': true },
        post: { visibility: forFollowers },
      },
    ],
    ['EnsureRePrepended', 'that answers an answer', { post: { spoiler: 're: tea', parent: answering('re: tea') } }],
    [
      'InlineQuotePolicy',
      'that links to what it quotes',
      {
        post: { quoteUri: QUOTED, content: `<a href="${QUOTED}">it</a>` },
      },
    ],
    ['AntiLinkSpamPolicy', 'with a link of an account that is followed', { post: linked }],
    ...[
      '@<a class="zrl" href="https://hub.example/channel/ann" target="_blank">Ann</a>',
      '#<a class="zrl" href="https://hub.example/search?tag=tea">tea</a>',
      '<a href="https://friendica.example/search?tag=tea" rel="tag">tea</a>',
      '@<span><a href="https://friendica.example/profile/ann">ann</a></span>',
      '<a href="https://far.example/tags/tea">#<span>tea</span></a>',
      '<a href="https://far.example/@ann" class="u-url mention">@<span>ann</span></a>',
    ].map((content): [PolicyName, string, Case] => [
      'AntiLinkSpamPolicy',
      `of a stranger with ${content}`,
      { author: stranger, post: { content } },
    ]),
    [
      'NoEmptyPolicy',
      'that is a message',
      { author: ada, post: { type: 'ChatMessage', content: '@mo', hasMedia: false } },
    ],
    ['VocabularyPolicy', 'of this server', { author: ada, settings: { 'mrf_vocabulary.reject': ['Note'] } }],
    ['ActivityExpirationPolicy', 'of another server', {}],
    ['NoOpPolicy', 'of any kind', {}],
    ['NormalizeMarkup', 'of any kind, which is sanitised anyway,', { post: linked }],
  ])('%s stays unchanged when it is one %s', (name, _case, given) => {
    expect(filtered(name, given) ?? { ...PLAIN, ...given.post }).toEqual({ ...PLAIN, ...given.post });
  });
});

describe('an activity under', () => {
  const activity = (type: string, rest: object = {}) =>
    parseActivity({ id: `${MO}#1`, type, actor: MO, object: ada.apId, ...rest }) as Activity;
  const refusal = (name: PolicyName, changes: Changes, given: Activity, signer: AccountRow) =>
    POLICIES[name].refusal?.(given, settings(changes), signer, 'our.example');

  it.each<[PolicyName, string, Changes, Activity, AccountRow?]>([
    ['SimplePolicy', 'of a blocked server', { 'mrf_simple.reject': ['*.far.example'] }, activity('Like')],
    ['SimplePolicy', 'of a server that is not accepted', { 'mrf_simple.accept': ['near.example'] }, activity('Follow')],
    ['SimplePolicy', 'that reports', { 'mrf_simple.report_removal': ['far.example'] }, activity('Flag')],
    ['SimplePolicy', 'that deletes', { 'mrf_simple.reject_deletes': ['far.example'] }, activity('Delete')],
    [
      'VocabularyPolicy',
      'of a type',
      { 'mrf_vocabulary.reject': ['Like'] },
      activity('Undo', { object: { type: 'Like' } }),
    ],
    ['UserAllowListPolicy', 'of an unlisted account', { 'mrf_user_allowlist.actors': many(1) }, activity('Like')],
    ['AntiFollowbotPolicy', 'of a follow bot', {}, activity('Follow'), { ...mo, nickname: 'followbot' }],
    [
      'AntiFollowbotPolicy',
      'of a bot by its shown name',
      {},
      activity('Follow'),
      { ...mo, displayName: 'Federation Bot' },
    ],
    ['AntiFollowbotPolicy', 'of a program', {}, activity('Follow'), { ...mo, actorType: 'Service' }],
    [
      'RemoteReportPolicy',
      'that reports',
      { 'mrf_remote_report.reject_all': true },
      activity('Flag', { content: 'rude' }),
    ],
    ['RemoteReportPolicy', 'about another server', {}, activity('Flag', { content: 'rude', object: MO })],
    ['RemoteReportPolicy', 'that gives no reason', {}, activity('Flag', { content: ' ' })],
    ['DropPolicy', 'of any kind', {}, activity('Like')],
  ])('%s is refused: one %s', (name, _which, changes, given, signer = mo) => {
    expect(refusal(name, changes, given, signer)).toEqual(expect.any(String));
  });

  it.each<[PolicyName, string, Changes, Activity]>([
    ['SimplePolicy', 'that deletes, of a blocked server', { 'mrf_simple.reject': ['far.example'] }, activity('Delete')],
    ['SimplePolicy', 'of an accepted server', { 'mrf_simple.accept': ['far.example'] }, activity('Like')],
    ['VocabularyPolicy', 'of an accepted type', { 'mrf_vocabulary.accept': ['Like'] }, activity('Like')],
    ['UserAllowListPolicy', 'of a listed account', { 'mrf_user_allowlist.actors': [MO] }, activity('Like')],
    ['AntiFollowbotPolicy', 'of a person', {}, activity('Follow')],
    ['RemoteReportPolicy', 'that gives a reason', {}, activity('Flag', { content: 'rude' })],
  ])('%s is accepted: one %s', (name, _case, changes, given) => {
    expect(refusal(name, changes, given, mo)).toBeUndefined();
  });

  it('UserAllowListPolicy is accepted when a listed account forwards it', () => {
    const forwarder = { ...mo, apId: 'https://near.example/users/ann', domain: 'near.example' };
    const listed = { 'mrf_user_allowlist.actors': ['https://near.example/users/ann'] };
    expect(refusal('UserAllowListPolicy', listed, activity('Create'), forwarder)).toBeUndefined();
  });
});

it('SimplePolicy removes pictures from profiles', () => {
  const picture = { url: 'https://far.example/a.png' };
  const profile = { uri: MO, avatar: picture, header: picture } as unknown as RemoteActor;
  const lists = { 'mrf_simple.avatar_removal': ['far.example'] };
  expect(POLICIES.SimplePolicy.profile?.(profile, settings(lists), ['far.example'])).toMatchObject({
    avatar: null,
    header: picture,
  });
});

/** A server has two names: the host of the address of its accounts, and the domain of their handles. */
const TWO_NAMES = 'https://ap.example/users/mo';
const ofTwoNames = { ...mo, apId: TWO_NAMES, domain: 'vanity.example' };

describe.each(['vanity.example', 'ap.example', '*.vanity.example', '*.ap.example'])(
  'the name %s of a server',
  (name) => {
    const [uri, author] = [TWO_NAMES, ofTwoNames];
    const other = name.includes('vanity') ? 'ap.example' : 'vanity.example';
    const activity = (type: string) =>
      parseActivity({ id: `${uri}#1`, type, actor: uri, object: ada.apId }) as Activity;
    const refusal = (policy: PolicyName, changes: Changes, type = 'Like', actor = author) =>
      POLICIES[policy].refusal?.(activity(type), settings(changes), actor, 'our.example');
    const posted = (changes: Changes) => filtered('SimplePolicy', { settings: changes, author });

    it.each<[list: string, type: string]>([
      ['mrf_simple.reject', 'Create'],
      ['mrf_simple.report_removal', 'Flag'],
      ['mrf_simple.reject_deletes', 'Delete'],
    ])('is matched by %s', (list, type) => {
      expect(refusal('SimplePolicy', { [list]: [name] }, type)).toEqual(expect.any(String));
      expect(refusal('SimplePolicy', { [list]: ['third.example'] }, type)).toBeUndefined();
    });

    it('is accepted only together with the other name', () => {
      expect(refusal('SimplePolicy', { 'mrf_simple.accept': [name] })).toEqual(expect.any(String));
      expect(posted({ 'mrf_simple.accept': [name] })).toEqual(expect.any(String));
      expect(refusal('SimplePolicy', { 'mrf_simple.accept': [name, other] })).toBeUndefined();
      expect(posted({ 'mrf_simple.accept': [name, other] })).toEqual(PLAIN);
    });

    it.each<[list: string, expected: unknown]>([
      ['reject', 'the server of its author is blocked'],
      ['media_removal', { ...PLAIN, hasMedia: false }],
      ['media_nsfw', { ...PLAIN, sensitive: true, hashtags: ['nsfw'] }],
      ['federated_timeline_removal', { ...PLAIN, visibility: unlisted }],
      ['followers_only', { ...PLAIN, visibility: forFollowers, isForFollowersOnly: true }],
    ])('applies to posts through mrf_simple.%s', (list, expected) => {
      expect(posted({ [`mrf_simple.${list}`]: [name] })).toEqual(expected);
    });

    it.each(['avatar', 'banner'])('applies to the %s of profiles', (picture) => {
      const profile = { uri, avatar: {}, header: {} } as unknown as RemoteActor;
      const lists = settings({ [`mrf_simple.${picture}_removal`]: [name] });
      const key = picture === 'avatar' ? 'avatar' : 'header';
      expect(POLICIES.SimplePolicy.profile?.(profile, lists, ['vanity.example', 'ap.example'])[key]).toBeNull();
    });
  },
);

it.each(['vanity.example', 'ap.example'])('policies with hosts match the name %s of a server', (name) => {
  const emojis = [{ shortcode: 'tea', url: 'https://ap.example/tea.png' }];
  const post = { emojis, attachments: [] } as unknown as RemoteStatus;
  const hosts = settings({ 'mrf_steal_emoji.hosts': [name] });
  expect(POLICIES.StealEmojiPolicy.effects?.(post, hosts, ofTwoNames)).toHaveLength(1);
  const like = parseActivity({ id: `${TWO_NAMES}#1`, type: 'Like', actor: TWO_NAMES, object: ada.apId }) as Activity;
  const listed = settings({ 'mrf_user_allowlist.actors': [`https://${name}/users/ann`] });
  expect(POLICIES.UserAllowListPolicy.refusal?.(like, listed, ofTwoNames, 'our.example')).toEqual(expect.any(String));
});
