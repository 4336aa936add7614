// What administrators list: accounts of this and other servers, and what the staff did.
import { ModeratedAccountRepository } from '../../dist/accounts.moderation.moderated-account.repository.js';
import { ModerationLogRepository } from '../../dist/admin.log.moderation-log.repository.js';

export const title = 'Lists for administrators';

export const rows =
  '100,000 accounts, of which 80,000 are local (640 wait for approval), 1,000 have a tag, 100 remote ones lie on another host than their handles name, 20,002 of one server of which 20,000 are deleted, and 100,000 entries of the moderation log by 10 people.';

export const seed = `
  insert into accounts (id, nickname, domain, ap_id, display_name, tags, deactivated_at)
  select 'a' || lpad(n::text, 6, '0'), left(md5(n::text), 12), case when n % 5 = 0 then 'h' || n % 500 || '.test' end,
    case when n % 5 > 0 then 'https://here.test/' when n % 1000 = 0 then 'https://ap.test/' else 'https://h' || n % 500 || '.test/' end || n,
    'Somebody ' || n, case when n % 100 = 1 then '{tea}' else '{}' end::text[],
    case when n % 50 = 7 then now() end
  from generate_series(1, 100000) n;
  insert into accounts (id, nickname, domain, ap_id, deactivated_at, deleted_at)
  select 'g' || lpad(n::text, 6, '0'), 'g' || n, 'gone.test', 'https://gone.test/' || n, at, at
  from (select n, case when n <= 20000 then now() end as at from generate_series(1, 20002) n) made;
  insert into account_stats (account_id) select id from accounts;
  insert into users (account_id, password_hash, email, is_approved, is_confirmed, is_admin)
  select id, '', id || '@mail.test', right(id, 2) <> '33' or right(id, 3) = '133', right(id, 2) <> '55', right(id, 4) = '9999'
  from accounts where domain is null;
  insert into moderation_log (actor_id, action, data, message, created_at)
  select 'a' || lpad((n % 10)::text, 6, '0'), 'deactivate', jsonb_build_object('action', 'deactivate', 'subject', n),
    '@root deactivated users: @person' || n, timestamptz '2026-01-01' + n * interval '1 minute'
  from generate_series(1, 100000) n;
`;

const PAGE = 50;
const FAR = 999 * PAGE;

const accounts = (name, search = {}, offset = 0) => ({
  name,
  ask: (db) => new ModeratedAccountRepository(db).page(search, PAGE, offset),
});
const log = (name, filter = {}, offset = 0) => ({
  name,
  ask: (db) => new ModerationLogRepository(db).page(filter, PAGE, offset),
});

export const plans = [
  accounts('Accounts, page 1'),
  accounts('Accounts, page 1,000', {}, FAR),
  accounts('Local accounts, page 1,000', { filters: ['local'] }, FAR),
  accounts('Accounts that wait for approval', { filters: ['local', 'need_approval'] }),
  accounts('Administrators', { filters: ['is_admin'] }),
  accounts('Accounts with a tag', { tags: ['tea'] }),
  accounts('Accounts by a part of the name', { query: 'ab3f' }),
  accounts('Accounts by a part of the address', { email: '4711@mail' }),
  accounts('Accounts of a server', { query: 'ap.test' }),
  { name: 'accounts.ids_of_server', values: ['ap.test', 2000] },
  { name: 'accounts.ids_of_server', values: ['gone.test', 1], note: 'Behind 20,000 deleted ones.' },
  { name: 'status_totals.of_server', values: ['ap.test'] },
  { name: 'host-blocks.known', values: [], isJob: true },
  { name: 'host-blocks.exchange', values: [['ap.test', 'gone.test']], isJob: true },
  { name: 'reports.waiting', values: [true, true] },
  { name: 'How many accounts', ask: (db) => new ModeratedAccountRepository(db).count({}) },
  {
    name: 'How many local accounts',
    ask: (db) => new ModeratedAccountRepository(db).count({ filters: ['local'] }),
  },
  log('The moderation log, page 1'),
  log('The moderation log, page 1,000', {}, FAR),
  log('The moderation log, one actor', { actorId: 'a000003' }),
  log('The moderation log, a time', { from: new Date('2026-02-01'), until: new Date('2026-02-03') }),
  log('The moderation log, a word', { search: 'person4711' }),
  { name: 'How many entries of the moderation log', ask: (db) => new ModerationLogRepository(db).count({}) },
];
