import { RetentionService } from '../../../src/retention/index.js';
import { useApp } from '../../support/servers/app.js';
import { storeOld } from '../../support/fixtures/retention.js';

const app = useApp({ once: ['alice'] });

const OWN = `(select id from accounts where nickname = 'alice')`;
const STATUS = `(select min(id) from statuses where author_id = ${OWN})`;

/** Reasons to keep a remote account `$1`, and a statement that makes each. */
const KEPT: Readonly<Record<string, string>> = {
  'somebody here follows it': `insert into follows (follower_id, followee_id, state) values (${OWN}, $1, 1)`,
  'a request to follow it waits': `insert into follows (follower_id, followee_id, state) values (${OWN}, $1, 0)`,
  'it follows somebody here': `insert into follows (follower_id, followee_id, state) values ($1, ${OWN}, 1)`,
  'its request to follow waits': `insert into follows (follower_id, followee_id, state) values ($1, ${OWN}, 0)`,
  'somebody here blocks it': `insert into blocks (account_id, target_id) values (${OWN}, $1)`,
  'it blocks somebody here': `insert into blocks (account_id, target_id) values ($1, ${OWN})`,
  'somebody here mutes it': `insert into mutes (account_id, target_id) values (${OWN}, $1)`,
  'somebody here has a note on it': `insert into account_notes (account_id, target_id, comment) values (${OWN}, $1, 'n')`,
  'it is on a list': `with l as (insert into lists (account_id, title) values (${OWN}, 'l') returning id)
    insert into list_members (list_id, account_id) select id, $1 from l`,
  'it wrote a stored post': `insert into statuses (id, author_id, uri, visibility, local) values ('0' || $1, $1, 'https://far.test/' || $1, 0, false)`,
  'a linked page names it as its author': `insert into cards (url, author_id) values ('https://x.test/', $1)`,
  'a stored post mentions it': `insert into mentions (status_id, account_id) values (${STATUS}, $1)`,
  'a stored post answers one of it that was deleted': `insert into statuses (id, author_id, uri, visibility, local, in_reply_to_account_id)
    values ('y' || $1, ${OWN}, 'https://svc.test/1' || $1, 0, true, $1)`,
  'a stored post is in its group': `insert into statuses (id, author_id, uri, visibility, local, group_id)
    values ('z' || $1, ${OWN}, 'https://svc.test/2' || $1, 0, true, $1)`,
  'it took part in a conversation of somebody here': `insert into conversation_participants (account_id, conversation_id, last_status_id, participants)
    select ${OWN}, conversation_id, id, array[author_id, $1] from statuses where id = ${STATUS}`,
  'the next posts of a conversation go to it': `with c as (insert into conversations (uri) values ('https://svc.test/' || $1) returning id)
    insert into conversation_participants (account_id, conversation_id, last_status_id, participants, recipients)
    select ${OWN}, id, ${STATUS}, array[${OWN}], array[${OWN}, $1] from c`,
  'it favourited a stored post': `insert into favourites (status_id, account_id) values (${STATUS}, $1)`,
  'it reacted to a stored post': `insert into reactions (status_id, account_id, name) values (${STATUS}, $1, 'x')`,
  'it voted in a stored poll': `with p as (insert into polls (status_id) values (${STATUS}) returning id)
    insert into poll_votes (poll_id, account_id, choices) select id, $1, '{0}' from p`,
  'a notification is of it': `insert into notifications (receiver_id, type, from_id) values (${OWN}, 'x', $1)`,
  'a notification says that somebody moved to it': `insert into notifications (receiver_id, type, from_id, target_id)
    values (${OWN}, 'x', ${OWN}, $1)`,
  'its notifications wait for consent': `insert into notification_requests (receiver_id, from_id) values (${OWN}, $1)`,
  'somebody here chats with it': `insert into chats (id, owner_id, partner_id, position) values ('c' || $1, ${OWN}, $1, '0')`,
  'it sent a chat message': `insert into chat_messages (id, uri, sender_id, recipient_id, content)
    values ('m' || $1, 'https://far.test/m' || $1, $1, ${OWN}, '')`,
  'it got a chat message': `insert into chat_messages (id, uri, sender_id, recipient_id, content)
    values ('n' || $1, 'https://svc.test/m' || $1, ${OWN}, $1, '')`,
  'it listens to music': `insert into scrobbles (account_id, title) values ($1, 't')`,
  'it was reported': `insert into reports (id, account_id, comment, category, forward) values ('r' || $1, $1, '', 'other', false)`,
  'its server reported somebody': `insert into reports (id, account_id, actor_id, comment, category, forward)
    values ('r' || $1, ${OWN}, $1, '', 'other', false)`,
  'the staff suggests it': `insert into suggested_accounts (account_id) values ($1)`,
  'the staff deactivated it': `update accounts set deactivated_at = now() where id = $1`,
  'it was suspended by its server': `update accounts set suspended_by_server = true where id = $1`,
  'the staff limited it': `update accounts set tags = '{mrf_tag:force-unlisted}' where id = $1`,
  'it was deleted': `update accounts set deleted_at = now() where id = $1`,
  'it moved': `update accounts set moved_to_id = ${OWN} where id = $1`,
  'somebody here moved to it': `update accounts set moved_to_id = $1 where id = ${OWN}`,
  'it names another account as its own': `update accounts set also_known_as = '{https://x.test/users/y}' where id = $1`,
  'somebody here names it as the own account': `update accounts set also_known_as = also_known_as || (select ap_id from accounts where id = $1) where id = ${OWN}`,
  'an announcement mentions it': `insert into announcements (id, source, content_html, mention_ids) values ('a' || $1, '', '', array[$1])`,
  'it is a relay': `insert into relays (address, style, inbox, follow_uri, account_id) values ('https://far.test/' || $1, 'mastodon', 'https://far.test/inbox', $1, $1)`,
  'it follows this server as a relay': `insert into relay_followers (account_id) values ($1)`,
  'an activity of it waits': `insert into inbox_queue (host, actor_id, body) values ('far.test', $1, '{}')`,
  'it was refreshed not long ago': `update accounts set refreshed_at = now() where id = $1`,
  'it is new': `update accounts set created_at = now() where id = $1`,
};

