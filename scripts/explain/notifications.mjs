// Notifications, read markers, push subscriptions, announcements and reports: 2,000
// accounts, of which the first half is local. a0001 has the most notifications an account can have, and is an administrator.
import { accounts, posts, relations, some, somebody } from '../seeds.mjs';

export const title = 'Notifications, announcements and reports';

export const rows =
  '2,000 accounts (1,000 of them local), 50,000 posts (2,000 boosts and 2,000 answers of one of them), 101,000 notifications (6,000 of one account, 1,000 of them unread, 500 filtered, 900 of one group; 50 of reports), 60,000 follows, 2,000 blocks, 3,000 mutes, 2,000 markers, 20,000 push subscriptions, 500 announcements with 50,000 reads and 50,000 reactions, 20,000 reports with 40,000 posts, rules and notes.';

const toldOf =
  "case n / 20 % 5 when 0 then 'mention' when 1 then 'favourite' when 2 then 'reblog' when 3 then 'poll' else 'status' end";

export const seed = `
  ${accounts(2000, 1000)}
  ${relations}
  ${posts(50000)}
  insert into statuses (id, author_id, uri, visibility, reblog_of_id, local)
  select 's000060000-' || id, id, 'https://here.test/b/' || id, 0, ${some('9')}, domain is null from accounts;
  update statuses set in_reply_to_id = ${some('9')} where id between ${some('20001')} and ${some('22000')};
  update accounts set moved_to_id = 'a1900' where id = 'a0900';
  update users set is_admin = true where account_id = 'a0001';
  insert into reports (id, account_id, actor_id, comment, category, forward)
  select 'r' || lpad(n::text, 6, '0'), ${somebody('n % 1000 + 1')}, ${somebody('n % 100 + 1')}, 'a report', 'spam', false
  from generate_series(1, 20000) n;
  insert into report_statuses (report_id, status_id)
  select id, ${some('right(id, 6)::int * 2 + k')} from reports cross join generate_series(0, 1) k;
  insert into notifications (receiver_id, type, from_id, status_id, seen)
  select case when n % 20 = 7 then 'a0001' else ${somebody('n % 999 + 2')} end, ${toldOf}, ${somebody('n * 31 % 900 + 101')},
    ${some('n / 2')}, n < 80000
  from generate_series(2, 99951) n on conflict do nothing;
  insert into notifications (receiver_id, type, from_id, report_id)
  select 'a0001', 'svc:report', actor_id, id from reports where id > 'r019950';
  update notifications set filtered = true where receiver_id = 'a0001' and id / 20 % 10 = 0 and report_id is null;
  insert into notifications (receiver_id, type, from_id, status_id, seen)
  select 'a0001', 'favourite', id, ${some('20000')}, true from accounts where id between 'a0101' and 'a0999' on conflict do nothing;
  insert into notification_requests (receiver_id, from_id)
  select distinct receiver_id, from_id from notifications where filtered order by 2;
  insert into markers (account_id, timeline, last_read_id)
  select account_id, timeline, '90000' from users cross join (values ('home'), ('notifications')) t(timeline);
  insert into oauth_apps (name, redirect_uris, scopes, client_id, client_secret) values ('app', '{}', '{push}', 'id', 'secret');
  insert into oauth_tokens (app_id, account_id, token_hash, scopes, expires_at)
  select 1, account_id, convert_to(account_id || k, 'UTF8'), '{push}', now() + interval '1 day'
  from users cross join generate_series(1, 20) k order by account_id, k;
  insert into push_subscriptions (token_id, account_id, endpoint, p256dh, auth, alerts, policy, token_sealed)
  select id, account_id, 'https://push.test/' || id, '', '', '{mention,follow}', 'all', '' from oauth_tokens order by id;
  insert into announcements (id, source, content_html, starts_at, ends_at)
  select 'n' || lpad(n::text, 3, '0'), 'news', 'news', now() - (501 - n) * interval '1 day', now() - (480 - n) * interval '1 day'
  from generate_series(1, 500) n;
  insert into announcement_reads (account_id, announcement_id) select account_id, id from users cross join announcements where id > 'n450';
  delete from announcement_reads where account_id = 'a0001' and announcement_id > 'n490';
  insert into announcement_reactions (announcement_id, name, account_id)
  select n.id, 'emoji' || right(u.account_id, 1), u.account_id from announcements n cross join users u where right(u.account_id, 3) < '100';
  insert into rules (text) select 'rule ' || n from generate_series(1, 10) n;
  insert into report_rules (report_id, rule_id) select id, k from reports, generate_series(1, 2) k;
  insert into report_notes (report_id, content) select id, 'a note' from reports;
  insert into instance_weeks (week) select date '2026-01-05' + 7 * n from generate_series(0, 11) n;
`;

