import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsService } from '../../../src/config/index.js';
import { MediaBansService } from '../../../src/media/index.js';
import { type Cast, type Member, startCast } from '../../support/federation/servers.js';
import { addEmoji } from '../../support/fixtures/emoji.js';
import { upload } from '../../support/fixtures/uploads.js';
import { ok } from '../../support/fixtures/statuses.js';

const HOST = '127.0.0.1';

let pair: Cast;
let alice: Member;
let bob: Member;
let service: SettingsService;

beforeAll(async () => {
  pair = await startCast();
  ({ alice, bob } = pair);
  service = pair.beta.get(SettingsService);
});
afterAll(() => pair.close());

const changed: string[] = [];
async function set(path: string, value: unknown): Promise<void> {
  changed.push(path);
  await service.update([{ path, value }]);
}
afterEach(async () => {
  for (const path of changed.splice(0)) await service.reset(path);
});

describe('a policy of the receiving server', () => {
  it('changes posts before they are shown', async () => {
    await set('mrf_simple.federated_timeline_removal', [[HOST, 'loud']]);
    await set('mrf_simple.media_nsfw', [HOST]);
    const post = await pair.write(alice, 'tea');
    expect(await bob.copyOf(post)).toMatchObject({ visibility: 'unlisted', sensitive: true });
  });

  it('refuses posts that match', async () => {
    await set('mrf.policies', ['KeywordPolicy']);
    await set('mrf_keyword.reject', ['~r/buy\\s+now/i']);
    const [refused, passed] = [await pair.write(alice, 'Buy  now!'), await pair.write(alice, 'tea')];
    expect(await bob.copyOf(refused)).toBeUndefined();
    expect(await bob.copyOf(passed)).toMatchObject({ visibility: 'public' });
  });

  it('refuses posts of local users and gives the reason', async () => {
    await set('mrf.policies', ['KeywordPolicy']);
    await set('mrf_keyword.reject', ['coffee']);
    const { status, body } = await bob.post('/api/v1/statuses', { status: 'more coffee' });
    expect([status, body]).toEqual([422, { error: '[KeywordPolicy] it contains a forbidden text' }]);
    const post = await bob.write('more tea');
    await bob.put(`/api/v1/statuses/${post.id}`, { status: 'coffee' }).expect(422);
  });

  it('changes posts of local users', async () => {
    await set('mrf.policies', ['KeywordPolicy', 'ActivityExpirationPolicy']);
    await set('mrf_keyword.replace', [['coffee', 'tea']]);
    const post = await pair.write(bob, 'more coffee');
    expect(await alice.copyOf(post)).toMatchObject({ content: '<p>more tea</p>' });
    expect(post).toMatchObject({ content: '<p>more tea</p>', svc: { expires_at: expect.any(String) as string } });
  });
});

describe('the policies of mentions', () => {
  it('name the quoted author in a quote of another server', async () => {
    await set('mrf.policies', ['ForceMention', 'ForceMentionsInContent']);
    const { id } = (await alice.copyOf(await pair.write(bob, 'tea')))!;
    const copy = (await bob.copyOf(await pair.write(alice, 'see', { quote_id: id })))!;
    expect(copy.mentions.map(({ acct }) => acct)).toEqual(['bob']);
    expect(copy.content).toMatch(/^<p><span class="recipients-inline"><span class="h-card"><a class="u-url mention" /);
    expect(copy.svc.content['text/plain']).toContain('@bob see');
  });

  it('name the quoted author in a quote of this server, also after an edit', async () => {
    await set('mrf.policies', ['ForceMention', 'ForceMentionsInContent']);
    const { id } = (await bob.copyOf(await pair.write(alice, 'tea')))!;
    const quote = await pair.write(bob, 'see', { quote_id: id });
    await ok(bob.put(`/api/v1/statuses/${quote.id}`, { status: 'look' }));
    await pair.settle();
    const shown = (await alice.copyOf(quote))!;
    expect(shown.mentions.map(({ acct }) => acct)).toEqual(['alice']);
    expect(shown.svc.content['text/plain']).toContain('@alice look');
    expect(await alice.notifications('mention')).toHaveLength(1);
  });
});

it('NoEmptyPolicy lets a quote without a text be edited', async () => {
  await set('mrf.policies', ['NoEmptyPolicy']);
  const { id } = await bob.write('tea');
  const quote = await bob.write(`@${alice.handle}`, { quote_id: id });
  await ok(bob.put(`/api/v1/statuses/${quote.id}`, { status: `@${alice.handle} @erin` }));
});

