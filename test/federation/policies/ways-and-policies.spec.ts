import type { Socket } from 'node:dgram';
import { unique } from '../../../src/common/index.js';
import { type PolicyName, SettingsService } from '../../../src/config/index.js';
import { POLICIES as ALL_POLICIES } from '../../../src/federation/policies/policies.js';
import { startZone } from '../../support/federation/dns-zone.js';
import { newKey, type RawActor, sendTo, useBeside, usePeer } from '../../support/federation/raw-peer.js';
import { makeFollows } from '../../support/fixtures/factories.js';
import type { Client } from '../../support/fixtures/world.js';

/** Every way by which a post of another server comes in, against every policy that refuses posts. */
type Json = Readonly<Record<string, unknown>>;
type Settings = Readonly<Record<string, unknown>>;
const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public';

let listed: RawActor;
/** A name server whose zone lists the server listed.example. */
let zone: Socket;
const far = usePeer('far.example');
const near = usePeer('near.example');
const listing = usePeer('listed.example');
const app = useBeside([far, near, listing], { once: ['ada'] });
let ada: Client;
/** Followed by ada, on the server far. */
let mo: RawActor;
let robot: RawActor;
/** Followed by ada, on the server near. */
let friend: RawActor;
let group: RawActor;
let relay: RawActor;
/** The address of a picture of which the server near, as an API, says that it is sensitive. */
let picture: string;
/** A post of ada. */
let question: string;
const key = newKey();
let count = 0;

beforeAll(async () => {
  zone = await startZone({ 'listed.example.bl.example': '127.0.0.2' });
  ada = await app.world.as('ada');
  const made = { published: '2020-01-01T00:00:00Z' };
  mo = far.actor('mo', key, { ...made, followers: `${far.url}/users/mo/followers` });
  robot = far.actor('robot', key, { ...made, type: 'Service' });
  [friend, group] = [near.actor('friend', key), near.actor('group', key, { type: 'Group' })];
  listed = listing.actor('lou', key, made);
  relay = near.actor('relay', key, { type: 'Application' });
  for (const actor of [mo, listed, robot, friend, group, relay])
    await sendTo(app, actor, { id: `${actor.uri}#note`, type: 'Create', object: note(actor, {}) });
  for (const { uri } of [mo, friend, group]) await makeFollows(app, app.world.id('ada'), await idOf(uri));
  await app.sql(
    `insert into relays (address, style, state, inbox, follow_uri, account_id)
     select $1, 'mastodon', 'accepted', $1, $1, id from accounts where ap_id = $1`,
    [relay.uri],
  );
  picture = `${far.url}/pictures/1.png`;
  near.answers.set(`/?url=${encodeURIComponent(picture)}`, { score: 1 });
  question = ((await ada.post('/api/v1/statuses', { status: 'tea?' }).expect(200)).body as { uri: string }).uri;
});
afterAll(() => {
  zone.close();
});

const changed = new Set<string>();
async function set(values: Settings): Promise<void> {
  for (const path of Object.keys(values)) changed.add(path);
  await app.get(SettingsService).update(Object.entries(values).map(([path, value]) => ({ path, value })));
}
async function reset(): Promise<void> {
  for (const path of changed) await app.get(SettingsService).reset(path);
  changed.clear();
}
afterEach(reset);

/** A post that its server serves. */
function note(author: RawActor, changes: Json): Json & { readonly id: string } {
  const id = `${author.uri}/notes/${(count += 1)}`;
  const cc = [`${app.env.baseUrl}/users/ada`, ...((changes['cc'] as string[] | undefined) ?? [])];
  const made = { id, type: 'Note', attributedTo: author.uri, content: '<p>milk</p>', to: [PUBLIC] };
  const document = { ...made, published: new Date().toISOString(), ...changes, cc };
  [far, near, listing].find(({ url }) => author.uri.startsWith(url))!.answers.set(new URL(id).pathname, document);
  return document;
}
const idOf = async (uri: string) =>
  (await app.sql<{ id: string }>('select id from accounts where ap_id = $1', [uri]))[0]!.id;
const isStored = async (uri: string, text?: string) => {
  const rows = await app.sql<{ content_html: string }>('select content_html from statuses where uri = $1', [uri]);
  return rows.length > 0 && (text === undefined || rows[0]!.content_html.includes(text));
};
const create = (object: Json & { readonly id: string }, by: RawActor) =>
  sendTo(app, by, { id: `${object.id}#create`, type: 'Create', object, to: object['to'], cc: object['cc'] });