const ME = 'a0001';
const LAST = '9223372036854775807';
const TYPES = ['mention', 'status', 'reblog', 'favourite', 'follow', 'follow_request', 'poll', 'svc:emoji_reaction'];
const page = (types, from, excluded) => [ME, false, LAST, '0', types, from, excluded, 40, 0, false];
const HALF_DAY_MS = 43_200_000;
const GROUP = `favourite-s000020000-${Math.floor(Date.now() / HALF_DAY_MS)}`;
const GROUPED = ['favourite', 'reblog', 'follow'];
const groups = (below) => [ME, GROUPED, TYPES, null, false, below, '0', 40, 0];
const FILTERED = Array.from({ length: 9 }, (_, n) => `a0${n + 1}18`);
const TOLD = Array.from({ length: 40 }, (_, n) => [String(n + 1), `a${String(n + 1).padStart(4, '0')}`, 'mention']);

export const plans = [
  { name: 'notifications.page.older', values: page(TYPES, null, []) },
  {
    name: 'notifications.page.older',
    values: page(TYPES, 'a0117', [2, 3]),
    note: 'Of one account: of all that is kept.',
  },
  { name: 'notifications.groups.older', values: groups(LAST) },
  { name: 'notifications.groups.older', values: groups('50000'), note: 'With groups above the page.' },
  { name: 'notifications.group_accounts_by_key.older', values: [ME, GROUP, LAST, '0', 40] },
  { name: 'notifications.group_accounts_by_id.older', values: [ME, '99000', LAST, '0', 40] },
  { name: 'notifications.group_part', values: [ME, GROUP] },
  { name: 'notifications.remove_group', values: [ME, GROUP, LAST, false], note: 'It removes 900 rows.' },
  { name: 'notifications.unread_groups', values: [ME, GROUPED, TYPES, null, false, 100] },
  { name: 'notification_requests.page.older', values: [ME, LAST, '0', 40] },
  { name: 'notification_requests.counts', values: [ME, 100] },
  { name: 'notification_requests.unfilter', values: [ME, FILTERED, LAST], note: 'Of 9 accounts.' },
  { name: 'notification_requests.remove_filtered', values: [ME, FILTERED, LAST], note: 'Of 9 accounts.' },
  { name: 'notifications.unread', values: [ME, TYPES, null, 1000] },
  { name: 'notifications.read_up_to', values: [ME, LAST], note: 'All that was unread: it writes a thousand rows.' },
  {
    name: 'notifications.receivers',
    values: [''],
    note: 'A nightly batch of 200 accounts, each up to what is stored of one account.',
  },
  { name: 'notifications.drop_old', values: [] },
  {
    name: 'notifications.notify_range_of_edit',
    values: ['s000000009', [], 2, true, ''],
    note: 'Of a post with 2,000 boosts and answers: it writes rows for the first 500 of the 1,000 people here.',
    isJob: true,
  },
  { name: 'notifications.notify_range_of_move', values: ['a0900', 'a1900', ''] },
  { name: 'markers.of_account', values: [ME, ['home', 'notifications']] },
  { name: 'markers.advance', values: [ME, '99000'] },
  { name: 'push.due', values: [0, 1, 2].map((n) => TOLD.map((told) => told[n])), note: 'Of 40 notifications.' },
  { name: 'push.one', values: ['1', '80006'] },
  { name: 'reports.by_ids', values: [['r000001', 'r010000', 'r020000'], null, false] },
  { name: 'reports.staff_addresses', values: ['report', true] },
  { name: 'announcements.shown_to', values: [ME, false], note: 'There are never many.' },
  { name: 'announcements.page', values: [40, 0, ME] },
  { name: 'announcements.reactions', values: [['n499', 'n500'], ME] },
  { name: 'instance_totals.domains', values: [] },
];