describe.each([[['KeywordPolicy']], [['KeywordPolicy', 'NormalizeMarkup']]])('the policies %j', (policies) => {
  it('leave no script in the texts that they change', async () => {
    await set('mrf.policies', policies);
    await set('mrf_keyword.replace', [['coffee', '<em onclick="x">tea</em><script>x</script>']]);
    const [foreign, own] = [await pair.write(alice, 'more coffee'), await bob.write('more coffee')];
    for (const post of [await bob.copyOf(foreign), own]) {
      expect(post).toMatchObject({ content: '<p>more <em>tea</em></p>' });
    }
  });
});

describe('a policy with effects', () => {
  it('copies the emoji of a server unless they exist here, are banned or too large', async () => {
    await set('mrf.policies', ['StealEmojiPolicy']);
    await set('mrf_steal_emoji.hosts', [new URL(pair.alpha.url).host]);
    await addEmoji(pair.alpha, 'kettle', 'cup', 'pot');
    await pair.beta.get(MediaBansService).ban([`${pair.alpha.url}/emoji/Tea%20time/pot.png`]);
    await addEmoji(pair.beta, 'cup');
    await pair.write(alice, ':kettle: :cup: :pot:');
    const rows = await pair.beta.sql('select shortcode, pack, file from custom_emojis order by shortcode');
    expect(rows).toEqual([
      { shortcode: 'cup', pack: 'Tea time', file: 'cup.png' },
      { shortcode: 'kettle', pack: 'stolen', file: 'kettle.png' },
    ]);
    await set('mrf_steal_emoji.size_limit', 10);
    await addEmoji(pair.alpha, 'jug');
    await pair.write(alice, ':jug:');
    expect(await pair.beta.sql(`select from custom_emojis where shortcode = 'jug'`)).toEqual([]);
  });

  it('lets a bot account follow the authors of posts', async () => {
    const greeter = await pair.beta.member('greeter');
    await set('mrf.policies', ['FollowBotPolicy']);
    await set('mrf_follow_bot.follower_nickname', 'greeter');
    await pair.write(alice, 'a person is no bot');
    expect((await greeter.relationTo(alice)).following).toBe(false);
    await ok(greeter.patch('/api/v1/accounts/update_credentials', { bot: true }));
    await pair.write(alice, 'hello');
    await pair.write(alice, 'hello again');
    expect((await greeter.relationTo(alice)).following).toBe(true);
  });

  it('fetches media into the cache of the proxy, but none that is banned or of a trusted server', async () => {
    await set('mrf.policies', ['MediaProxyWarmingPolicy']);
    await set('media_proxy.enabled', true);
    const file = () => upload(pair.alpha, 'alice');
    const keptAfter = async (...ids: string[]) => {
      await pair.write(alice, 'look', { media_ids: ids });
      const kept = await readdir(join(pair.beta.env.dataDir, 'proxy'), { recursive: true, withFileTypes: true });
      return kept.filter((entry) => entry.isFile()).length;
    };
    const [shown, banned, trusted] = [await file(), await file(), await file()];
    await pair.beta.get(MediaBansService).ban([banned.url]);
    expect(await keptAfter(shown.id, banned.id)).toBe(1);
    await set('media_proxy.whitelist', [HOST]);
    expect(await keptAfter(trusted.id)).toBe(1);
  });
});

describe('a policy for some actors', () => {
  it('does not affect other actors', async () => {
    await set('mrf.policies', ['SubchainPolicy']);
    await set('mrf.subchains', [
      ['~r/alice$/', ['DropPolicy']],
      ['/users/erin', ['DropPolicy']],
    ]);
    const { carol } = pair;
    await bob.follow(carol);
    await pair.settle();
    const [refused, passed] = [await pair.write(alice, 'tea'), await pair.write(carol, 'tea')];
    expect(await bob.copyOf(refused)).toBeUndefined();
    expect(await bob.copyOf(passed)).toBeDefined();
    await pair.erin.post('/api/v1/statuses', { status: 'tea' }).expect(422);
    await bob.write('tea');
  });
});

describe('a blocked server', () => {
  it('neither sends nor receives posts, but its deletions are processed', async () => {
    const before = await pair.write(alice, 'before');
    await set('mrf_simple.reject', [HOST]);
    const hidden = await pair.write(alice, 'tea');
    const kept = await pair.write(bob, 'milk');
    expect(await bob.copyOf(hidden)).toBeUndefined();
    expect(await alice.copyOf(kept)).toBeUndefined();
    const found = await ok<{ accounts: unknown[] }>(bob.get('/api/v2/search', { q: hidden.uri, resolve: true }));
    expect(found).toMatchObject({ statuses: [] });

    await alice.delete(`/api/v1/statuses/${before.id}`).expect(200);
    await pair.settle();
    expect(await bob.copyOf(before)).toBeUndefined();
  });
});

