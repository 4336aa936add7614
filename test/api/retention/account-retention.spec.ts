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
  'it favourited a stored post': `insert into favourites (status_id, account_id) values (${STATUS}, $1)`,
  'it reacted to a stored post': `insert into reactions (status_id, account_id, name) values (${STATUS}, $1, 'x')`,
  'it voted in a stored poll': `with p as (insert into polls (status_id) values (${STATUS}) returning id)
    insert into poll_votes (poll_id, account_id, choices) select id, $1, '{0}' from p`,
  'a notification is of it': `insert into notifications (receiver_id, type, from_id) values (${OWN}, 'x', $1)`,
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

/** Tables whose rows only accounts of this server have, or which belong to the account itself or to its posts. */
const NO_RELATION = [
  'account_stats',
  'activities',
  'announcement_reactions',
  'announcement_reads',
  'attachments',
  'backups',
  'bookmark_folders',
  'bookmarks',
  'conversation_participants',
  'dismissed_suggestions',
  'domain_blocks',
  'email_confirmations',
  'filters',
  'followed_tags',
  'import_entries',
  'keys',
  'known_networks',
  'markers',
  'mascots',
  'mfa_challenges',
  'oauth_codes',
  'oauth_tokens',
  'password_resets',
  'pins',
  'push_subscriptions',
  'recovery_codes',
  'report_notes',
  'scheduled_statuses',
  'second_factors',
  'shouts',
  'thread_mutes',
  'users',
];

describe('remote accounts without a relation', () => {
  const ids = new Map<string, string>();
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

  it('are named by no other table, but for what belongs to the account itself', async () => {
    const tables = await app.sql<{ name: string }>(
      `select distinct conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confrelid = 'accounts'::regclass order by 1`,
    );
    const statements = Object.values(KEPT).join('\n');
    expect(tables.map(({ name }) => name).filter((name) => !statements.includes(` ${name} `))).toEqual(NO_RELATION);
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
