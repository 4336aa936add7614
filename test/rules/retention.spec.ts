import { Worker } from '../../src/platform/index.js';
import { useApp } from '../support/servers/app.js';

/** The most rows that a statement of upkeep may remove: a statement that timed out would never remove any. */
const AT_ONCE = 1_000;
const OLD = 2_500;
const LONG_AGO = `now() - interval '1 year'`;

/** Tables whose rows are removed after some time, a statement that adds old rows, and a condition for these rows. */
const TABLES: readonly (readonly [table: string, fill: string, kept: string])[] = [
  [
    'idempotency_keys',
    `insert into idempotency_keys (account_id, key, route, created_at) select 'x', n::text, 'y', $at from $n`,
    'true',
  ],
  [
    'oauth_tokens',
    `insert into oauth_tokens (app_id, token_hash, scopes, expires_at)
     select app.id, sha256(n::text::bytea), '{}', $at from (select min(id) as id from oauth_apps) app, $n`,
    'account_id is null',
  ],
  [
    'oauth_apps',
    `insert into oauth_apps (name, redirect_uris, scopes, client_id, client_secret, used_at)
     select '', '{}', '{read}', n::text, '', $at from $n`,
    `client_secret = ''`,
  ],
  [
    'oauth_spent_refresh_tokens',
    `insert into oauth_spent_refresh_tokens (refresh_hash, token_id, spent_at)
     select sha256(n::text::bytea), t.id, $at from (select min(id) as id from oauth_tokens where account_id is not null) t, $n`,
    'true',
  ],
  [
    'oauth_codes',
    `insert into oauth_codes (code_hash, app_id, account_id, redirect_uri, scopes, created_at)
     select sha256(n::text::bytea), p.id, a.id, 'app://x', '{read}', $at
     from (select min(id) as id from oauth_apps) p, (select min(id) as id from accounts) a, $n`,
    'true',
  ],
  [
    'used_captchas',
    `insert into used_captchas (token_hash, expires_at) select sha256(n::text::bytea), $at from $n`,
    'true',
  ],
  [
    'mfa_challenges',
    `insert into mfa_challenges (token_hash, account_id, purpose, data, expires_at)
     select sha256(n::text::bytea), a.id, '', '{}', $at from (select min(id) as id from accounts) a, $n`,
    'true',
  ],
  [
    'password_resets',
    `insert into password_resets (token_hash, account_id, created_at)
     select sha256(n::text::bytea), a.id, $at from (select min(id) as id from accounts) a, $n`,
    'true',
  ],
  [
    'invites',
    `insert into invites (token_hash, token_sealed, ended_at) select sha256(n::text::bytea), '', $at from $n`,
    'true',
  ],
  [
    'email_confirmations',
    `insert into email_confirmations (token_hash, account_id, email, created_at)
     select sha256(n::text::bytea), a.id, 'a@b.test', $at from (select min(id) as id from accounts) a, $n`,
    'true',
  ],
  [
    'known_networks',
    `insert into known_networks (account_id, network_hash, last_used_at)
     select a.id, sha256(n::text::bytea), $at from (select min(id) as id from accounts) a, $n`,
    'true',
  ],
  [
    'tombstones',
    `insert into tombstones (uri, former_type, local, deleted_at) select 'https://x.test/' || n, 'Note', true, $at from $n`,
    'true',
  ],
  [
    'thread_mutes',
    `with c as (insert into conversations (uri) select 'https://t.test/' || n from $n returning id)
     insert into thread_mutes (account_id, conversation_id, expires_at)
     select a.id, c.id, $at from (select min(id) as id from accounts) a, c`,
    'true',
  ],
  [
    'conversations',
    `insert into conversations (uri) select 'https://c.test/' || n from $n`,
    `uri like 'https://c.test/%'`,
  ],
  [
    'remote_keys',
    `insert into remote_keys (key_id, owner_uri, public_pem, fetched_at)
     select 'https://k.test/' || n, 'https://k.test/' || n, '', $at from $n`,
    'true',
  ],
  [
    'document_readers',
    `insert into document_readers (uri, host, read_at) select 'https://svc.test/objects/1', n || '.test', $at from $n`,
    'true',
  ],
  ['cards', `insert into cards (url, created_at) select 'https://x.test/' || n, $at from $n`, 'true'],
  [
    'hashtag_days',
    `with h as (insert into hashtags (name) select 'day' || n from $n returning id)
     insert into hashtag_days (hashtag_id, day, uses, accounts) select id, $at, 1, 1 from h`,
    'true',
  ],
  [
    'jobs',
    `insert into jobs (name, queue, parked_at) select 'nobody.knows', 'notify', $at from $n`,
    `name = 'nobody.knows'`,
  ],
  [
    'attachments',
    `insert into attachments (type, mime_type, remote_url, created_at)
     select 'image', 'image/png', 'https://x.test/' || n, $at from $n`,
    'true',
  ],
  [
    'activities',
    `insert into activities (uri, type, body, created_at) select 'https://svc.test/activities/' || n, 'Like', '{}', $at from $n`,
    'subject is null',
  ],
  [
    'deliveries',
    `with a as (insert into activities (uri, type, subject, body, created_at) values ('x', 'Like', 'kept', '{}', $at) returning id)
     insert into deliveries (host, inbox, activity_id, object, created_at, next_at)
     select 'far.test', 'https://far.test/' || n, a.id, 'x', $at, now() + interval '1 day' from a, $n`,
    'true',
  ],
  [
    'keys',
    `with old as (
       insert into accounts (id, nickname, ap_id, deleted_at, deactivated_at)
       select 'old' || n, 'old' || n, 'https://svc.test/users/old' || n, $at, $at from $n returning id)
     insert into keys (account_id, public_pem, private_sealed) select id, '', '' from old`,
    `account_id like 'old%'`,
  ],
  [
    'notifications',
    `insert into notifications (receiver_id, type, from_id, status_id, created_at)
     select a.id, 'mention-' || n, a.id, s.id, $at - interval '1 day'
     from (select min(id) as id from accounts) a, (select min(id) as id from statuses) s, $n`,
    'true',
  ],
  [
    'report_statuses',
    `with r as (
       insert into reports (id, account_id, comment, category, forward)
       select 'old', min(id), '', 'other', false from accounts returning id)
     insert into report_statuses (report_id, status_id, expires_at) select r.id, n::text, $at from r, $n`,
    'true',
  ],
];

