import { AccountMoved, Followed, FollowRequested } from '../../src/accounts/index.js';
import { Events, UnitOfWork } from '../../src/platform/index.js';
import { Favourited, StatusCreated, StatusEdited } from '../../src/statuses/index.js';
import { useApp } from '../support/servers/app.js';
import { makeStatuses } from '../support/fixtures/factories.js';

/*
 * The rules of notifications (spec §10.16): each rule with each kind of cause, and for each rule the most similar case that
 * still causes a notification. The verdicts are written by hand, not computed.
 */

const CAUSES = [
  'mention',
  'status',
  'favourite',
  'reblog',
  'update',
  'quote',
  'quoted_update',
  'follow',
  'follow_request',
  'move',
] as const;
type Cause = (typeof CAUSES)[number];
type Verdict = 'notified' | 'notified as read' | 'not notified';

interface Rule {
  readonly name: string;
  readonly verdict: Verdict;
  /** Causes to which the rule does not apply, and their verdicts. */
  readonly except?: Partial<Record<Cause, Verdict>>;
  /** Statements that make the rule apply; `:receiver`, `:actor` and `:other` stand for the ids of accounts. */
  readonly sql?: readonly string[];
}

const block = (by: string, target: string, ends: string) =>
  `insert into blocks (account_id, target_id, expires_at) values (${by}, ${target}, ${ends})`;
const mute = (notifications: boolean, ends: string, target = ':actor') =>
  `insert into mutes (account_id, target_id, notifications, expires_at)
   values (:receiver, ${target}, ${notifications}, ${ends})`;
/** All posts, also those of the receiver. */
const NAMES_OTHER = [
  'insert into mentions (status_id, account_id) select id, :other from statuses where reblog_of_id is null',
  'update statuses set flags = 8 where reblog_of_id is null',
];
const ANSWERS_OTHER = ['update statuses set in_reply_to_account_id = :other where reblog_of_id is null'];
const muteThread = (ends: string) =>
  `insert into thread_mutes (account_id, conversation_id, expires_at)
   select :receiver, conversation_id, ${ends} from statuses where conversation_id is not null`;
const blockDomain = (domain: string) =>
  `insert into domain_blocks (account_id, domain) values (:receiver, '${domain}')`;
const deactivate = (account: string) => `update accounts set deactivated_at = now() where id = ${account}`;
const FOLLOW = 'insert into follows (follower_id, followee_id) values (:receiver, :actor) on conflict do nothing';
const REFUSE_STRANGERS = `update users set notification_settings = '{"block_from_strangers": true}'`;
const PAST = `now() - interval '1 minute'`;
const FUTURE = `now() + interval '1 hour'`;

/** Subscribers and receivers of a move are followers, so they are never strangers. */
const BUT_SUBSCRIBERS = { status: 'notified', move: 'notified' } as const;
/** Follows and moves do not belong to a thread. */
const BUT_FOLLOWS = { follow: 'notified', follow_request: 'notified', move: 'notified' } as const;

/** Those are about a post of the receiver, or about none. */
const BUT_OWN = { favourite: 'notified', reblog: 'notified', ...BUT_FOLLOWS } as const;
/** Subscribers are notified of no replies. */
const BUT_REPLIES = { ...BUT_OWN, status: 'not notified' } as const;

