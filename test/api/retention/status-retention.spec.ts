import { FollowsService } from '../../../src/accounts/index.js';
import { RetentionService } from '../../../src/retention/index.js';
import { InteractionsService, type ModeratedChanges, ModeratedStatusesService } from '../../../src/statuses/index.js';
import { useApp } from '../../support/servers/app.js';
import { type OldPost, storeOld } from '../../support/fixtures/retention.js';
import { expectCountersToMatchRows, ok, REMOTE_PICTURE } from '../../support/fixtures/statuses.js';
import type { Client } from '../../support/fixtures/world.js';

const app = useApp({ once: ['alice', 'bob'] });
let alice: Client;

const old = (name: string, changes = {}, days?: number) => storeOld(app, 'ann@far.test', name, changes, days);
const at = (id: string, action: string) => `/api/v1/statuses/${id}/${action}`;
const answerTo = (parent: OldPost) => ({ parent, inReplyToUri: parent.uri });
const POLL = {
  options: ['tea', 'coffee'].map((title) => ({ title, votes: 1 })),
  multiple: false,
  expiresAt: new Date(Date.now() + 86_400_000),
  voters: 2,
  mayBeMore: false,
  nonAnonymous: false,
};

/** A reason to keep a remote post, and how it comes about; returns a post only if it is another than the one it is given. */
const KEPT: Readonly<Record<string, (name: string) => Promise<OldPost>>> = {
  'its author is followed': (name) => storeOld(app, 'followed@far.test', name),
  'a request to follow its author waits': (name) => storeOld(app, 'asked@far.test', name),
  'its author is on a list': (name) => storeOld(app, 'listed@far.test', name),
  'it is younger': (name) => old(name, {}, 10),
  'it is bookmarked here': (name) => acted(name, (id) => alice.post(at(id, 'bookmark'))),
  'it is favourited here': (name) => acted(name, (id) => alice.post(at(id, 'favourite'))),
  'it has a reaction of somebody here': (name) =>
    acted(name, (id) => alice.put(`/api/v1/svc/statuses/${id}/reactions/☕`)),
  'it is boosted here': (name) => acted(name, (id) => alice.post(at(id, 'reblog'))),
  'it is answered here': (name) =>
    acted(name, (id) => alice.post('/api/v1/statuses', { status: 'a', in_reply_to_id: id })),
  'it is quoted here': (name) => acted(name, (id) => alice.post('/api/v1/statuses', { status: 'q', quote_id: id })),
  'its thread is muted here': (name) => acted(name, (id) => alice.post(at(id, 'mute'))),
  'it is reported': (name) =>
    acted(name, (id) => alice.post('/api/v1/reports', { account_id: app.world.id('ann@far.test'), status_ids: [id] })),
  'the staff marked it as sensitive, as its author did': (name) =>
    moderated(name, { sensitive: true }, { sensitive: true }),
  'the staff narrowed its visibility': (name) => moderated(name, { visibility: 1 }, { visibility: 'private' }),
  'somebody here voted in its poll': async (name) => {
    const status = await old(name, { poll: POLL });
    const { poll } = await ok<{ poll: { id: string } }>(alice.get(`/api/v1/statuses/${status.id}`));
    await ok(alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] }));
    return status;
  },
  'an answer to it is scheduled here': (name) =>
    acted(name, (id) =>
      alice.post('/api/v1/statuses', {
        status: 'later',
        in_reply_to_id: id,
        scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    ),
  'it mentions somebody here': (name) => old(name, { mentions: [{ accountId: app.world.id('alice'), silent: false }] }),
  'it is direct and addressed to somebody here': (name) =>
    old(name, { visibility: 3, mentions: [{ accountId: app.world.id('alice'), silent: true }] }),
  'its thread is a conversation of somebody here': (name) =>
    written(
      name,
      `insert into conversation_participants (account_id, conversation_id, last_status_id, participants)
       select a.id, s.conversation_id, s.id, '{}' from statuses s, accounts a where s.id = $1 and a.nickname = 'alice'`,
    ),
  'it is pinned': (name) =>
    written(name, 'insert into pins (status_id, account_id) select id, author_id from statuses where id = $1'),
  'somebody here has a notification of it': (name) =>
    written(
      name,
      `insert into notifications (receiver_id, type, from_id, status_id) select a.id, 'update', s.author_id, s.id
      from statuses s, accounts a where s.id = $1 and a.nickname = 'alice'`,
    ),
  'a filter of somebody here names it': (name) =>
    written(
      name,
      `with f as (insert into filters (account_id, title, contexts, action) select id, 't', '{home}', 'warn'
      from accounts where nickname = 'alice' returning id) insert into filter_statuses (filter_id, status_id) select id, $1 from f`,
    ),
  'it has a hashtag that somebody here follows': (name) => old(name, { tags: ['tea'] }),
  'its thread has a post of somebody here': async (name) => {
    const root = await old(name);
    const reply = await old(`${name}-reply`, answerTo(root));
    await app.sql(
      `with own as (
         insert into statuses (id, author_id, uri, visibility, local, conversation_id)
         select '0' || substr(id, 2), $2, 'https://svc.test/objects/' || id, 0, true, conversation_id from statuses where id = $1)
       update account_stats set statuses_count = statuses_count + 1 where account_id = $2`,
      [reply.id, app.world.id('alice')],
    );
    return root;
  },
  'its thread has a younger post': async (name) => {
    const root = await old(name);
    const reply = await old(`${name}-reply`, answerTo(root));
    await old(`${name}-young`, answerTo(reply), 1);
    return root;
  },
  'an account that is followed here answered it': async (name) => {
    const root = await old(name);
    await storeOld(app, 'followed@far.test', `${name}-reply`, answerTo(root));
    return root;
  },
  'an account that is followed here boosted it': async (name) => boosted(await old(name), 'followed@far.test', 90),
  'it was boosted not long ago': async (name) => boosted(await old(name), 'fan@far.test', 1),
  'an account that is followed here quoted it': async (name) => {
    const quoted = await old(name);
    await storeOld(app, 'followed@far.test', `${name}-quote`, { quoteUri: quoted.uri, quoteOfId: quoted.id });
    return quoted;
  },
  'its quote is bookmarked here': async (name) => {
    const quoted = await old(name);
    const quote = await old(`${name}-quote`, { quoteUri: quoted.uri, quoteOfId: quoted.id });
    await ok(alice.post(at(quote.id, 'bookmark')));
    return quoted;
  },
  'its answer is favourited here': async (name) => {
    const root = await old(name);
    const reply = await old(`${name}-reply`, answerTo(root));
    await ok(alice.post(at(reply.id, 'favourite')));
    return root;
  },
  'its answer is boosted here': async (name) => {
    const root = await old(name);
    const reply = await old(`${name}-reply`, answerTo(root));
    await ok(alice.post(at(reply.id, 'reblog')));
    return root;
  },
  'its quote is quoted here': async (name) => {
    const quoted = await old(name);
    const quote = await old(`${name}-quote`, { quoteUri: quoted.uri, quoteOfId: quoted.id });
    await ok(alice.post('/api/v1/statuses', { status: 'q', quote_id: quote.id }));
    return quoted;
  },
};

/** What does not keep a post. */
const GONE: Readonly<Record<string, (name: string) => Promise<OldPost>>> = {
  'nothing is about it': (name) => old(name),
  'its author mentioned, tagged, attached and asked': (name) =>
    old(name, {
      mentions: [{ accountId: app.world.id('fan@far.test'), silent: false }],
      tags: ['coffee'],
      attachments: [REMOTE_PICTURE],
      poll: POLL,
    }),
  'remote accounts answered, boosted and favourited it long ago': async (name) => {
    const root = await old(name);
    await storeOld(app, 'fan@far.test', `${name}-reply`, answerTo(root));
    await app.get(InteractionsService).favourite(root.id, app.world.id('fan@far.test'), {
      kind: 'remote',
      uri: 'https://far.test/likes/1',
    });
    return boosted(root, 'fan@far.test', 90);
  },
};

async function acted(name: string, act: (id: string) => ReturnType<Client['post']>): Promise<OldPost> {
  const status = await old(name);
  await act(status.id).expect(200);
  return status;
}

async function moderated(name: string, given: object, changes: ModeratedChanges): Promise<OldPost> {
  const status = await old(name, given);
  await app.get(ModeratedStatusesService).change(status.id, changes);
  return status;
}

async function written(name: string, statement: string): Promise<OldPost> {
  const status = await old(name);
  await app.sql(statement, [status.id]);
  return status;
}

async function boosted(status: OldPost, by: string, days: number): Promise<OldPost> {
  const remote = { uri: `https://far.test/boosts/${status.id}`, publishedAt: new Date(Date.now() - days * 86_400_000) };
  await app.get(InteractionsService).reblog(status.id, app.world.id(by), undefined, remote);
  return status;
}

describe('remote posts that nobody here needs', () => {
  const stored = new Map<string, string>();
  const isStored = async (reason: string) =>
    (await app.sql('select from statuses where id = $1', [stored.get(reason)])).length === 1;
  let preview: number;
  let removed: number;
  let before: number;

  beforeAll(async () => {
    alice = await app.world.as('alice');
    for (const name of ['ann', 'fan', 'followed', 'asked', 'listed']) await app.world.remote(name, 'far.test');
    await app.get(FollowsService).follow(app.world.id('bob'), app.world.id('followed@far.test'), {});
    await app.sql(`update follows set state = 1`);
    await app.get(FollowsService).follow(app.world.id('bob'), app.world.id('asked@far.test'), {});
    await app.sql(
      `with l as (insert into lists (account_id, title) values ($1, 'l') returning id)
       insert into list_members (list_id, account_id) select id, $2 from l`,
      [app.world.id('alice'), app.world.id('listed@far.test')],
    );
    await ok(alice.post('/api/v1/tags/tea/follow'));
    for (const [at, [reason, make]] of Object.entries({ ...KEPT, ...GONE }).entries())
      stored.set(reason, (await make(`post${at}`)).id);
    const service = app.get(RetentionService);
    preview = (await service.dryRun('posts', 30)).rows;
    const count = async () => (await app.sql('select from statuses where not local and reblog_of_id is null')).length;
    before = await count();
    removed = (await service.removeNow('posts', 30)).rows;
    before -= await count();
  }, 60_000);

  it.each(Object.keys(KEPT))('stay when %s', async (reason) => {
    expect(await isStored(reason)).toBe(true);
  });

  it.each(Object.keys(GONE))('go when %s', async (reason) => {
    expect(await isStored(reason)).toBe(false);
  });

  it('are those that the preview counted', () => {
    expect({ preview, removed }).toEqual({ preview: before, removed: before });
    expect(before).toBeGreaterThanOrEqual(Object.keys(GONE).length);
  });

  it('leave correct counters, no tombstones, no files and no boosts without a post', async () => {
    await expectCountersToMatchRows(app);
    const totals = await app.sql<{ count: number }>(
      `select sum(count)::int as count from status_totals where domain = 'far.test'`,
    );
    const rows = await app.sql(`select from statuses where not local and reblog_of_id is null`);
    expect(totals).toEqual([{ count: rows.length }]);
    expect(await app.sql('select from tombstones')).toEqual([]);
    expect(await app.sql('select from attachments')).toEqual([]);
    expect(
      await app.sql(`select name from jobs where key like 'poll-end:' || $1`, [stored.get(Object.keys(GONE)[1]!)]),
    ).toEqual([]);
  });
});
