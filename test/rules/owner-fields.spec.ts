import type { FilterJson } from '../../src/timelines/index.js';
import { useApp } from '../support/servers/app.js';
import { builtEndpoints, type Endpoint } from '../support/fixtures/endpoints.js';
import { Subscriber } from '../support/servers/push-service.js';
import { ok, post, reblog } from '../support/fixtures/statuses.js';
import type { Client } from '../support/fixtures/world.js';

/*
 * Fields that only the owner may read (threat V12): alice's account, posts and other data contain words that no other account may
 * read. Every reading route is requested with their ids, by alice, who must find every word, and by others.
 */

const EXPIRY = '2091-02-03T04:05:06.000Z';
const BIRTHDAY = '1971-12-24';
const PUSHED = 'https://push.example/canary-push';
/** Words that occur only in alice's rows. */
const CANARIES = {
  'settings of frontends': 'canary-settings',
  'a note about somebody': 'canary-note',
  'the title of a list': 'canary-list',
  'the title of a filter': 'canary-filter',
  'a word of a filter': 'canary-keyword',
  'a bookmark folder': 'canary-folder',
  'a post for later': 'canary-scheduled',
  'a direct post': 'canary-direct',
  'what was typed': 'canary-source',
  'a push subscription': PUSHED,
  'when a post is deleted': EXPIRY,
  'a birthday': BIRTHDAY,
  'a blocked server': 'canary-blocked.test',
  'a reading position': '810719925474011',
};
/** Words that no answer contains. */
const NEVER = {
  'a report': 'canary-report',
  'an e-mail address': 'alice@mail.test',
  'a reason to join': 'canary-reason',
  'a hash': '$argon2',
};

const app = useApp({ once: ['alice', 'bob', 'carol', 'mod'] });
const ids = new Map<string, string>();
const counts = { answers: 0, shown: 0 };

const reading = builtEndpoints().filter(({ method }) => method === 'GET');
const READERS = ['bob', 'carol', 'mod'];

beforeAll(async () => {
  await app.sql('update accounts set hide_favorites = false, discoverable = true');
  await app.sql(`update users set is_moderator = true where account_id = $1`, [app.world.id('mod')]);
  for (const [follower, followee] of [
    ['bob', 'alice'],
    ['alice', 'bob'],
  ] as const)
    await app.world.follow(follower, followee);
  await keepSecrets(await app.world.as('alice'));
  await app.drain();
});
afterAll(() => {
  console.log(`owner's fields: ${counts.shown} rightly shown, none in ${counts.answers} answers to others`);
});

async function keepSecrets(alice: Client): Promise<void> {
  const [me, bob] = [app.world.id('alice'), app.world.id('bob')];
  const made = async (path: string, values: object) => ok<{ id: string }>(alice.post(path, { ...values }));
  await ok(
    alice.patch('/api/v1/accounts/update_credentials', {
      svc_settings_store: { app: { a: 'canary-settings' } },
      birthday: BIRTHDAY,
    }),
  );
  await app.sql(`update users set registration_reason = 'canary-reason' where account_id = $1`, [me]);
  await ok(alice.post(`/api/v1/accounts/${bob}/note`, { comment: 'canary-note' }));
  await ok(alice.post('/api/v1/domain_blocks', { domain: 'canary-blocked.test' }));
  await ok(alice.post('/api/v1/reports', { account_id: app.world.id('carol'), comment: 'canary-report' }));
  await ok(alice.post('/api/v1/markers', { home: { last_read_id: '810719925474011' } }));
  const { id: list } = await made('/api/v1/lists', { title: 'canary-list' });
  await ok(alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob] }));
  const filter = (await made('/api/v2/filters', {
    title: 'canary-filter',
    context: ['home'],
    keywords_attributes: [{ keyword: 'canary-keyword' }],
  })) as FilterJson;
  const { id: folder } = await made('/api/v1/svc/bookmark_folders', { name: 'canary-folder' });
  const scheduled = await made('/api/v1/statuses', {
    status: 'canary-scheduled',
    scheduled_at: '2090-01-01T00:00:00Z',
  });
  const { svc } = await post(app, 'alice', '@carol canary-direct', { visibility: 'direct' });
  const shown = await post(app, 'alice', '**tea** #canary @bob', { content_type: 'text/markdown' });
  await app.sql('update statuses set source = $2, expires_at = $3, version = version + 1 where id = $1', [
    shown.id,
    'canary-source',
    EXPIRY,
  ]);
  await ok(alice.post(`/api/v1/statuses/${shown.id}/bookmark`, { folder_id: folder }));
  await ok(alice.post(`/api/v1/statuses/${shown.id}/pin`));
  for (const name of READERS) {
    const client = await app.world.as(name);
    await ok(client.post(`/api/v1/statuses/${shown.id}/favourite`));
    await ok(client.post(`/api/v1/statuses/${shown.id}/bookmark`));
    await reblog(app, name, shown.id);
  }
  await made('/api/v1/push/subscription', { subscription: { endpoint: PUSHED, keys: new Subscriber(PUSHED).keys } });
  const entries = {
    list,
    account: me,
    status: shown.id,
    filter: filter.id,
    keyword: filter.keywords[0]!.id,
    scheduled: scheduled.id,
  };
  for (const [name, id] of Object.entries({ ...entries, conversation: svc.direct_conversation_id! })) ids.set(name, id);
}