const RULES: readonly Rule[] = [
  { name: 'without any relation', verdict: 'notified' },
  { name: 'the receiver blocks', verdict: 'not notified', sql: [block(':receiver', ':actor', 'null')] },
  { name: 'the receiver blocks for an hour', verdict: 'not notified', sql: [block(':receiver', ':actor', FUTURE)] },
  { name: 'a block by the receiver has expired', verdict: 'notified', sql: [block(':receiver', ':actor', PAST)] },
  { name: 'the receiver is blocked', verdict: 'not notified', sql: [block(':actor', ':receiver', 'null')] },
  { name: 'a block of the receiver has expired', verdict: 'notified', sql: [block(':actor', ':receiver', PAST)] },
  { name: 'the domain is blocked', verdict: 'not notified', sql: [blockDomain('far.test')], except: BUT_SUBSCRIBERS },
  { name: 'the domain is blocked, the account followed', verdict: 'notified', sql: [FOLLOW, blockDomain('far.test')] },
  { name: 'another domain is blocked', verdict: 'notified', sql: [blockDomain('near.test')] },
  { name: 'strangers are refused', verdict: 'not notified', sql: [REFUSE_STRANGERS], except: BUT_SUBSCRIBERS },
  { name: 'strangers are refused, the account followed', verdict: 'notified', sql: [FOLLOW, REFUSE_STRANGERS] },
  { name: 'the receiver is deactivated', verdict: 'not notified', sql: [deactivate(':receiver')] },
  { name: 'the actor is deactivated', verdict: 'not notified', sql: [deactivate(':actor')] },
  { name: 'the receiver mutes, notifications too', verdict: 'notified as read', sql: [mute(true, 'null')] },
  { name: 'the receiver mutes posts only', verdict: 'notified', sql: [mute(false, 'null')] },
  { name: 'a mute has expired', verdict: 'notified', sql: [mute(true, PAST)] },
  { name: 'the thread is muted', verdict: 'notified as read', sql: [muteThread('null')], except: BUT_FOLLOWS },
  ...[
    { about: 'names', sql: NAMES_OTHER, except: BUT_OWN },
    { about: 'answers', sql: ANSWERS_OTHER, except: BUT_REPLIES },
  ].flatMap(({ about, sql, except }): Rule[] => [
    { name: `the post ${about} one the receiver does not know`, verdict: 'notified', sql, except },
    {
      name: `the post ${about} one the receiver blocks`,
      verdict: 'not notified',
      sql: [...sql, block(':receiver', ':other', 'null')],
      except,
    },
    {
      name: `the post ${about} one who blocks the receiver`,
      verdict: 'notified',
      sql: [...sql, block(':other', ':receiver', FUTURE)],
      except,
    },
    {
      name: `the post ${about} one whom the receiver blocked`,
      verdict: 'notified',
      sql: [...sql, block(':receiver', ':other', PAST)],
      except,
    },
    {
      name: `the post ${about} one whose notifications the receiver mutes`,
      verdict: 'notified as read',
      sql: [...sql, mute(true, 'null', ':other')],
      except,
    },
    {
      name: `the post ${about} one whose posts the receiver mutes`,
      verdict: 'notified',
      sql: [...sql, mute(false, 'null', ':other')],
      except,
    },
  ]),
  { name: 'the mute of the thread has expired', verdict: 'notified', sql: [muteThread(PAST)] },
];