/**
 * Columns that name only accounts of this server, or that name the account in a row that belongs to it, to its posts, or to
 * a row that is a reason already; by what becomes of the row when the account is removed.
 */
const NO_RELATION = {
  cascade: [
    'account_notes.account_id',
    'account_stats.account_id',
    'activities.account_id',
    'announcement_reactions.account_id',
    'announcement_reads.account_id',
    'bookmark_folders.account_id',
    'bookmarks.account_id',
    'chats.owner_id',
    'conversation_participants.account_id',
    'dismissed_suggestions.account_id',
    'domain_blocks.account_id',
    'email_confirmations.account_id',
    'filters.account_id',
    'followed_tags.account_id',
    'import_entries.account_id',
    'keys.account_id',
    'known_networks.account_id',
    'lists.account_id',
    'markers.account_id',
    'mascots.account_id',
    'mfa_challenges.account_id',
    'mutes.account_id',
    'notification_requests.receiver_id',
    'notifications.receiver_id',
    'oauth_codes.account_id',
    'oauth_tokens.account_id',
    'password_resets.account_id',
    'pins.account_id',
    'push_subscriptions.account_id',
    'recovery_codes.account_id',
    'scheduled_statuses.account_id',
    'second_factors.account_id',
    'shouts.account_id',
    'thread_mutes.account_id',
    'users.account_id',
  ],
  'set null': ['attachments.account_id', 'backups.account_id', 'report_notes.author_id', 'reports.assigned_id'],
  'no foreign key to accounts': [
    'dismissed_suggestions.target_id',
    'endorsements.account_id',
    'endorsements.target_id',
    'home_feed.account_id',
    'home_feed.author_id',
    'idempotency_keys.account_id',
    'inbox_asking.actor_id',
    'inbox_queue.inbox_of',
    'moderation_log.actor_id',
  ],
};

interface NamingColumn {
  readonly name: string;
  readonly rule: keyof typeof NO_RELATION;
  readonly isArray: boolean;
}

