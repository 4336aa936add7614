import { ForwardOnly } from '../forward-only.js';

const INSERT = 'insert';
const UPDATE = 'update';
const DELETE = 'delete';

/** A column of the changed row, before or after the change. */
const row = (column: string) => `coalesce(new.${column}, old.${column})`;
const relations = (column: string) => `'~' || ${row(column)}`;

/**
 * What changes in a table, as an SQL expression of the subjects: ids of posts and accounts; `~id` for what an account does with
 * others and they with it; `+id` for the posts of an account, `#` for public posts; `*` for everything.
 */
const SUBJECTS: Readonly<Record<string, { on: readonly string[]; subjects: string }>> = {
  accounts: {
    on: [UPDATE, DELETE],
    subjects: `old.id || case when (new.deactivated_at, new.deleted_at, new.domain) is distinct from
      (old.deactivated_at, old.deleted_at, old.domain) then ' *' else '' end`,
  },
  users: {
    on: [UPDATE, DELETE],
    subjects: `concat_ws(' ', old.account_id, '~' || old.account_id, case when (new.is_confirmed, new.is_approved)
      is distinct from (old.is_confirmed, old.is_approved) then '*' end)`,
  },
  // Both are inserted with their account or post.
  account_stats: { on: [UPDATE, DELETE], subjects: row('account_id') },
  keys: { on: [INSERT, UPDATE, DELETE], subjects: row('account_id') },
  follows: {
    on: [INSERT, UPDATE, DELETE],
    subjects: `${relations('follower_id')} || ' ' || ${relations('followee_id')}`,
  },
  blocks: {
    on: [INSERT, UPDATE, DELETE],
    subjects: `${relations('account_id')} || ' ' || ${relations('target_id')}`,
  },
  mutes: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  domain_blocks: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  account_notes: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  endorsements: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  lists: { on: [UPDATE, DELETE], subjects: relations('account_id') },
  list_members: {
    on: [INSERT, UPDATE, DELETE],
    subjects: `(select '~' || account_id from lists where id = ${row('list_id')})`,
  },
  followed_tags: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  thread_mutes: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  favourites: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  bookmarks: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  poll_votes: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  conversation_participants: { on: [INSERT, UPDATE, DELETE], subjects: relations('account_id') },
  statuses: {
    on: [INSERT, UPDATE, DELETE],
    subjects: `concat_ws(' ', ${row('id')}, '+' || ${row('author_id')},
      case when ${row('reblog_of_id')} is not null then '~' || ${row('author_id')}
        when ${row('visibility')} in (0, 4) then '#' end,
      case when tg_op = 'UPDATE' and new.visibility <> old.visibility then '*' end)`,
  },
  status_stats: { on: [UPDATE, DELETE], subjects: row('status_id') },
  reactions: {
    on: [INSERT, UPDATE, DELETE],
    subjects: `${row('status_id')} || ' ' || ${relations('account_id')}`,
  },
  pins: { on: [INSERT, UPDATE, DELETE], subjects: `${row('status_id')} || ' +' || ${row('account_id')}` },
  polls: { on: [INSERT, UPDATE, DELETE], subjects: row('status_id') },
  poll_options: {
    on: [INSERT, UPDATE, DELETE],
    subjects: `(select status_id from polls where id = ${row('poll_id')})`,
  },
  attachments: { on: [UPDATE, DELETE], subjects: row('status_id') },
};

/** Tables of which one statement may change many rows: `@id` for the feed of a reader, `!id` for notifications. */
const SETS: Readonly<Record<string, string>> = {
  home_feed: `'@' || account_id`,
  notifications: `'!' || receiver_id`,
};

/** Sends `subjects` to whoever keeps values in memory. */
const report = `
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      when 'none' then null;
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;`;

const functionOf = (name: string, subjects: string) => `
  create function ${name}() returns trigger language plpgsql as $$
    declare subjects text := ${subjects};
    begin ${report}
    end $$;`;

const truncation = (table: string) => `
  create trigger ${table}_emptied after truncate on ${table} for each statement execute function table_emptied();`;

const rows = Object.entries(SUBJECTS).map(
  ([table, { on, subjects }]) => `${functionOf(`${table}_reports`, subjects)}
  create trigger ${table}_changed after ${on.join(' or ')} on ${table} for each row execute function ${table}_reports();
  ${truncation(table)}`,
);

const sets = Object.entries(SETS).map(
  ([table, subject]) => `${functionOf(`${table}_reports`, `(select string_agg(distinct ${subject}, ' ') from changed)`)}
  create trigger ${table}_inserted after insert on ${table} referencing new table as changed
    for each statement execute function ${table}_reports();
  create trigger ${table}_updated after update on ${table} referencing new table as changed
    for each statement execute function ${table}_reports();
  create trigger ${table}_deleted after delete on ${table} referencing old table as changed
    for each statement execute function ${table}_reports();
  ${truncation(table)}`,
);

/**
 * The tables behind answers that a server keeps in memory report what changes, whoever writes (docs/adr/0025): as a notice to
 * the session of a server that is alone, and to all servers from any other session.
 */
export class ChangeReports1764000070000 extends ForwardOnly {
  readonly name = 'ChangeReports1764000070000';
  protected readonly statements = [functionOf('table_emptied', `'*'`), ...rows, ...sets].join('\n');
}
