// The common rows of the families in scripts/explain: accounts and relations; always the same rows.

/** The id of the n-th account; `n` is SQL. */
export const somebody = (n) => `'a' || lpad((${n})::text, 4, '0')`;

/** The id of the n-th post. */
export const some = (n) => `'s' || lpad((${n})::text, 9, '0')`;

/** `count` accounts, the first of which are local. */
export const accounts = (count, local) => `
  insert into accounts (id, nickname, domain, ap_id)
  select ${somebody('n')}, 'p' || n, case when n > ${local} then 'h' || n % 50 || '.test' end, 'https://here.test/' || n
  from generate_series(1, ${count}) n;
  insert into account_stats (account_id) select id from accounts;
  insert into users (account_id, password_hash, email) select id, '', id || '@mail.test' from accounts where domain is null;`;

/** Each of 1,000 accounts with `count` others. */
const pairs = (count, step) => `
  select id as one, ${somebody(`(right(id, 4)::int + k * ${step}) % 1000 + 1`)} as other, k
  from accounts cross join generate_series(1, ${count}) k where id <= 'a1000'`;

/** 60 follows, 2 blocks and 3 mutes of each, and domain blocks of each tenth. */
export const relations = `
  insert into follows (follower_id, followee_id) select one, other from (${pairs(60, 7)}) p where one <> other;
  insert into blocks (account_id, target_id) select one, other from (${pairs(2, 11)}) p;
  insert into mutes (account_id, target_id, notifications) select one, other, k = 1 from (${pairs(3, 13)}) p;
  insert into domain_blocks (account_id, domain)
  select id, 'h' || k || '.test' from accounts cross join generate_series(1, 10) k where domain is null and right(id, 1) = '2';`;

/** A fifth of the posts is followers-only, each fourth mentions another account. */
export const posts = (count) => `
  insert into statuses (id, author_id, uri, visibility, content_text, local, flags)
  select ${some('n')}, author, 'https://here.test/s/' || n, case when n % 5 = 0 then 2 else 0 end, 'post',
    author in (select account_id from users), case when n % 4 = 1 then 8 else 0 end
  from (select n, ${somebody('n * 7919 % 1000 + 1')} as author from generate_series(1, ${count}) n) written;
  insert into status_stats (status_id) select id from statuses;
  insert into mentions (status_id, account_id)
  select id, ${somebody('right(id, 6)::int * 31 % 1000 + 1')} from statuses where flags = 8;`;