/** The route with alice's ids, as far as its path shows the kind of the resource. */
function pathOf({ path }: Endpoint): string {
  const kinds: [RegExp, string][] = [
    [/lists?\/:/, 'list'],
    [/accounts\/:/, 'account'],
    [/filters\/keywords\/:/, 'keyword'],
    [/filters\/:/, 'filter'],
    [/scheduled_statuses\/:/, 'scheduled'],
    [/conversations\/:/, 'conversation'],
    [/statuses\/:/, 'status'],
  ];
  const kind = kinds.find(([pattern]) => pattern.test(path))?.[1];
  const named: Record<string, string> = {
    ':hashtag': 'canary',
    ':nickname': 'alice',
    ':app': 'app',
    ':version': '2.1',
    ':emoji': 'x',
  };
  return path.replace(/:\w+/g, (name) => named[name] ?? (kind ? ids.get(kind)! : '1'));
}

async function answerTo(client: Client, route: Endpoint): Promise<string> {
  const list = ids.get('list')!;
  const query = {
    ids: [ids.get('status')],
    id: [app.world.id('bob')],
    acct: 'alice',
    q: 'alice',
    list,
    tag: 'canary',
    'timeline[]': 'home',
    day: 24,
    month: 12,
    with_relationships: true,
    resource: 'acct:alice@svc.test',
  };
  const { text, headers } = await client.get(pathOf(route), query);
  counts.answers += 1;
  return `${JSON.stringify(headers)} ${text}`;
}

/** Notes contain their source (ActivityPub §3.3), so that remote servers can offer it for quotes and edits. */
const WITH_SOURCE = /^\/(?:users\/:nickname|objects|contexts)\//;

const found = (answer: string, words: Readonly<Record<string, string>>) =>
  Object.entries(words).flatMap(([name, word]) => (answer.includes(word) ? [name] : []));

describe('V12 a private field', () => {
  it('is shown to its owner', async () => {
    const alice = await app.world.as('alice');
    const shown = new Set<string>();
    for (const route of reading) for (const name of found(await answerTo(alice, route), CANARIES)) shown.add(name);
    expect(Object.keys(CANARIES).filter((name) => !shown.has(name))).toEqual([]);
    counts.shown = shown.size;
    counts.answers = 0;
  });

  it.each(reading)('is not shown to others by $method $path', async (route) => {
    const clients = [
      app.world.anonymous,
      await app.world.asApp('read'),
      ...(await Promise.all(READERS.map((name) => app.world.as(name)))),
    ];
    for (const client of clients) {
      const own = client.token === clients[3]!.token ? ['a direct post'] : []; // carol is a recipient
      if (WITH_SOURCE.test(route.path)) own.push('what was typed');
      const answer = await answerTo(client, route);
      expect(found(answer, { ...CANARIES, ...NEVER }).filter((name) => !own.includes(name))).toEqual([]);
    }
    expect(found(await answerTo(await app.world.as('alice'), route), NEVER)).toEqual([]);
  });
});