describe('the receiver', () => {
  const app = useApp({ once: [] });
  let receiver: string;
  let actor: string;
  let target: string;
  let other: string;
  const verdicts = { notified: 0, 'notified as read': 0, 'not notified': 0 };

  beforeAll(async () => {
    receiver = (await app.world.person('receiver')).id;
    actor = (await app.world.remote('actor', 'far.test')).id;
    target = (await app.world.remote('actor', 'new.test')).id;
    other = (await app.world.remote('other', 'old.test')).id;
  });
  afterAll(() => {
    console.log(
      `notification rules: ${verdicts['not notified']} refused, ${verdicts['notified as read']} notified as read, ${verdicts.notified} notified`,
    );
  });
  beforeEach(async () => {
    for (const table of ['statuses', 'conversations', 'follows', 'blocks', 'mutes', 'domain_blocks', 'notifications'])
      await app.sql(`delete from ${table}`);
    await app.sql('update accounts set deactivated_at = null');
    await app.sql(`update users set notification_settings = '{}'`);
  });

  const run = async (...statements: readonly string[]) => {
    for (const statement of statements)
      await app.sql(
        statement
          .replaceAll(':receiver', `'${receiver}'`)
          .replaceAll(':actor', `'${actor}'`)
          .replaceAll(':other', `'${other}'`),
      );
  };
  const postBy = async (nickname: string): Promise<string> => {
    const [id] = (await makeStatuses(app, nickname, 1)) as [string];
    await app.sql(
      `with thread as (insert into conversations (uri) values ($1) returning id)
       update statuses set conversation_id = thread.id from thread where statuses.id = $1`,
      [id],
    );
    return id;
  };
  const created = (statusId: string, authorId: string, reblogOfId: string | null = null) =>
    new StatusCreated({
      statusId,
      authorId,
      local: false,
      visibility: 0,
      reblogOfId,
      inReplyToId: null,
      hasMentions: reblogOfId === null,
      hasTags: false,
      isQuote: false,
      hasLinks: false,
      hasSubscribers: true,
      isNews: true,
    });

  const editOf = (statusId: string) =>
    new StatusEdited({
      isRevision: true,
      statusId,
      authorId: actor,
      local: false,
      visibility: 0,
      version: 2,
      pollChanged: false,
      mentionedIds: [],
      joinsTag: false,
      former: { visibility: 0, tags: [], hasMedia: false },
    });

  /** Stores the cause and returns its event, which is emitted after the rule is set up. */
  const happens: Record<Cause, () => Promise<object>> = {
    mention: async () => {
      const id = await postBy('actor@far.test');
      await app.sql('update statuses set flags = 8 where id = $1', [id]);
      await app.sql('insert into mentions (status_id, account_id) values ($1, $2)', [id, receiver]);
      return created(id, actor);
    },
    status: async () => {
      await run('insert into follows (follower_id, followee_id, notify) values (:receiver, :actor, true)');
      return created(await postBy('actor@far.test'), actor);
    },
    favourite: async () => {
      const id = await postBy('receiver');
      await app.sql('insert into favourites (account_id, status_id) values ($1, $2)', [actor, id]);
      return new Favourited({
        statusId: id,
        accountId: actor,
        authorId: receiver,
        actorLocal: false,
        targetLocal: true,
      });
    },
    reblog: async () => {
      const id = await postBy('receiver');
      const boost = await postBy('actor@far.test');
      await app.sql('update statuses set reblog_of_id = $2, conversation_id = null where id = $1', [boost, id]);
      return created(boost, actor, id);
    },
    update: async () => {
      const id = await postBy('actor@far.test');
      const boost = await postBy('receiver');
      await app.sql('update statuses set reblog_of_id = $2, conversation_id = null where id = $1', [boost, id]);
      return editOf(id);
    },
    quote: async () => {
      const id = await postBy('actor@far.test');
      await app.sql('update statuses set quote_of_id = $2 where id = $1', [id, await postBy('receiver')]);
      return created(id, actor);
    },
    quoted_update: async () => {
      const id = await postBy('actor@far.test');
      await app.sql('update statuses set quote_of_id = $2 where id = $1', [await postBy('receiver'), id]);
      return editOf(id);
    },
    move: async () => {
      await run(
        FOLLOW,
        "update accounts set moved_to_id = (select id from accounts where domain = 'new.test') where id = :actor",
      );
      return new AccountMoved(actor, target, false);
    },
    follow: async () => {
      await run('insert into follows (follower_id, followee_id) values (:actor, :receiver)');
      return new Followed(actor, receiver, false, true, true, null);
    },
    follow_request: async () => {
      await run('insert into follows (follower_id, followee_id, state) values (:actor, :receiver, 0)');
      return new FollowRequested(actor, receiver, false);
    },
  };

  async function verdictOn(event: object): Promise<{ type: string | undefined; verdict: Verdict }> {
    await app.get(UnitOfWork).run(() => {
      app.get(Events).emit(event);
      return Promise.resolve();
    });
    await app.drain();
    const rows = await app.sql<{ type: string; seen: boolean }>(
      'select type, seen from notifications where receiver_id = $1 and from_id = $2',
      [receiver, actor],
    );
    expect(rows.length).toBeLessThan(2);
    const [row] = rows;
    return {
      type: row?.type,
      verdict: row === undefined ? 'not notified' : row.seen ? 'notified as read' : 'notified',
    };
  }

  const cases = RULES.flatMap((rule) =>
    CAUSES.map((cause) => ({ ...rule, cause, verdict: rule.except?.[cause] ?? rule.verdict })),
  );
  it.each(cases)('is $verdict of a $cause when $name', async ({ cause, verdict, sql = [] }) => {
    const event = await happens[cause]();
    await run(...sql);
    expect(await verdictOn(event)).toEqual({ type: verdict === 'not notified' ? undefined : cause, verdict });
    verdicts[verdict] += 1;
  });

  it('V3 is not notified of a post that the receiver may not see', async () => {
    const event = await happens.status();
    for (const [visibility, verdict] of [
      [2, 'notified'],
      [3, 'not notified'],
      [5, 'not notified'],
      [4, 'notified'],
    ] as const) {
      await app.sql('delete from notifications');
      await app.sql('update statuses set visibility = $1', [visibility]);
      expect((await verdictOn(event)).verdict).toBe(verdict);
      verdicts[verdict] += 1;
    }
    await app.sql('delete from notifications');
    await app.sql('update statuses set visibility = 2');
    await app.sql('update follows set state = 0');
    expect((await verdictOn(event)).verdict).toBe('not notified');
  });
});
