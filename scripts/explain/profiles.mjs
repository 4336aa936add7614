// Profiles: 50,000 accounts on 2,000 servers, 5,000 of them local with a public birthday.

export const title = 'Accounts and their profiles';

export const rows =
  '50,000 accounts (5,000 of them local), 2,000 servers, 35,000 birthdays that are shown, 30 accounts with 5,000 follows and 500 mutes each.';

const ID = `'a' || lpad(n::text, 5, '0')`;

export const seed = `
  insert into accounts (id, nickname, domain, ap_id, birthday, show_birthday, moved_to_id, deactivated_at)
  select id, id, domain, 'https://' || coalesce(domain, 'here.test') || '/users/' || id,
    case when n % 10 > 2 then date '1960-01-01' + n % 18263 end, n % 10 > 2, null,
    case when n % 100 = 7 then timestamptz '2026-01-01' end
  from (select n, ${ID} as id, case when n > 5000 then 'h' || lpad((n % 2000)::text, 4, '0') || '.test' end as domain
        from generate_series(1, 50000) n) made;
  insert into account_stats (account_id) select id from accounts;
  insert into users (account_id, password_hash, settings_store)
  select id, '', jsonb_build_object('fe', jsonb_build_object('theme', id)) from accounts where domain is null;
  insert into remote_instances (domain, favicon_url, due_at)
  select distinct domain, 'https://' || domain || '/favicon.ico', timestamptz '2036-01-01' from accounts
  where domain is not null;
  update remote_instances set due_at = timestamptz '2026-01-01' where domain like 'h00%';
  insert into follows (follower_id, followee_id)
  select 'a' || lpad(who::text, 5, '0'), ${ID} from generate_series(1, 30) who cross join generate_series(34 + who, 50000, 10) n;
  insert into mutes (account_id, target_id)
  select 'a' || lpad(who::text, 5, '0'), ${ID} from generate_series(1, 30) who cross join generate_series(34 + who, 50000, 100) n;
`;

const ME = 'a00001';
const MANY = Array.from({ length: 40 }, (_, n) => `a${String(n * 1000 + 2).padStart(5, '0')}`);

export const plans = [
  { name: 'accounts.by_ids', values: [MANY], note: 'The bodies of 40 accounts, with what their servers show.' },
  { name: 'accounts.counts', values: [MANY] },
  { name: 'accounts.counts_of_active', values: [MANY], note: 'Where the accounts of a page moved to.' },
  { name: 'accounts.by_handle', values: ['A20000', 'h0000.test'] },
  { name: 'accounts.own', values: [ME] },
  { name: 'accounts.followed_birthdays', values: [ME, 7, 21], note: 'Of somebody who follows 5,000.' },
  { name: 'users.settings_of', values: [ME, 'fe'] },
  { name: 'users.lock_settings', values: [ME, 'fe'] },
  { name: 'remote_instances.follow_accounts', values: [] },
  { name: 'remote_instances.forget', values: [] },
  { name: 'remote_instances.due', values: [16] },
];