/** All columns that name accounts: those with a foreign key, and those with ids that are not of something else. */
const naming = () =>
  app.sql<NamingColumn>(
    `select t.relname || '.' || a.attname as name, a.atttypid = 'text[]'::regtype as "isArray",
       case fk.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'no foreign key to accounts' end as rule
     from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     left join pg_constraint fk on fk.conrelid = t.oid and fk.contype = 'f' and fk.confrelid = 'accounts'::regclass
       and fk.conkey = array[a.attnum]
     where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and a.atttypid in ('text'::regtype, 'text[]'::regtype)
       and (fk.oid is not null or a.attname in ('participants', 'recipients', 'inbox_of') or a.attname ~ '_ids?$' and a.attname !~
         '(ap|status|message|chat|report|announcement|client|request|key|folder|read|reblog_of|quote_of|in_reply_to)_id$')
     order by 1`,
  );

/** Which of the columns name one of these accounts. */
async function namedIn(columns: readonly NamingColumn[], ids: readonly string[]): Promise<string[]> {
  const found = columns.map(({ name, isArray }) => {
    const [table, column] = name.split('.');
    return `select '${name}' as name from ${table} where ${column} ${isArray ? '&& $1' : '= any($1)'}`;
  });
  return (await app.sql<{ name: string }>(found.join(' union '), [ids])).map(({ name }) => name);
}

describe('remote accounts without a relation', () => {
  const ids = new Map<string, string>();
  let others: NamingColumn[];
  let preview: number;
  let removed: number;

  const isStored = async (reason: string) =>
    (await app.sql('select from accounts where id = $1', [ids.get(reason)])).length === 1;

  beforeAll(async () => {
    await (await app.world.as('alice')).post('/api/v1/statuses', { status: 'hello' }).expect(200);
    for (const [at, [reason, statement]] of [...Object.entries(KEPT), ['nothing', '']].entries()) {
      const { id } = await app.world.remote(`kept${at}`, 'far.test');
      await app.sql(`update accounts set refreshed_at = '2020-01-01', created_at = '2020-01-01' where id = $1`, [id]);
      if (statement !== '') await app.sql(statement!, [id]);
      ids.set(reason!, id);
    }
    const columns = await naming();
    const nothing = ids.get('nothing')!;
    const own = await namedIn(columns, [nothing]);
    const reasons = await namedIn(
      columns,
      [...ids.values()].filter((id) => id !== nothing),
    );
    others = columns.filter(({ name }) => own.includes(name) || !reasons.includes(name));
    const retention = app.get(RetentionService);
    preview = (await retention.dryRun('accounts', 30)).rows;
    removed = (await retention.removeNow('accounts', 30)).rows;
  }, 60_000);

  it.each(Object.keys(KEPT))('stay when %s', async (reason) => {
    expect(await isStored(reason)).toBe(true);
  });

  it('go otherwise, as the preview counted, and people here stay', async () => {
    expect(await isStored('nothing')).toBe(false);
    expect({ preview, removed }).toEqual({ preview: 1, removed: 1 });
    expect(await app.sql(`select from users`)).toHaveLength(1);
  });

  it('are named by no other column, but for what belongs to the account itself', () => {
    const found = Object.keys(NO_RELATION).map((rule) => [
      rule,
      others.filter((other) => other.rule === rule).map(({ name }) => name),
    ]);
    expect(Object.fromEntries(found)).toEqual(NO_RELATION);
  });
});

it('a remote account goes after its last post', async () => {
  const { id } = await app.world.remote('gone', 'far.test');
  await app.sql(`update accounts set refreshed_at = '2020-01-01', created_at = '2020-01-01' where id = $1`, [id]);
  await storeOld(app, 'gone@far.test', 'last');
  const retention = app.get(RetentionService);
  const isStored = async () => (await app.sql('select from accounts where id = $1', [id])).length === 1;
  await retention.removeNow('accounts', 30);
  expect(await isStored()).toBe(true);
  await retention.removeNow('posts', 30);
  await retention.removeNow('accounts', 30);
  expect(await isStored()).toBe(false);
});