it('a quarantined server receives public posts only', async () => {
  await set('instance.quarantined_instances', ['*.0.0.1']);
  const [open, closed] = [await pair.write(bob, 'open'), await pair.write(bob, 'closed', { visibility: 'private' })];
  expect(await alice.copyOf(open)).toBeDefined();
  expect(await alice.copyOf(closed)).toBeUndefined();
});

const told = async () => {
  const { body } = await pair.beta.http.get('/nodeinfo/2.1.json').expect(200);
  return (body as { metadata: { federation: Record<string, unknown> } }).metadata.federation;
};

it('NodeInfo lists the policies, their hosts and reasons, unless they are excluded or kept secret', async () => {
  await set('mrf_simple.reject', [['rude.example', 'rude'], 'Spam.example', 'quiet.example']);
  await set('mrf.transparency_exclusions', ['quiet.example']);
  expect(await told()).toMatchObject({
    exclusions: true,
    mrf_policies: ['SimplePolicy', 'HashtagPolicy'],
    mrf_simple: { reject: ['rude.example', 'spam.example'], accept: [] },
    mrf_simple_info: { reject: { 'rude.example': { reason: 'rude' } } },
  });
  await set('mrf.transparency', false);
  expect(await told()).toEqual({ enabled: true, exclusions: true, mrf_policies: [], quarantined_instances: [] });
});

it.each<[policy: string, changes: Record<string, unknown>, group: string, shown: unknown]>([
  [
    'KeywordPolicy',
    { 'mrf_keyword.reject': ['~r/tea/i'], 'mrf_keyword.replace': [['tea', 'milk']] },
    'mrf_keyword',
    {
      reject: ['~r/tea/i'],
      federated_timeline_removal: [],
      replace: [{ pattern: 'tea', replacement: 'milk' }],
    },
  ],
  ['HellthreadPolicy', {}, 'mrf_hellthread', { delist_threshold: 10, reject_threshold: 20 }],
  ['ObjectAgePolicy', {}, 'mrf_object_age', { threshold: 604_800, actions: ['delist', 'strip_followers'] }],
  ['HashtagPolicy', {}, 'mrf_hashtag', { reject: [], federated_timeline_removal: [], sensitive: ['nsfw'] }],
  ['RejectNonPublic', {}, 'mrf_rejectnonpublic', { allow_followersonly: false, allow_direct: false }],
  [
    'EmojiPolicy',
    { 'mrf_emoji.remove_shortcode': ['cat'] },
    'mrf_emoji',
    expect.objectContaining({ remove_shortcode: ['cat'] }),
  ],
  ['VocabularyPolicy', { 'mrf_vocabulary.reject': ['Like'] }, 'mrf_vocabulary', { accept: [], reject: ['Like'] }],
  [
    'NsfwApiPolicy',
    { 'mrf_nsfw_api.url': 'https://api.example/?key=tea', 'mrf_nsfw_api.unlist': true },
    'mrf_nsfw_api',
    { threshold: 0.7, mark_sensitive: true, unlist: true, reject: false },
  ],
  ['RemoteReportPolicy', {}, 'mrf_remote_report', expect.objectContaining({ reject_all: false })],
  [
    'UserAllowListPolicy',
    {
      'mrf_user_allowlist.actors': ['https://a.example/1', 'https://a.example/2', 'https://quiet.example/1'],
      'mrf.transparency_exclusions': ['quiet.example'],
    },
    'mrf_user_allowlist',
    { 'a.example': 2 },
  ],
])('NodeInfo contains the settings of %s only while the policy runs', async (policy, changes, group, shown) => {
  for (const [path, value] of Object.entries(changes)) await set(path, value);
  await set('mrf.policies', ['NoOpPolicy']);
  expect(Object.keys(await told()).filter((key) => key.startsWith('mrf_'))).toEqual(['mrf_policies']);
  await set('mrf.policies', [policy]);
  expect(await told()).toMatchObject({ mrf_policies: [policy], [group]: expect.any(Object) });
  expect((await told())[group]).toEqual(shown);
  await set('mrf.transparency', false);
  expect(Object.keys(await told())).not.toContain(group);
});