describe('upkeep', () => {
  const app = useApp({ once: ['alice'] });

  beforeAll(async () => {
    await (await app.world.as('alice')).post('/api/v1/statuses').send({ status: 'One that stays' }).expect(200);
    await app.drain();
    await app.sql(`create table removals (name text, count int)`);
    await app.sql(`create function note_removal() returns trigger language plpgsql as $$
      begin insert into removals select tg_table_name, count(*) from gone; return null; end $$`);
    for (const [table, fill] of TABLES) {
      await app.sql(`create trigger removal after delete on ${table} referencing old table as gone
        for each statement execute function note_removal()`);
      await app.sql(fill.replaceAll('$at', LONG_AGO).replaceAll('$n', `generate_series(1, ${OLD}) as n`));
    }
    await app.get(Worker).enqueueRecurring();
    await app.drain();
  }, 60_000);

  it.each(TABLES)('removes all old rows in batches: %s', async (table, _fill, old) => {
    const left = await app.sql(`select from ${table} where ${old}`);
    expect(left).toHaveLength(0);
    const [{ most, all } = { most: 0, all: 0 }] = await app.sql<{ most: number; all: number }>(
      `select max(count)::int as most, sum(count)::int as all from removals where name = $1`,
      [table],
    );
    expect(all).toBeGreaterThanOrEqual(OLD);
    expect(most).toBeLessThanOrEqual(AT_ONCE);
  });

  it('does not remove rows in use', async () => {
    const [rows] = await app.sql(`select (select count(*) from statuses)::int as posts,
      (select count(*) from conversations)::int as conversations,
      (select count(*) from oauth_tokens where account_id is not null)::int as tokens`);
    expect(rows).toEqual({ posts: 1, conversations: 1, tokens: 1 });
  });
});