const announce = (by: RawActor, object: unknown) =>
  sendTo(app, by, { id: `${by.uri}#${(count += 1)}`, type: 'Announce', object, to: [PUBLIC] });

/** A post that a policy refuses: its author, what makes it so, and the settings. */
interface Refused {
  readonly author?: () => RawActor;
  readonly note?: () => Json;
  readonly settings: () => Settings;
}
/** Followed by nobody and without a post, on the server far. */
const stranger = () => far.actor(`stranger${(count += 1)}`, key);
const many = (length: number) => Array.from({ length }, (_, at) => `${far.url}/users/nobody${at}`);
const only = (policy: string, settings: Settings = {}) => ({ 'mrf.policies': [policy], ...settings });

const POLICIES: readonly [name: string, refused: Refused][] = [
  ['SimplePolicy', { settings: () => only('SimplePolicy', { 'mrf_simple.reject': [far.host] }) }],
  [
    'SimplePolicy with accepted servers',
    { settings: () => only('SimplePolicy', { 'mrf_simple.accept': [near.host] }) },
  ],
  [
    'KeywordPolicy',
    {
      note: () => ({ content: '<p>more <b>cof</b>fee</p>' }),
      settings: () => only('KeywordPolicy', { 'mrf_keyword.reject': ['coffee'] }),
    },
  ],
  [
    'DNSRBLPolicy',
    {
      author: () => listed,
      settings: () => only('DNSRBLPolicy', { 'mrf_dnsrbl.zone': 'bl.example', 'mrf_dnsrbl.port': zone.address().port }),
    },
  ],
  [
    'NsfwApiPolicy',
    {
      note: () => ({ attachment: [{ type: 'Image', mediaType: 'image/png', url: picture }] }),
      settings: () => only('NsfwApiPolicy', { 'mrf_nsfw_api.url': `${near.url}/`, 'mrf_nsfw_api.reject': true }),
    },
  ],
  [
    'UserAllowListPolicy',
    { settings: () => only('UserAllowListPolicy', { 'mrf_user_allowlist.actors': [`${far.url}/users/zoe`] }) },
  ],
  [
    'VocabularyPolicy',
    {
      note: () => ({ type: 'Page', name: 'Milk' }),
      settings: () => only('VocabularyPolicy', { 'mrf_vocabulary.reject': ['Page'] }),
    },
  ],
  [
    'SubchainPolicy with DropPolicy',
    { settings: () => only('SubchainPolicy', { 'mrf.subchains': [['~r/mo$/', ['DropPolicy']]] }) },
  ],
  ['HellthreadPolicy', { note: () => ({ cc: many(21) }), settings: () => only('HellthreadPolicy') }],
  [
    'MentionPolicy',
    {
      note: () => ({ cc: many(1) }),
      settings: () => only('MentionPolicy', { 'mrf_mention.actors': many(1) }),
    },
  ],
  [
    'HashtagPolicy',
    {
      note: () => ({ tag: [{ type: 'Hashtag', name: '#Spam' }] }),
      settings: () => only('HashtagPolicy', { 'mrf_hashtag.reject': ['spam'] }),
    },
  ],
  [
    'ObjectAgePolicy',
    {
      note: () => ({ published: '2020-01-01T00:00:00Z' }),
      settings: () => only('ObjectAgePolicy', { 'mrf_object_age.actions': ['reject'] }),
    },
  ],
  ['RejectNonPublic', { note: () => ({ to: [`${mo.uri}/followers`] }), settings: () => only('RejectNonPublic') }],
  [
    'AntiLinkSpamPolicy',
    {
      author: stranger,
      note: () => ({ content: '<a href="https://shop.example">buy</a>' }),
      settings: () => only('AntiLinkSpamPolicy'),
    },
  ],
  [
    'AntiMentionSpamPolicy',
    { author: stranger, note: () => ({ cc: many(6) }), settings: () => only('AntiMentionSpamPolicy') },
  ],
  [
    'BlockBotReplies',
    { author: () => robot, note: () => ({ inReplyTo: question }), settings: () => only('BlockBotReplies') },
  ],
];

interface Way {
  /** The kinds of posts that do not come this way at all, for any settings. */
  readonly never?: readonly string[];
  readonly arrives: (author: RawActor, changes: Json, policies: () => Promise<void>) => Promise<boolean>;
}

/** A way by which what another account says leads to the post. */
const byAnother = (say: (uri: string, document: Json) => Promise<void>): Way['arrives'] => {
  return async (author, changes, policies) => {
    const post = note(author, changes);
    await policies();
    await say(post.id, post);
    return isStored(post.id);
  };
};
const referring = (key: string) => byAnother((uri) => create(note(friend, { [key]: uri, to: [PUBLIC] }), friend));

const WAYS: readonly [name: string, way: Way][] = [
  [
    'a Create',
    {
      async arrives(author, changes, policies) {
        const post = note(author, changes);
        await policies();
        await create(post, author);
        return isStored(post.id);
      },
    },
  ],
  [
    'a Create that another server forwards',
    {
      arrives: byAnother((uri, object) =>
        sendTo(app, friend, { id: `${uri}#create`, type: 'Create', actor: object['attributedTo'], object }),
      ),
    },
  ],
  [
    'an Update',
    {
      never: ['AntiLinkSpamPolicy', 'ObjectAgePolicy'], // the author of a stored post is known, and it was fresh when it came
      async arrives(author, changes, policies) {
        const post = note(author, {});
        await create(post, author);
        await policies();
        const object: Json = {
          ...post,
          ...changes,
          cc: [...(post['cc'] as string[]), ...((changes['cc'] as string[] | undefined) ?? [])],
        };
        const content = `${String(object['content'])}<p>anew</p>`;
        await sendTo(app, author, {
          id: `${post.id}#update`,
          type: 'Update',
          object: { ...object, content, updated: new Date().toISOString() },
        });
        return isStored(post.id, 'anew');
      },
    },
  ],
  ['a boost by a friend', { arrives: byAnother((uri) => announce(friend, uri)) }],
  ['a quote by a friend', { arrives: referring('quoteUrl') }],
  ['an answer by a friend', { arrives: referring('inReplyTo') }],
  [
    'a search for its address',
    {
      arrives: byAnother(async (q) => {
        await ada.get('/api/v2/search', { q, resolve: true }).expect(200);
      }),
    },
  ],
  ['an Announce of a relay', { arrives: byAnother((uri) => announce(relay, uri)) }],
  [
    'an Announce of a group that wraps its Create',
    {
      arrives: byAnother((uri, object) =>
        announce(group, { id: `${uri}#create`, type: 'Create', actor: object['attributedTo'], object, to: [PUBLIC] }),
      ),
    },
  ],
];

/** Policies that refuse no post of another server: they change it, are about posts of this server, or about other activities. */
const NEVER_REFUSE: readonly PolicyName[] = [
  'EnsureRePrepended',
  'NoPlaceholderTextPolicy',
  'NoEmptyPolicy',
  'QuietReply',
  'FODirectReply',
  'EmojiPolicy',
  'NormalizeMarkup',
  'InlineQuotePolicy',
  'QuoteToLinkTagPolicy',
  'ForceMention',
  'ForceMentionsInContent',
  'ForceBotUnlistedPolicy',
  'AntiFollowbotPolicy',
  'ActivityExpirationPolicy',
  'RemoteReportPolicy',
  'StealEmojiPolicy',
  'MediaProxyWarmingPolicy',
  'FollowBotPolicy',
  'NoOpPolicy',
];

it('the table has every policy that may refuse a post of another server', () => {
  const tried = POLICIES.flatMap(([, { settings }]) => namesIn(settings()));
  expect(unique([...tried, ...NEVER_REFUSE]).sort()).toEqual(Object.keys(ALL_POLICIES).sort());
  expect(tried.filter((name) => (NEVER_REFUSE as readonly unknown[]).includes(name))).toEqual([]);
});

it('ObjectAgePolicy refuses no edit of a post that was fresh when it arrived', async () => {
  const post = note(mo, {});
  await create(post, mo);
  await set(only('ObjectAgePolicy', { 'mrf_object_age.actions': ['reject'], 'mrf_object_age.threshold': 0 }));
  const object = { ...post, content: '<p>cream</p>', updated: new Date().toISOString() };
  await sendTo(app, mo, { id: `${post.id}#update`, type: 'Update', object });
  expect(await isStored(post.id, 'cream')).toBe(true);
});

/** The policies that settings switch on, in chains too. */
function namesIn(settings: Settings): string[] {
  const chains = (settings['mrf.subchains'] ?? []) as [string, string[]][];
  return [...(settings['mrf.policies'] as string[]), ...chains.flatMap(([, names]) => names)];
}

describe.each(POLICIES)('%s', (policy, { author = () => mo, note: changes = () => ({}), settings }) => {
  it.each(WAYS.filter(([, { never = [] }]) => !never.includes(policy)))(
    'refuses a post that arrives by %s',
    async (_way, { arrives }) => {
      expect(await arrives(author(), changes(), () => Promise.resolve())).toBe(true);
      expect(await arrives(author(), changes(), () => set(settings()))).toBe(false);
    },
  );
});
